import {
  p2ms,
  p2pkh,
  p2sh,
  p2tr,
  p2tr_ns,
  p2tr_pk,
  p2wpkh,
  p2wsh,
  TAPROOT_UNSPENDABLE_KEY,
} from '@scure/btc-signer'
import type { AddressType } from '../../../bitcoin/address.ts'
import { concatBytes, toHex, toUtf8 } from '../../../bitcoin/bytes.ts'
import { encodePushes } from '../../../bitcoin/script.ts'
import { publicKeyOf } from '../../../bitcoin/secp256k1.ts'
import {
  FOREIGN_KEY,
  type Lock,
  type Locked,
  lockOf,
} from '../../../bitcoin/testing/psbt-building.ts'
import type { Signed } from '../../../bitcoin/testing/signature-oracle.ts'
import { encodeCborItem } from '../../atomicals/cbor.ts'

/** The attacker's keys; the second is for scripts that name two of them. */
export const ATTACKER_KEYS = [FOREIGN_KEY, new Uint8Array(32).fill(0xe1)] as const

const [THEIRS = new Uint8Array(), THEIRS_TOO = new Uint8Array()] = ATTACKER_KEYS.map(publicKeyOf)

/** Scripts that name the wallet's key and are nobody's address. */
export const SHARED_KINDS = [
  'leaf',
  'bait-leaf',
  'hidden-leaf',
  'joint-leaf',
  'envelope-leaf',
  'raw-p2tr',
  'p2wsh-2-of-2',
  'p2wsh-1-of-2',
  'p2wsh-2-of-3',
  'p2sh-2-of-2',
  'p2sh-1-of-2',
  'p2sh-p2wsh-2-of-2',
] as const

export type SharedKind = (typeof SHARED_KINDS)[number]

/** What locks a coin of ours or a script with our key: how a signature for it is hashed, and whether others open it alone. */
export type Opening = Locked & {
  signed: Signed
  open: boolean
  /** What goes into the scriptSig beside signatures, or all of it. */
  scriptSig: Uint8Array
}

const openings = new Map<string, Opening>()

export function ownLock(type: AddressType, publicKey: Uint8Array): Opening {
  return once(`${type} ${toHex(publicKey)}`, () => {
    const { script: code } = p2pkh(publicKey)
    const empty = new Uint8Array()
    if (type === 'p2tr') {
      const { script } = p2tr(publicKey.slice(1))
      const signed: Signed = { scheme: 'taproot', publicKey: script.slice(2) }
      return { script, fields: {}, signed, open: false, scriptSig: empty }
    }
    if (type === 'p2pkh') {
      const signed: Signed = { scheme: 'legacy', publicKey, script: code }
      return { script: code, fields: {}, signed, open: false, scriptSig: empty }
    }
    const signed: Signed = { scheme: 'v0', publicKey, script: code }
    const { script } = p2wpkh(publicKey)
    if (type === 'p2wpkh') return { script, fields: {}, signed, open: false, scriptSig: empty }
    const scriptSig = encodePushes([script])
    const fields = { redeemScript: script }
    return { script: p2sh(p2wpkh(publicKey)).script, fields, signed, open: false, scriptSig }
  })
}

export function sharedLock(kind: SharedKind, publicKey: Uint8Array): Opening {
  return once(`${kind} ${toHex(publicKey)}`, () => {
    const multisig = /^(p2wsh|p2sh|p2sh-p2wsh)-(\d)-of-(\d)$/.exec(kind)
    if (multisig) {
      const [, hash = '', needed, all] = multisig
      return multisigLock(hash, Number(needed), Number(all), publicKey)
    }
    return taprootLock(kind, publicKey.slice(1))
  })
}

function multisigLock(hash: string, needed: number, all: number, publicKey: Uint8Array): Opening {
  const keys = [THEIRS, publicKey, THEIRS_TOO].slice(0, all)
  const inner = p2ms(needed, keys)
  const isSegwit = hash !== 'p2sh'
  const signed: Signed = { scheme: isSegwit ? 'v0' : 'legacy', publicKey, script: inner.script }
  const open = all - 1 >= needed
  if (hash === 'p2wsh') {
    const { script } = p2wsh(inner)
    const fields = { witnessScript: inner.script }
    return { script, fields, signed, open, scriptSig: new Uint8Array() }
  }
  if (hash === 'p2sh') {
    const fields = { redeemScript: inner.script }
    return { script: p2sh(inner).script, fields, signed, open, scriptSig: Uint8Array.of(0) }
  }
  const wrapped = p2wsh(inner)
  const fields = { redeemScript: wrapped.script, witnessScript: inner.script }
  const scriptSig = encodePushes([wrapped.script])
  return { script: p2sh(wrapped).script, fields, signed, open, scriptSig }
}

function taprootLock(kind: SharedKind, xOnly: Uint8Array): Opening {
  const theirs = THEIRS.slice(1)
  const ours = p2tr_pk(xOnly).script
  const scriptSig = new Uint8Array()
  const locked = (
    internalKey: Uint8Array,
    script: Uint8Array,
    ...hidden: Uint8Array[]
  ): Opening => {
    const scripts = [script, ...hidden].map(each => ({ script: each }))
    const output = p2tr(internalKey, scripts, undefined, true)
    // Only our own leaf is told.
    const tapLeafScript = (output.tapLeafScript ?? []).slice(0, 1)
    const fields = {
      tapLeafScript,
      tapInternalKey: internalKey,
      ...(output.tapMerkleRoot && { tapMerkleRoot: output.tapMerkleRoot }),
    }
    const open = internalKey !== TAPROOT_UNSPENDABLE_KEY || hidden.length > 0
    const signed: Signed = { scheme: 'taproot', publicKey: xOnly, leaf: script }
    return { script: output.script, fields, signed, open, scriptSig }
  }
  switch (kind) {
    case 'raw-p2tr': {
      const { script } = lockScript(xOnly)
      const signed: Signed = { scheme: 'taproot', publicKey: xOnly }
      return { script, fields: {}, signed, open: false, scriptSig }
    }
    case 'bait-leaf':
      return locked(theirs, ours)
    case 'hidden-leaf':
      return locked(TAPROOT_UNSPENDABLE_KEY, ours, p2tr_pk(theirs).script)
    case 'joint-leaf': {
      const [joint] = p2tr_ns(2, [xOnly, theirs])
      return locked(TAPROOT_UNSPENDABLE_KEY, joint?.script ?? ours)
    }
    case 'envelope-leaf':
      return locked(TAPROOT_UNSPENDABLE_KEY, operationLeaf('x', {}, xOnly))
    default:
      return locked(TAPROOT_UNSPENDABLE_KEY, ours)
  }
}

function lockScript(xOnly: Uint8Array) {
  return { script: concatBytes(Uint8Array.of(0x51, 32), xOnly) }
}

/** A coin of the attacker's. */
export function foreignLock(lock: Lock): Locked & { scriptSig: Uint8Array } {
  const locked = lockOf(lock, FOREIGN_KEY)
  // A signature is not guessed; it is enough that there is something.
  const isEmpty = /^(p2tr|p2wpkh|raw-p2tr|leaf|p2wsh-multisig|future|p2a|odd)$/.test(lock)
  const { redeemScript } = locked.fields
  const isNested = lock === 'p2sh-p2wpkh' || lock === 'p2sh-p2wsh-multisig'
  const filled = isNested && redeemScript ? encodePushes([redeemScript]) : Uint8Array.of(1, 1)
  return { ...locked, scriptSig: isEmpty ? new Uint8Array() : filled }
}

export type MovingOperation = 'x' | 'y' | 'z'

/** A leaf with a signature check of this key and an Atomicals operation in the form of atomicals-js. */
export function operationLeaf(
  operation: MovingOperation,
  payload: object,
  xOnly: Uint8Array = THEIRS.slice(1),
): Uint8Array {
  const bytes = encodeCborItem(payload)
  return concatBytes(
    encodePushes([xOnly]),
    Uint8Array.of(0xac, 0x00, 0x63),
    encodePushes([toUtf8('atom'), toUtf8(operation), bytes]),
    Uint8Array.of(0x68),
  )
}

/** What opens a leaf, but for signatures that nobody checks here. */
export function leafWitness(script: Uint8Array): Uint8Array[] {
  return [new Uint8Array(64), script, concatBytes(Uint8Array.of(0xc0), THEIRS.slice(1))]
}

/** PSBT_IN_TAP_LEAF_SCRIPT of a leaf that is in no output. */
export function forgedLeafField(script: Uint8Array) {
  const controlBlock = { version: 0xc0, internalKey: THEIRS.slice(1), merklePath: [] }
  return [[controlBlock, concatBytes(script, Uint8Array.of(0xc0))]] as [
    { version: number; internalKey: Uint8Array; merklePath: Uint8Array[] },
    Uint8Array,
  ][]
}

function once(name: string, make: () => Opening): Opening {
  const known = openings.get(name) ?? make()
  openings.set(name, known)
  return known
}

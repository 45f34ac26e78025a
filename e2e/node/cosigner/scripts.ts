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
import type { AddressType } from '../../../src/bitcoin/address.ts'
import { concatBytes, toHex, toUtf8 } from '../../../src/bitcoin/bytes.ts'
import { encodePushes } from '../../../src/bitcoin/script.ts'
import { publicKeyOf } from '../../../src/bitcoin/secp256k1.ts'
import {
  FOREIGN_KEY,
  type Lock,
  type Locked,
  lockOf,
} from '../../../src/bitcoin/testing/psbt-building.ts'
import type { Signed } from '../../../src/bitcoin/testing/signature-oracle.ts'
import { encodeCborItem } from '../../../src/devnet/atomicals/cbor.ts'

/** The attacker's keys; the second is for scripts that name two of them. */
export const ATTACKER_KEYS = [FOREIGN_KEY, new Uint8Array(32).fill(0xe1)] as const

const [THEIRS = new Uint8Array(), THEIRS_TOO = new Uint8Array()] = ATTACKER_KEYS.map(publicKeyOf)

/** Scripts that contain the wallet's key but are no address of it. */
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

/** What locks a coin, and how it is opened. */
export type Opening = Locked & {
  /** How a signature of the wallet for it is hashed; null where there can be none. */
  signed: Signed | null
  /** Others can spend it without the wallet. */
  open: boolean
  /** Whoever spends it can show a script of his own. */
  reveals: boolean
  /** What stands in its witness beside signatures, unless something else is shown. */
  shows: readonly Uint8Array[]
  /** The attacker's own leaf beside ours, which the PSBT does not mention. */
  hidden: NonNullable<Locked['fields']['tapLeafScript']>[number] | null
  /** What goes into the scriptSig beside signatures, or all of it. */
  scriptSig: Uint8Array
}

const CLOSED = {
  ...{ open: false, reveals: false, shows: [], hidden: null, scriptSig: new Uint8Array() },
}

const openings = new Map<string, Opening>()

export function ownLock(type: AddressType, publicKey: Uint8Array): Opening {
  return once(`${type} ${toHex(publicKey)}`, () => {
    const { script: code } = p2pkh(publicKey)
    const closed = { ...CLOSED, fields: {} }
    if (type === 'p2tr') {
      const { script } = p2tr(publicKey.slice(1))
      return { ...closed, script, signed: { scheme: 'taproot', publicKey: script.slice(2) } }
    }
    if (type === 'p2pkh')
      return { ...closed, script: code, signed: { scheme: 'legacy', publicKey, script: code } }
    const signed: Signed = { scheme: 'v0', publicKey, script: code }
    const { script } = p2wpkh(publicKey)
    if (type === 'p2wpkh') return { ...closed, script, signed }
    const scriptSig = encodePushes([script])
    const fields = { redeemScript: script }
    return { ...closed, script: p2sh(p2wpkh(publicKey)).script, fields, signed, scriptSig }
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
  const { script } = inner
  const signed: Signed = { scheme: hash === 'p2sh' ? 'legacy' : 'v0', publicKey, script }
  const lock = { ...CLOSED, signed, open: all - 1 >= needed }
  if (hash === 'p2wsh')
    return { ...lock, script: p2wsh(inner).script, fields: { witnessScript: script } }
  if (hash === 'p2sh') {
    const scriptSig = Uint8Array.of(0)
    return { ...lock, script: p2sh(inner).script, fields: { redeemScript: script }, scriptSig }
  }
  const wrapped = p2wsh(inner)
  const fields = { redeemScript: wrapped.script, witnessScript: script }
  return {
    ...lock,
    script: p2sh(wrapped).script,
    fields,
    scriptSig: encodePushes([wrapped.script]),
  }
}

function taprootLock(kind: SharedKind, xOnly: Uint8Array): Opening {
  const theirs = THEIRS.slice(1)
  const ours = p2tr_pk(xOnly).script
  const locked = (internalKey: Uint8Array, leaf: Uint8Array, ...others: Uint8Array[]): Opening => {
    const scripts = [leaf, ...others].map(script => ({ script }))
    const { script, tapLeafScript, tapMerkleRoot } = p2tr(internalKey, scripts, undefined, true)
    // The PSBT has our own leaf alone.
    const [first, hidden = null] = tapLeafScript ?? []
    const fields = {
      tapInternalKey: internalKey,
      ...(first && { tapLeafScript: [first] }),
      ...(tapMerkleRoot && { tapMerkleRoot }),
    }
    const open = internalKey !== TAPROOT_UNSPENDABLE_KEY || hidden !== null
    const signed: Signed = { scheme: 'taproot', publicKey: xOnly, leaf }
    const shows = open ? [] : leafWitness(leaf)
    return { ...CLOSED, script, fields, signed, open, reveals: open, shows, hidden }
  }
  switch (kind) {
    case 'raw-p2tr': {
      const script = concatBytes(Uint8Array.of(0x51, 32), xOnly)
      return { ...CLOSED, script, fields: {}, signed: { scheme: 'taproot', publicKey: xOnly } }
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

/** A `told-leaf` is a taproot output of which a PSBT has one leaf, and that others can spend by its key or another leaf. */
export type ForeignKind = Lock | 'told-leaf'

/** What locks a coin of the attacker's. */
export function foreignLock(lock: ForeignKind): Opening {
  if (lock === 'told-leaf') return { ...taprootLock('bait-leaf', THEIRS.slice(1)), signed: null }
  const locked = lockOf(lock, FOREIGN_KEY)
  const { redeemScript } = locked.fields
  const isNested = lock === 'p2sh-p2wpkh' || lock === 'p2sh-p2wsh-multisig'
  const isLegacy = /^(p2pkh|p2pk|multisig|p2sh-multisig)$/.test(lock)
  // A legacy signature is not made here; it is enough that there is something.
  const scriptSig = isNested && redeemScript ? encodePushes([redeemScript]) : Uint8Array.of(1, 1)
  return {
    ...{ ...CLOSED, ...locked, signed: null, open: true, reveals: lock === 'p2tr' },
    ...((isNested || isLegacy) && { scriptSig }),
  }
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

/** The witness that spends a leaf, with signatures that are not checked here. */
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

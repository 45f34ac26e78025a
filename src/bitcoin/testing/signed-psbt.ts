import {
  p2ms,
  p2pk,
  p2pkh,
  p2sh,
  p2tr,
  p2tr_ms,
  p2tr_ns,
  p2wsh,
  Script,
  TAPROOT_UNSPENDABLE_KEY,
  Transaction,
} from '@scure/btc-signer'
import { publicKeyOf } from '../secp256k1.ts'
import { type BuiltInput, buildPsbt, type Locked, lockOf } from './psbt-building.ts'

type Leaves = NonNullable<Parameters<typeof p2tr>[1]>

/** A coin that some of these keys open: which of them sign is by their place. */
export type SignedLock = { lock: Locked; signers: readonly number[] }

/** Every script that the wallet finalizes, of three private keys; an independent library knows them all. */
export function finalizableLocks(keys: readonly [Uint8Array, Uint8Array, Uint8Array]) {
  const publicKeys = keys.map(publicKeyOf)
  const [key] = keys
  const [publicKey = new Uint8Array()] = publicKeys
  const xOnly = publicKeys.map(each => each.slice(1))
  const [first = new Uint8Array(), ...others] = xOnly
  const single = (lock: Locked): SignedLock => ({ lock, signers: [0] })
  const twoOfThree = (lock: Locked): SignedLock => ({ lock, signers: [0, 2] })
  const envelope = { script: envelopeLeaf(first) }
  return {
    p2pkh: single(lockOf('p2pkh', key)),
    p2wpkh: single(lockOf('p2wpkh', key)),
    'p2sh-p2wpkh': single(lockOf('p2sh-p2wpkh', key)),
    p2pk: single(lockOf('p2pk', key)),
    p2tr: single(fieldsOf(p2tr(first))),
    'p2tr beside leaves': single(fieldsOf(p2tr(first, eachLeaf(1, others)))),
    'p2sh-p2pkh': single(fieldsOf(p2sh(p2pkh(publicKey)))),
    'p2wsh-p2pkh': single(fieldsOf(p2wsh(p2pkh(publicKey)))),
    'p2wsh-p2pk': single(fieldsOf(p2wsh(p2pk(publicKey)))),
    'p2sh-p2wsh-p2pk': single(fieldsOf(p2sh(p2wsh(p2pk(publicKey))))),
    'bare multisig': twoOfThree({ script: p2ms(2, publicKeys).script, fields: {} }),
    'p2sh multisig': twoOfThree(fieldsOf(p2sh(p2ms(2, publicKeys)))),
    'p2wsh multisig': twoOfThree(fieldsOf(p2wsh(p2ms(2, publicKeys)))),
    'p2sh-p2wsh multisig': twoOfThree(fieldsOf(p2sh(p2wsh(p2ms(2, publicKeys))))),
    'one leaf': single(lockOf('leaf', key)),
    'one of two leaves': { lock: leavesOf(eachLeaf(1, others)), signers: [1] },
    'leaf with an envelope': single(leavesOf([envelope])),
    'all of three in a leaf': { lock: leavesOf(eachLeaf(3, xOnly)), signers: [0, 1, 2] },
    'two of three in a leaf': twoOfThree(leavesOf([{ script: p2tr_ms(2, xOnly).script }])),
  } satisfies Record<string, SignedLock>
}

/** A leaf for every choice of so many keys. */
function eachLeaf(required: number, keys: Uint8Array[]) {
  return p2tr_ns(required, keys).map(({ script }) => ({ script }))
}

/** `<key> OP_CHECKSIG` and an inscription, of which one push needs a length of two bytes. */
export function envelopeLeaf(xOnly: Uint8Array): Uint8Array {
  const text = (word: string) => new TextEncoder().encode(word)
  const type = [Uint8Array.of(1), text('text/plain')]
  const content = [0, text('x'.repeat(300)), text('y')]
  return Script.encode([
    ...[xOnly, 'CHECKSIG' as const],
    ...[0, 'IF' as const, text('ord'), ...type, ...content, 'ENDIF' as const],
  ])
}

/** A taproot output that only these leaves open. */
export function leavesOf(leaves: Leaves): Locked {
  const allowUnknown = true
  return fieldsOf(p2tr(TAPROOT_UNSPENDABLE_KEY, leaves, undefined, allowUnknown))
}

/** A PSBT that spends coins with these locks (invented ones, unless given), signed by an independent library but not finalized, and that library's own form of it. */
export function signCoins(
  locks: readonly SignedLock[],
  keys: readonly Uint8Array[],
  sighash?: number,
  coins: readonly BuiltInput[] = locks.map(({ lock }) => ({
    type: lock,
    amount: 100_000n,
    proof: 'previous',
  })),
) {
  const { bytes } = buildPsbt({
    inputs: coins.map(coin => ({ ...coin, ...(sighash !== undefined && { sighash }) })),
    outputs: locks.map(() => ({ type: 'p2tr', amount: 90_000n })),
  })
  const signed = Transaction.fromPSBT(bytes, PERMISSIVE)
  const allowed = sighash === undefined ? undefined : [sighash]
  for (const [index, { signers }] of locks.entries())
    for (const signer of signers) {
      const key = keys[signer]
      // The same signatures each time: one of 256 begins as an annex does.
      if (!key || !signed.signIdx(key, index, allowed, new Uint8Array(32)))
        throw new Error(`input ${index} was not signed`)
    }
  return { bytes: signed.toPSBT(), signed }
}

type Revealing = { script: Uint8Array } & {
  [K in 'redeemScript' | 'witnessScript' | 'tapLeafScript' | 'tapInternalKey' | 'tapMerkleRoot']?:
    | Locked['fields'][K]
    | undefined
}

const PERMISSIVE = {
  disableScriptCheck: true,
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowLegacyWitnessUtxo: true,
}

/** The fields that a payment of the independent library gives a signer. */
function fieldsOf(payment: Revealing): Locked {
  const { script, redeemScript, witnessScript, ...taproot } = payment
  const { tapLeafScript, tapInternalKey, tapMerkleRoot } = taproot
  return {
    script,
    fields: {
      ...(redeemScript && { redeemScript }),
      ...(witnessScript && { witnessScript }),
      ...(tapLeafScript && { tapLeafScript }),
      ...(tapInternalKey && { tapInternalKey }),
      ...(tapMerkleRoot && { tapMerkleRoot }),
    },
  }
}

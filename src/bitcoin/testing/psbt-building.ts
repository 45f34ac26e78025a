import {
  _DebugPSBT,
  p2ms,
  p2pk,
  p2sh,
  p2tr,
  p2tr_pk,
  p2wsh,
  RawTx,
  TAPROOT_UNSPENDABLE_KEY,
} from '@scure/btc-signer'
import { RawPSBTV0, RawPSBTV2, type TransactionInput } from '@scure/btc-signer/psbt.js'
import type { AddressType } from '../address.ts'
import { fromHex, toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import type { TransactionOutput } from '../transaction.ts'
import { ADDRESS_TYPES, fundingTransaction, spendOf } from './spending.ts'

/** A private key that no account of a test has; inputs and outputs of it are foreign. */
export const FOREIGN_KEY = new Uint8Array(32).fill(0xf0)

/** The other private key of every multisig. */
export const COSIGNER_KEY = new Uint8Array(32).fill(0xe0)

/**
 * What locks a coin. Of one key: the four address types, `raw-p2tr` (the untweaked key is the output key), `p2pk`, `leaf`
 * (taproot that only a leaf `<key> CHECKSIG` opens), `future` (witness version 2). Of two, the key and the
 * {@link COSIGNER_KEY}, both needed: `multisig` (bare) and the same within the three script hashes. Of none: `op-return`,
 * `p2a`, `odd` (OP_1 alone).
 */
export type Lock = (typeof LOCKS)[number]

const KEYLESS_LOCKS = { 'op-return': '6a0548656c6c6f', p2a: '51024e73', odd: '51' }

export const LOCKS = [
  ...ADDRESS_TYPES,
  'raw-p2tr',
  'p2pk',
  'leaf',
  'multisig',
  'p2sh-multisig',
  'p2wsh-multisig',
  'p2sh-p2wsh-multisig',
  'future',
  'op-return',
  'p2a',
  'odd',
] as const

/** A locked coin: its scriptPubKey, and its fields in a PSBT, by the names of the independent library. */
export type Locked = { script: Uint8Array; fields: TransactionInput }

export type BuiltInput = {
  /** A kind, or a script and fields of the test's own. */
  type: Lock | Locked
  /** Private key; {@link FOREIGN_KEY} when absent. */
  key?: Uint8Array
  amount: bigint
  /** What the PSBT says of the coin; `witness` when absent. */
  proof?: 'previous' | 'witness' | 'both' | 'none'
  /** The field PSBT_IN_SIGHASH_TYPE. */
  sighash?: number
  sequence?: number
  /** Spends output `vout` of the transaction whose txid is zero, as marketplaces do to keep a place. */
  placeholder?: number
  /** Spends this output instead of one of an invented transaction. */
  outpoint?: { txid: string; vout: number }
  /** Further fields in the words of the independent library; undefined takes away what the lock brings. */
  fields?: { [K in keyof TransactionInput]?: TransactionInput[K] | undefined }
  /** Fields as bytes: key (type and key data) in hex to value; written over everything else, with any content. */
  raw?: Record<string, Uint8Array>
}

export type BuiltOutput = {
  type: Lock | { script: Uint8Array }
  key?: Uint8Array
  amount: bigint
  raw?: Record<string, Uint8Array>
}

/** `previous`: the raw transactions that the inputs spend, by txid (placeholders and given outpoints have none). */
export type BuiltPsbt = {
  bytes: Uint8Array
  previous: Map<string, Uint8Array>
  prevouts: TransactionOutput[]
}

/**
 * A PSBT by an independent library. Coin i is output i % 2 of a transaction of its own; `from` makes their txids others.
 * `raw` are global fields as bytes; `modifiable` is for version 2.
 */
export function buildPsbt(params: {
  inputs: readonly BuiltInput[]
  outputs: readonly BuiltOutput[]
  version?: 0 | 2
  transactionVersion?: number
  locktime?: number
  modifiable?: number
  raw?: Record<string, Uint8Array>
  from?: number
}): BuiltPsbt {
  const { version = 0, transactionVersion = 2, locktime = 0, from = 0 } = params
  const previous = new Map<string, Uint8Array>()
  const inputs = params.inputs.map((input, i) => {
    const built = buildInput(input, i, from)
    if (built.funding) previous.set(built.funding.txid, built.funding.raw)
    return built
  })
  const outputs = params.outputs.map(({ type, key, amount }) => ({
    script: typeof type === 'string' ? lockOf(type, key).script : type.script,
    amount,
  }))
  const bytes =
    version === 0
      ? RawPSBTV0.encode({
          global: {
            unsignedTx: {
              version: transactionVersion,
              inputs: inputs.map(({ outpoint: { txid, vout }, sequence }) => ({
                txid: fromHex(txid),
                index: vout,
                finalScriptSig: new Uint8Array(),
                sequence,
              })),
              outputs,
              lockTime: locktime,
            },
          },
          inputs: inputs.map(({ fields }) => fields),
          outputs: outputs.map(() => ({})),
        } as Parameters<typeof RawPSBTV0.encode>[0])
      : RawPSBTV2.encode({
          global: {
            version: 2,
            txVersion: transactionVersion,
            fallbackLocktime: locktime,
            inputCount: inputs.length,
            outputCount: outputs.length,
            ...(params.modifiable !== undefined && { txModifiable: params.modifiable }),
          },
          inputs: inputs.map(({ fields, outpoint: { txid, vout }, sequence }) => ({
            ...fields,
            txid: fromHex(txid),
            index: vout,
            sequence,
          })),
          outputs,
        } as Parameters<typeof RawPSBTV2.encode>[0])
  return {
    bytes: writeRaw(bytes, [
      params.raw,
      ...params.inputs.map(({ raw }) => raw),
      ...params.outputs.map(({ raw }) => raw),
    ]),
    previous,
    prevouts: inputs.map(({ prevout }) => prevout),
  }
}

const locks = new Map<string, Locked>()

/** How a lock is written, and what opens it; worked out once for each key. */
export function lockOf(type: Lock, key: Uint8Array = FOREIGN_KEY): Locked {
  const name = `${type} ${toHex(key)}`
  const locked = locks.get(name) ?? buildLock(type, key)
  locks.set(name, locked)
  return locked
}

function buildLock(type: Lock, key: Uint8Array): Locked {
  const publicKey = publicKeyOf(key)
  const xOnly = publicKey.slice(1)
  const multisig = () => p2ms(2, [publicKey, publicKeyOf(COSIGNER_KEY)])
  switch (type) {
    case 'raw-p2tr':
      return { script: fromHex(`5120${toHex(xOnly)}`), fields: {} }
    case 'p2pk':
      return { script: p2pk(publicKey).script, fields: {} }
    case 'leaf': {
      const leaf = { script: p2tr_pk(xOnly).script }
      const { script, tapLeafScript = [], ...rest } = p2tr(TAPROOT_UNSPENDABLE_KEY, leaf)
      const { tapInternalKey, tapMerkleRoot } = rest
      return {
        script,
        fields: { tapLeafScript, tapInternalKey, ...(tapMerkleRoot && { tapMerkleRoot }) },
      }
    }
    case 'multisig':
      return { script: multisig().script, fields: {} }
    case 'p2sh-multisig':
      return fieldsOf(p2sh(multisig()))
    case 'p2wsh-multisig':
      return fieldsOf(p2wsh(multisig()))
    case 'p2sh-p2wsh-multisig':
      return fieldsOf(p2sh(p2wsh(multisig())))
    case 'future':
      return { script: fromHex(`5220${toHex(xOnly)}`), fields: {} }
    case 'op-return':
    case 'p2a':
    case 'odd':
      return { script: fromHex(KEYLESS_LOCKS[type]), fields: {} }
    default:
      return fieldsOf(spendOf(type satisfies AddressType, publicKey))
  }
}

function fieldsOf(payment: Locked['fields'] & { script: Uint8Array }): Locked {
  const { script, redeemScript, witnessScript } = payment
  return {
    script,
    fields: { ...(redeemScript && { redeemScript }), ...(witnessScript && { witnessScript }) },
  }
}

function buildInput(input: BuiltInput, i: number, from: number) {
  const { type, key, amount, proof = 'witness', placeholder, sighash } = input
  const { script, fields } = typeof type === 'string' ? lockOf(type, key) : type
  const coin = { script, amount }
  const decoy = { script: fromHex('51'), amount: 7n }
  const invented = placeholder === undefined && input.outpoint === undefined
  const funding = invented
    ? fundingTransaction(i % 2 === 0 ? [coin] : [decoy, coin], from + i + 1)
    : null
  const shown = {
    ...fields,
    ...((proof === 'witness' || proof === 'both') && { witnessUtxo: coin }),
    ...((proof === 'previous' || proof === 'both') &&
      funding && { nonWitnessUtxo: RawTx.decode(funding.raw) }),
    ...(sighash !== undefined && { sighashType: sighash }),
    ...input.fields,
  }
  return {
    funding,
    prevout: { scriptPubKey: script, amount },
    sequence: input.sequence ?? 0xfffffffd,
    outpoint: input.outpoint ?? {
      txid: funding?.txid ?? '00'.repeat(32),
      vout: placeholder ?? i % 2,
    },
    fields: Object.fromEntries(
      Object.entries(shown).filter(([, value]) => value !== undefined),
    ) as TransactionInput,
  }
}

/** Sets fields of the maps (global, inputs, outputs in turn), whatever they hold. */
export function writeRaw(
  bytes: Uint8Array,
  maps: readonly (Record<string, Uint8Array> | undefined)[],
): Uint8Array {
  if (maps.every(map => map === undefined)) return bytes
  const { items, ...rest } = _DebugPSBT.decode(bytes)
  return _DebugPSBT.encode({ ...rest, items: items.map((map, i) => ({ ...map, ...maps[i] })) })
}

import { createHash } from 'node:crypto'
import { RawTx, Transaction } from '@scure/btc-signer'
import type { AddressType } from '../address.ts'
import { concatBytes, fromHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { spendOf } from './spending.ts'

/** The to_sign transaction that BIP-322 describes, signed by the other library. */
export function signToSign(
  message: string,
  key: Uint8Array,
  type: AddressType,
  change: {
    version?: number
    lockTime?: number
    sequence?: number
    /** The scriptPubKey of the address, where it is none of the key: then nothing is signed. */
    spent?: Uint8Array
    vout?: number
    outputs?: { script: Uint8Array; amount: bigint }[]
    /** Another coin of the key, as a proof of funds has. */
    withFunds?: boolean
    /** Of P2TR. */
    sighash?: number
  } = {},
) {
  const spend = change.spent ? { script: change.spent } : spendOf(type, publicKeyOf(key))
  const sha256 = (data: Uint8Array) => Uint8Array.from(createHash('sha256').update(data).digest())
  const tag = sha256(Buffer.from('BIP0322-signed-message'))
  const commitment = sha256(concatBytes(tag, tag, Uint8Array.from(Buffer.from(message))))
  const toSpend = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffffffff,
        finalScriptSig: concatBytes(fromHex('0020'), commitment),
        sequence: 0,
      },
    ],
    outputs: [{ script: spend.script, amount: 0n }],
    witnesses: undefined,
    lockTime: 0,
  })
  const double = sha256(sha256(toSpend))
  const options = {
    allowUnknownOutputs: true,
    allowUnknownVersion: true,
    disableScriptCheck: true,
    lowR: true,
  }
  const toSign = new Transaction({
    version: change.version ?? 0,
    lockTime: change.lockTime ?? 0,
    ...options,
  })
  toSign.addInput({
    txid: double.reverse(),
    index: change.vout ?? 0,
    sequence: change.sequence ?? 0,
    ...('redeemScript' in spend ? { redeemScript: spend.redeemScript } : {}),
    ...('tapInternalKey' in spend
      ? {
          tapInternalKey: spend.tapInternalKey,
          witnessUtxo: { script: spend.script, amount: 0n },
          ...(change.sighash === undefined ? {} : { sighashType: change.sighash }),
        }
      : { nonWitnessUtxo: toSpend }),
  })
  if (change.withFunds)
    toSign.addInput({
      ...{ txid: new Uint8Array(32).fill(7), index: 0, sequence: 0 },
      ...('tapInternalKey' in spend ? { tapInternalKey: spend.tapInternalKey } : {}),
      witnessUtxo: { script: spend.script, amount: 600n },
    })
  for (const output of change.outputs ?? [{ script: fromHex('6a'), amount: 0n }])
    toSign.addOutput(output)
  if (change.spent) return toSign
  toSign.sign(key, change.sighash === undefined ? undefined : [change.sighash])
  toSign.finalize()
  return toSign
}

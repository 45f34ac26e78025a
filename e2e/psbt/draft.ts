import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Address, OutScript, Transaction } from '@scure/btc-signer'
import { type Coin, type Owner, REGTEST, scriptsOf } from './coins.ts'

export type DraftInput = Parameters<Transaction['addInput']>[0]
export type DraftOutput = { address: string; sats: bigint }

/** What marketplaces do, a library need not know: placeholders, and inputs that only their owner can sign. */
const LENIENT = { allowUnknownInputs: true, allowUnknownOutputs: true }

/** Which of the previous transaction, the output spent, and both a PSBT brings along. */
export type Proof = 'previous' | 'output' | 'both'

/** An input that spends a coin. A legacy coin always comes with its previous transaction. */
export function spend(
  { owner, txid, vout, sats, previous }: Coin,
  { sighashType, proof = 'both' }: { sighashType?: number; proof?: Proof } = {},
): DraftInput {
  const { script, type, ...scripts } = scriptsOf(owner)
  const isLegacy = type === 'pkh'
  return {
    txid,
    index: vout,
    sequence: 0xfffffffd,
    ...(proof === 'previous' || isLegacy ? {} : { witnessUtxo: { script, amount: sats } }),
    ...(proof === 'output' && !isLegacy ? {} : { nonWitnessUtxo: previous }),
    ...('tapInternalKey' in scripts ? { tapInternalKey: scripts.tapInternalKey } : {}),
    ...('redeemScript' in scripts ? { redeemScript: scripts.redeemScript } : {}),
    ...(sighashType === undefined ? {} : { sighashType }),
  }
}

/** An input that somebody else will put a coin of his in the place of; some pages describe it as an empty coin of the seller. */
export function placeholder(vout: number, seller?: Owner): DraftInput {
  const input = { txid: '0'.repeat(64), index: vout, sequence: 0xffffffff }
  if (!seller) return input
  return { ...input, witnessUtxo: { script: scriptsOf(seller).script, amount: 0n } }
}

/** An input with the signature that it carries in another PSBT (hex). */
export function inputOf(psbtHex: string, index: number): DraftInput {
  return parseDraft(psbtHex).getInput(index)
}

/** A PSBT in hex; inputs may be signed already, as long as their signatures allow for the rest. */
export function draft(
  inputs: readonly DraftInput[],
  outputs: readonly DraftOutput[],
  version: 0 | 2 = 0,
): string {
  const transaction = new Transaction(LENIENT)
  for (const input of inputs) transaction.addInput(input, true)
  for (const { address, sats } of outputs) {
    transaction.addOutput(
      { script: OutScript.encode(Address(REGTEST).decode(address)), amount: sats },
      true,
    )
  }
  return bytesToHex(transaction.toPSBT(version))
}

/** A PSBT (hex) with one input exchanged for the same one of another PSBT that carries its signature. */
export function graft(psbtHex: string, index: number, signed: DraftInput): string {
  const transaction = parseDraft(psbtHex)
  transaction.updateInput(index, signed, true)
  return bytesToHex(transaction.toPSBT())
}

/** The transaction of a PSBT (hex): its id is final where no input has a scriptSig. */
export function parseDraft(psbtHex: string): Transaction {
  return Transaction.fromPSBT(hexToBytes(psbtHex), LENIENT)
}

/** The output of a transaction that is not signed yet, as a coin; only for inputs without a scriptSig. */
export function futureCoin(psbtHex: string, vout: number, owner: Owner): Coin {
  const { id, unsignedTx } = parseDraft(psbtHex)
  const { amount = 0n } = parseDraft(psbtHex).getOutput(vout)
  return { owner, txid: id, vout, sats: amount, previous: unsignedTx }
}

/** Between 1 and 2 sat/vB for whatever kinds of inputs and outputs. */
export function feeOf(inputs: number, outputs: number): bigint {
  return BigInt(20 + inputs * 150 + outputs * 50)
}

/** Sats of all of them. */
export function totalOf(coins: readonly { sats: bigint }[]): bigint {
  return coins.reduce((total, { sats }) => total + sats, 0n)
}

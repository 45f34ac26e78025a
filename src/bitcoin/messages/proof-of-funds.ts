import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { isWitnessProgram } from '../address.ts'
import { MAX_SATS } from '../amount.ts'
import { equalBytes } from '../bytes.ts'
import { type Psbt, type PsbtInput, parsePsbt, unsignedTransaction } from '../psbt/psbt.ts'
import { type ParsedTransaction, parseTransaction, type TransactionOutput } from '../transaction.ts'
import type { ProvenCoin } from './message-verdict.ts'

/** The to_sign of a proof of funds, and the coins that its further inputs name; null where it does not say, or not consistently, what they are. */
export type ProofOfFunds = { toSign: Transaction; coins: readonly ProvenCoin[] | null }

const NO_TXID = '00'.repeat(32)

/** Reads a finalized PSBT; null for bytes that are none. `challenge` is what its first input spends, which it need not say. */
export function parseProofOfFunds(
  bytes: Uint8Array,
  challenge: TransactionOutput,
): ProofOfFunds | null {
  let psbt: Psbt
  try {
    psbt = parsePsbt(bytes)
  } catch {
    return null
  }
  const toSign = unsignedTransaction(psbt)
  for (const [i, { finalScriptSig, finalScriptWitness }] of psbt.inputs.entries()) {
    if (finalScriptSig) toSign.setInputScript(i, finalScriptSig)
    if (finalScriptWitness) toSign.setWitness(i, [...finalScriptWitness])
  }
  return { toSign, coins: readCoins(psbt, challenge) }
}

function readCoins(psbt: Psbt, challenge: TransactionOutput): ProvenCoin[] | null {
  const [first, ...others] = readOutputs(psbt)
  if (first === 'contradicted' || (first && !isSame(first, challenge))) return null
  const coins: ProvenCoin[] = []
  for (const [i, output] of others.entries()) {
    const input = psbt.inputs[i + 1]
    if (!input || !output || output === 'contradicted') return null
    const { txid, vout, sequence } = input
    if (txid === NO_TXID) return null
    coins.push({ txid, vout, sequence, ...output })
  }
  const total = coins.reduce((sum, { amount }) => sum + amount, 0n)
  return total <= MAX_SATS ? coins : null
}

/** What each input says that it spends; null where it says nothing that its kind of output asks for. */
function readOutputs({ inputs }: Psbt): (TransactionOutput | 'contradicted' | null)[] {
  const previous = new Map<string, ParsedTransaction | null>()
  return inputs.map(input => {
    const { txid, vout, nonWitnessUtxo, witnessUtxo } = input
    // BIP-322: a previous transaction may stand with the first input that spends of it alone.
    if (nonWitnessUtxo) previous.set(txid, parsePrevious(nonWitnessUtxo, txid))
    const transaction = previous.get(txid)
    if (transaction === null) return 'contradicted'
    const proven = transaction?.outputs[vout]
    if (transaction && !proven) return 'contradicted'
    if (proven && witnessUtxo && !isSame(proven, witnessUtxo)) return 'contradicted'
    return proven ?? (witnessUtxo && hasWitness(input, witnessUtxo) ? witnessUtxo : null)
  })
}

/** Null where it is no transaction, or another one. */
function parsePrevious(raw: Uint8Array, txid: string): ParsedTransaction | null {
  try {
    const transaction = parseTransaction(raw)
    return transaction.txid === txid ? transaction : null
  } catch {
    return null
  }
}

/** Whether an output is one of those that a Witness UTXO is enough for: of segwit, also below P2SH. */
function hasWitness(
  { finalScriptWitness }: PsbtInput,
  { scriptPubKey }: TransactionOutput,
): boolean {
  return isWitnessProgram(scriptPubKey) || finalScriptWitness !== null
}

function isSame(a: TransactionOutput, b: TransactionOutput): boolean {
  return a.amount === b.amount && equalBytes(a.scriptPubKey, b.scriptPubKey)
}

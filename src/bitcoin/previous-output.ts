import { equalBytes } from './bytes.ts'
import { formatOutpoint, type Outpoint } from './outpoint.ts'
import { type ParsedTransaction, parseTransaction, type TransactionOutput } from './transaction.ts'

/** A coin is not what was said of it: its transaction is missing, is another one, or has another amount or script there. */
export class UnverifiedInputError extends Error {
  override name = 'UnverifiedInputError'
  readonly outpoint: string
  constructor(outpoint: Outpoint, reason: string, options?: ErrorOptions) {
    super(`Input ${formatOutpoint(outpoint)} is not verified: ${reason}`, options)
    this.outpoint = formatOutpoint(outpoint)
  }
}

/** Reads the raw transaction that an input is said to spend from; throws {@link UnverifiedInputError}. */
export function parsePrevious(outpoint: Outpoint, raw: Uint8Array): ParsedTransaction {
  try {
    return parseTransaction(raw)
  } catch (cause) {
    throw new UnverifiedInputError(outpoint, 'its transaction cannot be read', { cause })
  }
}

/**
 * The output that an input spends. Throws {@link UnverifiedInputError} when `previous` is another transaction or has no
 * such output, or when something else was `claimed` of it.
 */
export function provePrevout(
  outpoint: Outpoint,
  previous: ParsedTransaction,
  claimed: TransactionOutput | null,
): TransactionOutput {
  if (previous.txid !== outpoint.txid)
    throw new UnverifiedInputError(outpoint, `the transaction given is ${previous.txid}`)
  const output = previous.outputs[outpoint.vout]
  if (!output) throw new UnverifiedInputError(outpoint, 'there is no such output')
  if (claimed && claimed.amount !== output.amount)
    throw new UnverifiedInputError(
      outpoint,
      `it holds ${output.amount} sats, not ${claimed.amount}`,
    )
  if (claimed && !equalBytes(claimed.scriptPubKey, output.scriptPubKey))
    throw new UnverifiedInputError(outpoint, 'it has another script')
  return output
}

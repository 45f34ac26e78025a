import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { extractTransaction, IncompletePsbtError } from '../../bitcoin/psbt/extract.ts'
import { finalizePsbtInSteps } from '../../bitcoin/psbt/finalize.ts'
import { InvalidPsbtError } from '../../bitcoin/psbt/maps.ts'
import { type Prevout, readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { checkSignaturesInSteps, type InputCheck } from '../../bitcoin/psbt/signatures.ts'
import { failure, invalidParams, ProviderError } from '../../provider/errors.ts'
import { MAX_TRANSACTION_LENGTH } from '../../provider/push-params.ts'
import { runInTurns } from '../primitives/turns.ts'
import { assertCheckable } from './psbt-limits.ts'
import type { SignedTransaction } from './push.ts'

/** Throws -32602 that names the field and the place in the PSBT, and TOO_LARGE. */
export function parseCompletePsbt(field: string, hex: string): Psbt {
  try {
    const psbt = parsePsbt(fromHex(hex))
    assertCheckable([psbt])
    return psbt
  } catch (cause) {
    if (!(cause instanceof InvalidPsbtError)) throw cause
    throw new ProviderError(-32602, `${field}: ${cause.message}`, { cause })
  }
}

/**
 * The transaction of a signed PSBT, finalized where it is not. `previous` are raw transactions by txid, for inputs that
 * bring none. Throws -32602 that names the first input which is not complete, and for more than is relayed; BAD_SIGNATURE
 * for an input whose signatures or scripts are wrong (so is a signature of another sighash than it asks for, BIP-174);
 * UnverifiedInputError where the PSBT tells something else of a coin than its transaction.
 */
export async function completePsbt(
  field: string,
  psbt: Psbt,
  previous: ReadonlyMap<string, Uint8Array>,
): Promise<SignedTransaction> {
  const prevouts = readPrevouts(psbt, previous)
  const complete = await runInTurns(finalizePsbtInSteps(psbt, prevouts, [...psbt.inputs.keys()]))
  const checks = await runInTurns(checkSignaturesInSteps(complete, prevouts))
  const wrong = checks.findIndex(({ valid }) => valid === false)
  if (wrong >= 0) {
    throw failure('BAD_SIGNATURE', `${field}: input ${wrong} has a signature that is wrong.`, {
      data: { input: wrong },
    })
  }
  try {
    const rawTx = toHex(extractTransaction(complete))
    if (rawTx.length > MAX_TRANSACTION_LENGTH) {
      throw invalidParams(
        field,
        rawTx,
        `a transaction of at most ${MAX_TRANSACTION_LENGTH / 2} bytes`,
      )
    }
    return { rawTx, previous: listPrevious(psbt, previous) }
  } catch (cause) {
    if (!(cause instanceof IncompletePsbtError)) throw cause
    const { index } = cause
    const missing = describeMissing(prevouts[index], checks[index])
    throw new ProviderError(-32602, `${field}: input ${index} is not complete: ${missing}.`, {
      cause,
      data: { input: index },
    })
  }
}

/** Those that were given, and those that the inputs bring and {@link readPrevouts} has looked at. */
function listPrevious(
  { inputs }: Psbt,
  previous: ReadonlyMap<string, Uint8Array>,
): Map<string, Uint8Array> {
  const brought = inputs.flatMap(({ txid, nonWitnessUtxo }) =>
    nonWitnessUtxo ? [[txid, nonWitnessUtxo] as const] : [],
  )
  return new Map([...previous, ...brought])
}

function describeMissing(
  prevout: Prevout | null | undefined,
  check: InputCheck | undefined,
): string {
  if (!prevout) return 'what it spends is not known'
  if (!check || check.signatures.length === 0) return 'it has no signature'
  return 'signatures are missing, or its script is not one that the wallet can complete'
}

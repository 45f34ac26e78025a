import { MessageTypeError } from '../../bitcoin/messages/message.ts'
import { TransactionTooLargeError } from '../../bitcoin/payments/coin-selection.ts'
import { UnverifiedInputError } from '../../bitcoin/previous-output.ts'
import { UncombinablePsbtsError } from '../../bitcoin/psbt/combine.ts'
import { InvalidPsbtError } from '../../bitcoin/psbt/maps.ts'
import { PsbtRefusedError } from '../../bitcoin/psbt/plan.ts'
import { InvalidWifError } from '../../bitcoin/wif.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { failure, ProviderError, unauthorized } from '../../provider/errors.ts'
import { ChangedRecordError, RecordsLockedError } from '../../storage/records.ts'
import { VaultLockedError } from '../keys/vault-session.ts'

/** Runs a step on one parameter; a known failure says which parameter it was. */
export function withParameterName<T>(field: string, run: () => T): T {
  try {
    return run()
  } catch (cause) {
    const known = toProviderError(cause)
    if (!known) throw cause
    const { code, message, data } = known
    throw new ProviderError(code, `${field}: ${message}`, { cause, ...(data && { data }) })
  }
}

/** Null for what is not a known failure. */
export function toProviderError(cause: unknown): ProviderError | null {
  if (cause instanceof ProviderError) return cause
  if (cause instanceof TransactionTooLargeError) {
    return failure('TOO_LARGE', cause.message, { cause })
  }
  if (cause instanceof MessageTypeError) {
    return new ProviderError(-32602, `type: ${cause.message}`, { cause })
  }
  if (cause instanceof InvalidWifError) {
    const data = { reason: cause.problem }
    return new ProviderError(-32602, `wif: ${cause.message}`, { cause, data })
  }
  if (cause instanceof UnverifiedInputError) {
    return failure('UNVERIFIED_INPUT', cause.message, { cause })
  }
  if (cause instanceof InvalidPsbtError) {
    return new ProviderError(-32602, cause.message, { cause })
  }
  if (cause instanceof UncombinablePsbtsError) {
    const { message, where, field } = cause
    return new ProviderError(-32602, message, { cause, data: { where, field } })
  }
  if (cause instanceof PsbtRefusedError) {
    return failure(cause.reason, cause.message, { cause, data: { input: cause.index } })
  }
  if (cause instanceof BackendUnavailableError) {
    // Which server it is, and what it said, is the person's business.
    return failure('BACKEND_UNAVAILABLE', 'The wallet’s server did not give a usable answer.', {
      cause,
    })
  }
  if (cause instanceof VaultLockedError || cause instanceof RecordsLockedError)
    return unauthorized('The wallet is locked.')
  if (cause instanceof ChangedRecordError)
    return unauthorized('Something changed what Satchel stores. Open Satchel to decide about it.')
  return null
}

import { ProviderError, type WireError } from '../../provider/errors.ts'

/** The only place where errors become what a page may see: known failures with their facts, of everything else nothing but that it happened. */
export async function toWireError(error: unknown): Promise<WireError> {
  if (error instanceof ProviderError) return formatWireError(error)
  // Where the code that knows the others cannot be read, it has thrown none of them.
  const failures = await import('./known-failures.ts').catch(() => null)
  const known = failures?.toProviderError(error)
  return known ? formatWireError(known) : { code: -32603, message: 'Internal error' }
}

export function formatWireError({ code, message, data }: ProviderError): WireError {
  return data === undefined ? { code, message } : { code, message, data }
}

/** The transaction that was handed to servers of which none answered: it may be on its way, and is tried again. */
export function txidOfUnanswered({ data }: WireError): unknown {
  return data?.reason === 'BACKEND_UNAVAILABLE' ? data.txid : undefined
}

import type { WireError } from '../provider/errors.ts'
import { PristineError, setOwn, setPrototypeOf } from './primordials.ts'

/**
 * A real `Error` of the page's realm with an own enumerable `code`, and `data` where there is any.
 * The wire error must have no prototype.
 */
export function toError({ code, message, data }: WireError): Error {
  const error = new PristineError(message)
  setOwn(error, 'code', code)
  if (data) setOwn(error, 'data', data)
  return error
}

/** The error for arguments that never leave the page. */
export function invalidArgument(message: string): Error {
  // A literal without `data` would read it from Object.prototype.
  return toError(setPrototypeOf({ code: -32602, message }, null))
}

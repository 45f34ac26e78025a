import { PristineError, setOwn } from './primordials.ts'

/** A real `Error` of the page's realm with an own enumerable `code`, and `data` where there is any. */
export function createError(code: number, message: string, data?: object): Error {
  const error = new PristineError(message)
  setOwn(error, 'code', code)
  if (data) setOwn(error, 'data', data)
  return error
}

/** The error for arguments that never leave the page. */
export function invalidArgument(message: string): Error {
  return createError(-32602, message)
}

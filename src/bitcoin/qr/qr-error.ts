/**
 * A text of a code that cannot be used, or codes that do not belong together.
 * `damaged`: not as it was written. `mixed`: of another message, or another
 * kind, than those before. `checksum`: all parts are there and do not make the message. `too-large`: more than is read.
 * `endless`: parts keep coming and bring nothing. `unsupported`: whole, but nothing that a wallet of public keys takes. `private`: there is a private key in it.
 */
export type QrProblem =
  | 'damaged'
  | 'mixed'
  | 'checksum'
  | 'too-large'
  | 'endless'
  | 'unsupported'
  | 'private'

/** What is wrong with codes that were read; the message names the field and never repeats the text. */
export class QrCodeError extends Error {
  override name = 'QrCodeError'
  readonly problem: QrProblem
  constructor(problem: QrProblem, message: string) {
    super(`QR code: ${message}`)
    this.problem = problem
  }
}

/** Bytes: no message is larger, packed or not. A block holds no larger transaction. */
export const MAX_MESSAGE_BYTES = 4_000_000

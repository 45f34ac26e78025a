// leather: The Bitcoin requests of Leather, each worked out with operations that the page could have called itself.
// It promises that nothing can be done in these words that could not be done in ours; it never touches a part of the
// wallet.

import { createTranslator } from '../requests/translation.ts'

/** Resolves Leather's own results of `leather.<request>`, whose parameters are one object. */
export const leather = createTranslator(
  'leather.',
  async name => (await import('./requests.ts')).findRequest(name),
  ['signMessage', 'signPsbt', 'sendTransfer'],
)

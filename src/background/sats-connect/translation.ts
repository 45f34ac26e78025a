// sats-connect: The requests of sats-connect, each worked out with operations that the page could have called
// itself. It promises that nothing can be done in these words that could not be done in ours; it never touches a
// part of the wallet.

import { createTranslator } from '../requests/translation.ts'
import { findRequest } from './requests.ts'

/** Resolves sats-connect's own results of `satsConnect.<request>`, whose parameters are one object. */
export const satsConnect = createTranslator('satsConnect.', name => {
  const request = findRequest(name)
  return request && ((context, [params]) => request(context, params))
})

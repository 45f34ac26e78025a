// sats-connect: The requests of sats-connect, each worked out with operations that the page could have called
// itself. It promises that nothing can be done in these words that could not be done in ours; it never touches a
// part of the wallet.

import type { SatsConnectName } from '../../provider/sats-connect-names.ts'
import { createTranslator } from '../requests/translation.ts'

const OF_ACCOUNT: readonly SatsConnectName[] = [
  'getBalance',
  'signMessage',
  'signMultipleMessages',
  'signPsbt',
  'sendTransfer',
  'wallet_getAccount',
  'wallet_changeNetwork',
  'ord_getInscriptions',
  'ord_sendInscriptions',
  'runes_getBalance',
  'runes_transfer',
  'runes_mint',
  'runes_etch',
  'runes_estimateMint',
  'runes_estimateEtch',
]

/** Resolves sats-connect's own results of `satsConnect.<request>`, whose parameters are one object. */
export const satsConnect = createTranslator(
  'satsConnect.',
  async name => {
    const { findRequest } = await import('./requests.ts')
    const request = findRequest(name)
    return request && ((context, [params]) => request(context, params))
  },
  OF_ACCOUNT,
)

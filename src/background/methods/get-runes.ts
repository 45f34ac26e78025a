import { withFixedAddresses } from '../accounts/fixed-addresses.ts'
import type { CoinParts } from '../coins/coins.ts'
import { listSiteRunes } from '../collectibles/runes.ts'
import type { Method } from '../requests/method.ts'

/** A page of the runes of the connected address, by name, with the outputs that they are on. */
export const getRunes: Method<'getRunes', CoinParts> = {
  access: 'connected',
  asksServers: true,
  answer: async ({ wallet, account, network }, page) =>
    account ? listSiteRunes(wallet, withFixedAddresses(account), network, page) : undefined,
}

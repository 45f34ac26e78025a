import type { Method } from '../requests/method.ts'
import type { Sources } from '../settings/servers.ts'

/** Sats of the connected address, every output counted; `unconfirmed` may be negative. */
export const getBalance: Method<'getBalance', Pick<Sources, 'chain'>> = {
  access: 'connected',
  answer: async ({ wallet, account, network }) => {
    if (!account) return undefined
    const chain = await wallet.chain(network)
    const { confirmed, unconfirmed } = await chain.fetchBalance(account.address)
    return {
      confirmed: Number(confirmed),
      unconfirmed: Number(unconfirmed),
      total: Number(confirmed + unconfirmed),
    }
  },
}

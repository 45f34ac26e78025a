import { defineOkxAlias } from './okx-alias.ts'
import { freeze, setOwn } from './primordials.ts'
import { createLeatherRequest } from './sats-connect.ts'
import { createUnisat } from './unisat-alias.ts'
import type { WalletChannel } from './wallet-channel.ts'

/**
 * Defines the names of other wallets, each only where it is free. Such a wallet can still replace its name later. May run
 * after page code.
 */
export function defineAliases(
  channel: WalletChannel,
  satsConnect: object,
  { page, announce }: { page: object; announce: (event: string) => void },
): void {
  defineOkxAlias(page, channel, announce)

  const define = (name: string, create: () => object) => {
    if (!(name in page)) setOwn(page, name, create())
  }
  // Xverse, where sats-connect looks for it.
  define('XverseProviders', () => freeze({ BitcoinProvider: satsConnect }))
  define('BitcoinProvider', () => satsConnect)
  define('LeatherProvider', () =>
    freeze({ isLeather: true, isSatchel: true, request: createLeatherRequest(channel) }),
  )
  if ('unisat' in page) return
  const unisat = createUnisat(channel)
  setOwn(page, 'unisat', unisat)
  // Its other name, as many wallets take the first.
  define('unisat_wallet', () => unisat)
  announce('unisat#initialized')
}

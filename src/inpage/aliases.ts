import { makeOnce } from './make-once.ts'
import { createOkxWallet } from './okx-alias.ts'
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
  /** False where the name is taken. */
  const define = (name: string, create: () => object): boolean => {
    if (name in page) return false
    setOwn(page, name, create())
    return true
  }
  if (define('okxwallet', () => createOkxWallet(channel))) announce('okxwallet#initialized')
  // Xverse, where sats-connect looks for it.
  define('XverseProviders', () => freeze({ BitcoinProvider: satsConnect }))
  define('BitcoinProvider', () => satsConnect)
  define('LeatherProvider', () =>
    freeze({ isLeather: true, isSatchel: true, request: createLeatherRequest(channel) }),
  )
  const findUnisat = makeOnce(() => createUnisat(channel))
  if (!define('unisat', findUnisat)) return
  // Its other name, as many wallets take the first.
  define('unisat_wallet', findUnisat)
  announce('unisat#initialized')
}

import { SATS_CONNECT_WORDS } from '../provider/sats-connect-names.ts'
import { defineAliases } from './aliases.ts'
import { ICON } from './icon.ts'
import { makeOnce } from './make-once.ts'
import { listNames } from './names.ts'
import { freeze } from './primordials.ts'
import { createProvider } from './provider.ts'
import { createSatsConnect } from './sats-connect.ts'
import { createWalletChannel } from './wallet-channel.ts'
import { createStandardWallet } from './wallet-standard.ts'

/**
 * All that a page finds where it looks at the wallet. `release/nested-modules.ts` puts this and what nothing else imports into one
 * function, of which a browser keeps next to nothing before it is called: so none of these modules may take anything of the realm
 * when it is evaluated, as page code has run by then.
 */
export function createPageWallet(
  deps: Parameters<typeof createWalletChannel>[0] & {
    page: object
    announce: (event: string) => void
  },
) {
  const channel = createWalletChannel(deps)
  const satsConnect = makeOnce(() => createSatsConnect(channel))
  return {
    receive: channel.receive,
    bitcoin: makeOnce(() => createProvider(channel)),
    satsConnect,
    standard: makeOnce(() => createStandardWallet(channel)),
    icon: ICON,
    /** What it takes of sats-connect. */
    findMethods: makeOnce(() => freeze(listNames(SATS_CONNECT_WORDS))),
    /** Under the names by which other wallets go. */
    standIn: () => defineAliases(channel, satsConnect(), deps),
  }
}

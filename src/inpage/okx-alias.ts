import type { AccountInfo } from '../provider/envelope.ts'
import { OKX_ALIAS_CHILD_OF, type OkxAliasChild } from '../provider/okx-alias.ts'
import { createTable, defineGetter, freeze, setOwn, setPrototypeOf } from './primordials.ts'
import { createProvider } from './provider.ts'
import { toError } from './provider-error.ts'
import { copyAccount } from './state-events.ts'
import { promise, type WalletChannel } from './wallet-channel.ts'

/** Pages compare it: below it some take the wallet for one that lacks operations. */
const OKX_VERSION = '4.5.0'

const CHILDREN = createTable<OkxAliasChild>(OKX_ALIAS_CHILD_OF)

/**
 * Defines `window.okxwallet` for a page that knows no other wallet, unless the name is taken; one that comes later
 * replaces it. Runs after page code. `child` is the one of the network in use when the document began.
 */
export function defineOkxAlias(
  page: object,
  channel: WalletChannel,
  { child, announce }: { child: OkxAliasChild; announce: () => void },
): void {
  if ('okxwallet' in page) return

  /** Something of the connected account; never asks the person. */
  const select = (read: (account: AccountInfo | null) => unknown) =>
    promise((done, fail) => {
      channel.ask(
        'getAccounts',
        [],
        () => {
          const account = channel.state()?.account
          done(read(account ? copyAccount(account) : null))
        },
        fail,
      )
    })

  const bitcoin = createProvider(channel, {
    isOkxWallet: true,
    getSelectedAccount: () => select(account => account),
    getSelectedAddress: () => select(account => account?.address),
  })
  const alias = {
    bitcoin,
    enable: bitcoin.requestAccounts,
    request: freeze(refuseRequest),
    getVersion: freeze(() => OKX_VERSION),
    isSatchel: true,
  }
  // OKX Wallet has an object for each network; here the one in use is the only one that there is.
  const defineChild = (name: OkxAliasChild & string) =>
    defineGetter(alias, name, () => {
      const network = channel.state()?.network
      return (network ? CHILDREN[network] : child) === name ? bitcoin : undefined
    })
  defineChild('bitcoinTestnet')
  defineChild('bitcoinSignet')
  setOwn(page, 'okxwallet', freeze(alias))
  announce()
}

/**
 * OKX Wallet's is for Ethereum, which this wallet has not. It is here as libraries for several chains do not come as far
 * as Bitcoin without it: ethers' BrowserProvider, with which Rango makes its signers, takes no wallet that lacks it.
 */
function refuseRequest(): Promise<unknown> {
  const refusal = { code: 4200, message: 'Only Bitcoin is supported.' }
  return promise((_, fail) => fail(toError(setPrototypeOf(refusal, null))))
}

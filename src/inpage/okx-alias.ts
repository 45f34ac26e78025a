import type { AccountInfo } from '../provider/envelope.ts'
import { freeze } from './primordials.ts'
import { createProvider } from './provider.ts'
import { createError } from './provider-error.ts'
import { copyAccount } from './state-events.ts'
import { promise, type WalletChannel } from './wallet-channel.ts'

/** The frozen object that a page finds as `window.okxwallet`. May run after page code. */
export function createOkxWallet(channel: WalletChannel): object {
  const createBitcoin = (network?: string) => {
    /** Something of the connected account; never asks the person. */
    const select = (read: (account: AccountInfo | null) => unknown) =>
      promise((done, fail) => {
        const answer = () => {
          const account = bitcoin.selectedAccount as AccountInfo | null
          done(read(account && copyAccount(account)))
        }
        channel.ask('getAccounts', [], answer, fail, network)
      })
    const extras = {
      isOkxWallet: true,
      getSelectedAccount: () => select(account => account),
      getSelectedAddress: () => select(account => account?.address),
    }
    const bitcoin = createProvider(channel, extras, network)
    return bitcoin
  }

  const bitcoin = createBitcoin()
  return freeze({
    bitcoin,
    // OKX Wallet has an object for each network. Some pages want to see them all before they take it for a wallet.
    bitcoinTestnet: createBitcoin('testnet4'),
    bitcoinSignet: createBitcoin('signet'),
    enable: bitcoin.requestAccounts,
    request: freeze(refuseRequest),
    // Pages compare it: below it some take the wallet for one that lacks operations.
    getVersion: freeze(() => '4.5.0'),
    isSatchel: true,
  })
}

/**
 * OKX Wallet's is for Ethereum, which this wallet has not. It is here as libraries for several chains do not come as far
 * as Bitcoin without it: ethers' BrowserProvider, with which Rango makes its signers, takes no wallet that lacks it.
 */
function refuseRequest(): Promise<unknown> {
  return promise((_, fail) => fail(createError(4200, 'Only Bitcoin is supported.')))
}

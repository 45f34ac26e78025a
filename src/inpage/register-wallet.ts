import type { Wallet } from '@wallet-standard/base'
import { freeze } from './primordials.ts'

/** Makes the wallet known to apps that are there already, and to those that come later. */
export function registerWallet(findWallet: () => Wallet): void {
  type Api = { register(wallet: Wallet): unknown }
  const register = freeze((api: Api) => {
    api.register(findWallet())
  })
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  addEventListener('wallet-standard:app-ready', event => {
    register((event as CustomEvent<Api>).detail)
  })
}

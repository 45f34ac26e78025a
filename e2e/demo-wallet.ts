import type { Wallet } from './driver.ts'

/**
 * DEMO ONLY, on regtest only: these words are printed in the manuals of many development tools, so
 * whatever is sent to them on a real network is taken within seconds.
 */
export const DEMO_WORDS = 'test test test test test test test test test test test junk'
export const DEMO_PASSWORD = 'demo wallet, regtest only'

/** m/86'/1'/0'/0/0 of the demo words, as @scure/btc-signer and bip32 give it. */
export const DEMO_ADDRESS = 'bcrt1pfewlxm8meyyvgjydfu7v8j4ej64symj6ut8sf66h9germp94qgzs92e5zv'

/** What the demo wallet is given at the start. */
export const DEMO_SATS = 120_000_000

/** Makes the demo wallet in a fresh profile and points it at a devnet. */
export async function setUpDemoWallet(wallet: Wallet, esploraUrl: string): Promise<void> {
  await wallet.importWallet({ words: DEMO_WORDS, password: DEMO_PASSWORD })
  await wallet.chooseNetwork('Regtest', esploraUrl)
}

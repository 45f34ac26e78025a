import type { Network } from '../bitcoin/network.ts'

/** Where each network is read from until the person chooses; regtest is devnet on this machine. */
export const DEFAULT_ESPLORA: { readonly [N in Network]: string } = {
  mainnet: 'https://mempool.space/api',
  testnet4: 'https://mempool.space/testnet4/api',
  signet: 'https://mempool.space/signet/api',
  regtest: 'http://127.0.0.1:18480/api',
}

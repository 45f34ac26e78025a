import type { Network } from '../bitcoin/network.ts'
import type { ServerUrls } from './open-chain.ts'

/** Fees and prices come from the chain server; a second one would learn the person's addresses too, so they name it themselves. */
const NONE = { secondChain: '', fees: '', price: '' }

/** Where each network is read from until the person chooses; regtest is devnet on this machine. */
export const DEFAULT_SERVERS: { readonly [N in Network]: ServerUrls } = {
  mainnet: { chain: 'https://mempool.space/api', ...NONE },
  testnet4: { chain: 'https://mempool.space/testnet4/api', ...NONE },
  signet: { chain: 'https://mempool.space/signet/api', ...NONE },
  regtest: { chain: 'http://127.0.0.1:18480/api', ...NONE },
}

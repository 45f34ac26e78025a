import type { Network } from '../../bitcoin/network.ts'
import type { ServerUrls } from './open-chain.ts'

/**
 * Fees and prices come from the chain server; second ones would learn the person's addresses and coins too, so they name
 * them themselves. No public server of BRC-20 answers without a key, and no public one of Atomicals is kept up. No DNS server is asked before the person names one.
 */
const NONE = {
  secondChain: '',
  secondAssets: '',
  brc20: '',
  atomicals: '',
  fees: '',
  price: '',
  names: '',
}

/** Where each network is read from until the person chooses; regtest is devnet on this machine. */
export const DEFAULT_SERVERS: { readonly [N in Network]: ServerUrls } = {
  mainnet: { chain: 'https://mempool.space/api', assets: 'https://ordinals.com', ...NONE },
  testnet4: {
    chain: 'https://mempool.space/testnet4/api',
    assets: 'https://testnet4.ordinals.com',
    ...NONE,
  },
  signet: {
    chain: 'https://mempool.space/signet/api',
    assets: 'https://signet.ordinals.com',
    ...NONE,
  },
  regtest: {
    ...NONE,
    chain: 'http://127.0.0.1:18480/api',
    assets: 'http://127.0.0.1:18480/ord',
    brc20: 'http://127.0.0.1:18480/opi',
    atomicals: 'http://127.0.0.1:18480/atomicals/proxy',
  },
}

import type { Method } from '../requests/method.ts'
import { nameNetwork } from '../requests/pages.ts'

// What a page is told without a question: of the account that it is connected to, and of the network.

/** The connected address, or none. */
export const getAccounts: Method<'getAccounts'> = {
  access: 'anyone',
  answer: async ({ account }) => (account ? [account.address] : []),
}

/** 33-byte compressed public key in hex. */
export const getPublicKey: Method<'getPublicKey'> = {
  access: 'connected',
  answer: async ({ account }) => account?.publicKey,
}

/** Mainnet goes by the name `livenet`. */
export const getNetwork: Method<'getNetwork'> = {
  access: 'anyone',
  answer: async ({ network }) => nameNetwork(network),
}

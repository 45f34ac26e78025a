/** Where storage holds what content scripts read at the start of every page. */
export const OKX_ALIAS_KEY = 'okxAlias'

/** The `window.okxwallet` that a content script asks for: which sibling of `bitcoin` the network in use has there. */
export type OkxAliasChild = (typeof OKX_ALIAS_CHILDREN)[number]

export const OKX_ALIAS_CHILDREN = ['bitcoinTestnet', 'bitcoinSignet', null] as const

/** OKX Wallet has an object of its own for each of these networks; the others have none. */
export const OKX_ALIAS_CHILD_OF = {
  testnet4: 'bitcoinTestnet',
  signet: 'bitcoinSignet',
} as const satisfies { [network: string]: OkxAliasChild }

import type { Word } from './words.ts'

/** The requests of sats-connect that the wallet answers, as `getInfo` and the discovery of wallets list them. */
export const SATS_CONNECT_WORDS =
  'getInfo getAddresses getAccounts getBalance signMessage signMultipleMessages signPsbt sendTransfer wallet_connect wallet_disconnect wallet_getAccount wallet_getNetwork wallet_changeNetwork wallet_getWalletType wallet_requestPermissions wallet_getCurrentPermissions wallet_renouncePermissions ord_getInscriptions ord_sendInscriptions runes_getBalance runes_transfer runes_mint runes_etch runes_estimateMint runes_estimateEtch'

export type SatsConnectName = Word<typeof SATS_CONNECT_WORDS>

export const SATS_CONNECT_NAMES = /* @__PURE__ */ SATS_CONNECT_WORDS.match(
  /\w+/g,
) as SatsConnectName[]

/** What sats-connect calls the networks that `getNetwork` resolves. Its `Testnet` is testnet3, which the wallet does not have. */
export const SATS_CONNECT_NETWORKS = {
  livenet: 'Mainnet',
  testnet4: 'Testnet4',
  signet: 'Signet',
  regtest: 'Regtest',
} as const

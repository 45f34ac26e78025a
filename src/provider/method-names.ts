/** Every operation of the provider, in the order of the specification; `disconnect` is ours. */
export const METHOD_NAMES = [
  'connect',
  'requestAccounts',
  'getAccounts',
  'getNetwork',
  'getPublicKey',
  'getBalance',
  'getInscriptions',
  'sendBitcoin',
  'send',
  'sendInscription',
  'transferNft',
  'signMessage',
  'pushTx',
  'splitUtxo',
  'inscribe',
  'mint',
  'signPsbt',
  'signPsbts',
  'pushPsbt',
  'sendPsbt',
  'disconnect',
] as const

export type MethodName = (typeof METHOD_NAMES)[number]

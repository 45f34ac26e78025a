/** Every operation of the provider, in the order of the specification; those from `disconnect` on are ours. */
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
  'switchNetwork',
  'sendTransfer',
  'deriveContextHash',
  'signMessages',
  'getRunes',
  'sendRunes',
  'mintRune',
  'etchRune',
  'estimateMintRune',
  'estimateEtchRune',
] as const

export type MethodName = (typeof METHOD_NAMES)[number]

export function isMethodName(name: string): name is MethodName {
  return METHOD_NAMES.some(method => method === name)
}

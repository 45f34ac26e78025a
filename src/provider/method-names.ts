import type { Word } from './words.ts'

/**
 * Every operation of the provider, in the order of the specification; those from `disconnect` on are ours. With `*` are those
 * that `window.unisat` has too. Every page has this text, in which a list of each would be said anew.
 */
export const METHOD_WORDS =
  `connect requestAccounts* getAccounts* getNetwork* getPublicKey* getBalance* getInscriptions* sendBitcoin* send sendInscription* transferNft signMessage* pushTx* splitUtxo inscribe mint signPsbt* signPsbts* pushPsbt* sendPsbt disconnect* switchNetwork* sendTransfer deriveContextHash* signMessages* getRunes* sendRunes* mintRune etchRune estimateMintRune estimateEtchRune` as const

export type MethodName = Word<typeof METHOD_WORDS>

export const METHOD_NAMES = /* @__PURE__ */ METHOD_WORDS.match(/\w+/g) as MethodName[]

export function isMethodName(name: string): name is MethodName {
  return METHOD_NAMES.some(method => method === name)
}

import { METHOD_WORDS } from './method-names.ts'
import type { MarkedWord } from './words.ts'

/** What `window.unisat` can be asked; `multiSignMessage` is `signMessages` by its older name. */
const OWN_WORDS =
  `getBalanceV2* getBitcoinUtxos* getChain* switchChain* getVersion* inscribeTransfer* multiSignMessage* signData* verifyMessageOfBIP322Simple*` as const

/** Those with `*` are the names that it has. */
export const UNISAT_WORDS = `${METHOD_WORDS} ${OWN_WORDS}` as const

export type UnisatName = MarkedWord<typeof UNISAT_WORDS>

export const UNISAT_NAMES = /* @__PURE__ */ UNISAT_WORDS.match(/\w+(?=\*)/g) as UnisatName[]

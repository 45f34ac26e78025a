// unisat: The methods of UniSat Wallet, each worked out with operations that the page could have called itself, and
// with what the connected account has. It promises that nothing can be done in these words that could not be done in
// ours: whatever signs or sends goes through an operation, and asks what that asks.

import type { UnisatName } from '../../provider/unisat-names.ts'
import type { CoinParts } from '../coins/coins.ts'
import { createTranslator } from '../requests/translation.ts'

const OF_ACCOUNT: readonly UnisatName[] = [
  'getBalance',
  'getBalanceV2',
  'getBitcoinUtxos',
  'getInscriptions',
  'getRunes',
  'sendBitcoin',
  'sendRunes',
  'sendInscription',
  'inscribeTransfer',
  'signMessage',
  'signMessages',
  'multiSignMessage',
  'verifyMessageOfBIP322Simple',
  'signPsbt',
  'signPsbts',
  'pushTx',
  'pushPsbt',
  'deriveContextHash',
]

/** Resolves UniSat's own results of `unisat.<method>`. */
export function createUnisat(wallet: CoinParts) {
  return createTranslator(
    'unisat.',
    async name => {
      const { createMethods } = await import('./methods.ts')
      const methods = createMethods(wallet)
      return Object.hasOwn(methods, name) ? methods[name as UnisatName] : null
    },
    OF_ACCOUNT,
  )
}

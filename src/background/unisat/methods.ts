import { ProviderError } from '../../provider/errors.ts'
import type { UnisatName } from '../../provider/unisat-names.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { Translation } from '../requests/translation.ts'
import { createAccountCoins } from './account-coins.ts'
import { getChain, getNetwork, switchChain, switchNetwork } from './chains.ts'
import { getInscriptions, inscribeTransfer } from './inscriptions.ts'
import { signMessage, signMessages, verifyMessageOfBIP322Simple } from './messages.ts'
import { sendBitcoin, sendRunes } from './payments.ts'
import { signPsbt, signPsbts } from './psbts.ts'

/** Pages compare it: it is the version whose methods these are. */
const UNISAT_VERSION = '1.7.13'

/** UniSat's methods by their names. */
export function createMethods(wallet: CoinParts): { [name in UnisatName]: Translation } {
  const { getBalanceV2, getBitcoinUtxos } = createAccountCoins(wallet)

  return {
    requestAccounts: ({ call }) => call('requestAccounts'),
    getAccounts: ({ call }) => call('getAccounts'),
    disconnect: ({ call }) => call('disconnect'),
    // Clients ask for it while they connect, and UniSat connects for it.
    getPublicKey: async ({ call }) => (await call('connect')).compressedPublicKey,
    getBalance: ({ call }) => call('getBalance'),
    getBalanceV2,
    getBitcoinUtxos,
    getInscriptions,
    // An extension of ours.
    getRunes: ({ call }, params) => call('getRunes', ...params),
    getNetwork,
    switchNetwork,
    getChain,
    switchChain,
    getVersion: async () => UNISAT_VERSION,
    sendBitcoin,
    sendRunes,
    sendInscription: ({ call }, params) => call('sendInscription', ...params),
    inscribeTransfer,
    signMessage,
    signMessages,
    multiSignMessage: signMessages,
    signData: async () => refuse('Data that nobody can read is not signed. Use signMessage.'),
    verifyMessageOfBIP322Simple,
    signPsbt,
    signPsbts,
    pushTx: ({ call }, params) => call('pushTx', ...params),
    pushPsbt: ({ call }, params) => call('pushPsbt', ...params),
    deriveContextHash: ({ call }, params) => call('deriveContextHash', ...params),
  }
}

function refuse(message: string): never {
  throw new ProviderError(4200, message)
}

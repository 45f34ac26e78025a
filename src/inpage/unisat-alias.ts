import { UNISAT_WORDS } from '../provider/unisat-names.ts'
import { listNames } from './names.ts'
import { apply, toUpperCase } from './primordials.ts'
import { createProvider, type Emit, type Provider } from './provider.ts'
import { createError } from './provider-error.ts'
import { NETWORK_NAMES } from './tables.ts'
import type { WalletChannel } from './wallet-channel.ts'

/** The frozen object that a page finds as `window.unisat`. What it is asked is worked out in the background. */
export function createUnisat(channel: WalletChannel): Provider {
  const names = listNames(UNISAT_WORDS, /\w+(?=\*)/g)
  return createProvider(channel, { isSatchel: true }, undefined, names, 'unisat.', translate)
}

/** A change of the network in UniSat's words, of which the background has the table. */
function translate(emit: Emit): Emit {
  return (event, createPayload) => {
    // UniSat hands an error to those that listen for the end of the connection.
    if (event === 'disconnect')
      return emit(event, () => [createError(4900, 'The site is no longer connected.')])
    if (event !== 'networkChanged') return emit(event, createPayload)
    const word = createPayload()[0] as string
    const name = NETWORK_NAMES[word] as string
    const network = word === 'livenet' ? word : 'testnet'
    emit('chainChanged', () => [
      { enum: `BITCOIN_${apply(toUpperCase, name, [])}`, name: `Bitcoin ${name}`, network },
    ])
    emit(event, () => [network])
  }
}

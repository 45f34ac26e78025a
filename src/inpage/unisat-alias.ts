import type { WireError } from '../provider/errors.ts'
import { SATS_CONNECT_NETWORKS } from '../provider/sats-connect-names.ts'
import { UNISAT_NAMES } from '../provider/unisat-names.ts'
import { apply, createTable, setPrototypeOf, toUpperCase } from './primordials.ts'
import { createProvider, type Emit, type Provider } from './provider.ts'
import { toError } from './provider-error.ts'
import type { WalletChannel } from './wallet-channel.ts'

const NETWORK_NAMES = createTable<string>(SATS_CONNECT_NETWORKS)
const DISCONNECTED: WireError = setPrototypeOf(
  { code: 4900, message: 'The site is no longer connected.' },
  null,
)

/** The frozen object that a page finds as `window.unisat`. What it is asked is worked out in the background. */
export function createUnisat(channel: WalletChannel): Provider {
  const extras = { isSatchel: true }
  return createProvider(channel, extras, { names: UNISAT_NAMES, prefix: 'unisat.', announce })
}

/** A change of the network in UniSat's words, of which the background has the table. */
const announce: Emit = (event, createPayload, emit) => {
  // UniSat hands an error to those that listen for the end of the connection.
  if (event === 'disconnect') return emit(event, () => [toError(DISCONNECTED)])
  if (event !== 'networkChanged') return emit(event, createPayload)
  const word = createPayload()[0] as string
  const name = NETWORK_NAMES[word] as string
  const network = word === 'livenet' ? word : 'testnet'
  emit('chainChanged', () => [
    { enum: `BITCOIN_${apply(toUpperCase, name, [])}`, name: `Bitcoin ${name}`, network },
  ])
  emit(event, () => [network])
}

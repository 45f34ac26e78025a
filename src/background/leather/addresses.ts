import { invalidParams } from '../../provider/errors.ts'
import { isGiven, NETWORK_WORDS, parseNetwork, parseOptions } from '../../provider/params.ts'
import type { Call, Translation } from '../requests/translation.ts'
import { typeOfAddress } from '../sats-connect/addresses.ts'

/** Asks to connect where the page is not connected. There is one address, of the kind that the account in use has. */
export const getAddresses: Translation = async ({ call }, [params]) => {
  const { network } = parseOptions('params', params)
  await assertNetwork(call, network)
  const { address, compressedPublicKey: publicKey } = await call('connect')
  const type = typeOfAddress(address)
  const entry = {
    symbol: 'BTC',
    type: type === 'p2sh' ? 'p2wpkh-p2sh' : type,
    ...{ address, publicKey },
    // Where a key comes from is no business of pages.
    derivationPath: '',
  }
  // By this name Leather gives the internal key without its first byte, as PSBTs have it.
  return {
    addresses: [type === 'p2tr' ? { ...entry, tweakedPublicKey: publicKey.slice(2) } : entry],
  }
}

/** A page that names another network than the one in use means other coins than those that there are. */
export async function assertNetwork(call: Call, network: unknown): Promise<void> {
  if (!isGiven(network)) return
  const word = await call('getNetwork')
  const named = network === 'devnet' ? 'regtest' : network
  if (NETWORK_WORDS.get(named) !== parseNetwork('network', word))
    throw invalidParams('network', network, `${word}, which is in use`)
}

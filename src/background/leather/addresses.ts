import { parseNetwork } from '../../provider/first-params.ts'
import { isGiven, parseOptions } from '../../provider/params.ts'
import type { Translation, TranslationContext } from '../requests/translation.ts'
import { typeOfAddress } from '../sats-connect/addresses.ts'

/**
 * Asks to connect where the page is not connected. There is one address, of the kind that the account in use has, and a Taproot one
 * behind it where that has such for ordinals.
 */
export const getAddresses: Translation = async (context, [params]) => {
  const { network } = parseOptions('params', params)
  const { call } = onNetwork(context, network)
  const { ordinals, ...first } = await call('connect')
  return { addresses: [first, ...(ordinals ? [ordinals] : [])].map(describe) }
}

function describe({ address, publicKey }: { address: string; publicKey: string }) {
  const type = typeOfAddress(address)
  const entry = {
    symbol: 'BTC',
    type: type === 'p2sh' ? 'p2wpkh-p2sh' : type,
    ...{ address, publicKey },
    // Where a key comes from is no business of pages.
    derivationPath: '',
  }
  // By this name Leather gives the internal key without its first byte, as PSBTs have it.
  return type === 'p2tr' ? { ...entry, tweakedPublicKey: publicKey.slice(2) } : entry
}

/** For the network that the page names, where it names one: on another there are other coins than it means. */
export function onNetwork(context: TranslationContext, network: unknown): TranslationContext {
  if (!isGiven(network)) return context
  return context.on(network === 'devnet' ? 'regtest' : parseNetwork('network', network))
}

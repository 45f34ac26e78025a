import { bitcoinjsNetwork, type Network } from './network.ts'
import { ecpair } from './secp256k1.ts'

/** A text that is no private key of the network in use. */
export class InvalidWifError extends Error {
  override name = 'InvalidWifError'
  readonly problem: 'MALFORMED' | 'WRONG_NETWORK' | 'UNCOMPRESSED'
  constructor(problem: InvalidWifError['problem'], message: string) {
    super(message)
    this.problem = problem
  }
}

/**
 * The 32 bytes of a private key in wallet import format; the caller wipes them. Space around it does not matter. Keys of
 * uncompressed public keys are refused: segwit and taproot know none. Throws {@link InvalidWifError}.
 */
export function parseWif(text: string, network: Network): Uint8Array {
  const known = [bitcoinjsNetwork('mainnet'), bitcoinjsNetwork('testnet4')]
  const pair = attempt(() => ecpair().fromWIF(text.trim(), known))
  if (!pair?.privateKey) throw new InvalidWifError('MALFORMED', 'This is not a private key')
  const { privateKey, compressed } = pair
  if (pair.network.wif !== bitcoinjsNetwork(network).wif) {
    privateKey.fill(0)
    throw new InvalidWifError('WRONG_NETWORK', 'The key belongs to another network')
  }
  if (!compressed) {
    privateKey.fill(0)
    throw new InvalidWifError('UNCOMPRESSED', 'The key is one of an uncompressed public key')
  }
  return privateKey
}

/** A private key in wallet import format, for its compressed public key. */
export function formatWif(privateKey: Uint8Array, network: Network): string {
  return ecpair()
    .fromPrivateKey(privateKey, { network: bitcoinjsNetwork(network) })
    .toWIF()
}

function attempt<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}

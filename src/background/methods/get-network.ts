import type { Network } from '../../bitcoin/network.ts'
import type { Method } from '../requests/method.ts'

/** Never prompts; mainnet goes by the name `livenet`. */
export const getNetwork: Method<'getNetwork'> = {
  access: 'anyone',
  answer: async ({ network }) => nameNetwork(network),
}

/** The word that pages know a network by. */
export function nameNetwork(network: Network): string {
  return network === 'mainnet' ? 'livenet' : network
}

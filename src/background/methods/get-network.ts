import type { Method } from '../requests/method.ts'
import { nameNetwork } from '../requests/pages.ts'

/** Never prompts; mainnet goes by the name `livenet`. */
export const getNetwork: Method<'getNetwork'> = {
  access: 'anyone',
  answer: async ({ network }) => nameNetwork(network),
}

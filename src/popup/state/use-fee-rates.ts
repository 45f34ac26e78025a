import type { FeeRatesView } from '../../background/views/payment-views.ts'
import type { Network } from '../../bitcoin/network.ts'
import { call } from '../platform/rpc.ts'
import { type Query, useQuery } from './use-query.ts'

/** What the server says that fees are, asked for again at each block, as a form may be open for hours. */
export function useFeeRates(network: Network): Query<FeeRatesView> {
  return useQuery(() => call('getFeeRates', null), network, ['live'])
}

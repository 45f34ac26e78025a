import type { Network } from '../bitcoin/network.ts'
import type { FeeRates } from '../chain/chain-source.ts'
import type { Wallet } from './wallet.ts'

const LEAST_FEE_RATE = 0.1
const MOST_FEE_RATE = 10_000

/** A server's fee rates as rates that can be paid, none above a faster one. Throws BackendUnavailableError. */
export async function loadFeeRates(wallet: Wallet, network: Network): Promise<FeeRates> {
  const told = await (await wallet.chain(network)).fetchFeeRates()
  const fastest = bound(told.fastest, MOST_FEE_RATE)
  const halfHour = bound(told.halfHour, fastest)
  const hour = bound(told.hour, halfHour)
  return { fastest, halfHour, hour, minimum: bound(told.minimum, hour) }
}

/** With three decimals, as fees are reckoned. */
function bound(rate: number, most: number): number {
  const rounded = Math.ceil(rate * 1000) / 1000
  return Math.min(most, Math.max(LEAST_FEE_RATE, Number.isFinite(rounded) ? rounded : most))
}

import type { Network } from '../../bitcoin/network.ts'
import type { FeeRates } from '../../chain/chain-source.ts'
import type { Clock } from '../primitives/clock.ts'
import { withTimeout } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'

const LEAST_FEE_RATE = 0.1
const MOST_FEE_RATE = 10_000

/** The review waits no longer for figures that only serve to compare a fee. */
const REFERENCES_TIMEOUT_MS = 2_000

/** Mainnet's newest block is seldom two hours old. Blocks of long ago are real too, but say nothing of today. */
const MAX_BLOCK_AGE_MS = 6 * 3_600_000

/** The parts of the wallet that tell what fees are usual. */
export type FeeParts = Pick<Sources, 'chain'> & Clock

/** What a fee is held against, in sat/vB; null where it is not known. */
export type FeeReferences = {
  /** What the server says that fees are. */
  rates: FeeRates | null
  /** The fastest rate by other servers. */
  otherFastest: number | null
  /** The most that one of the last blocks was paid on average, worked out from the blocks themselves. */
  recent: number | null
}

/** A server's fee rates as rates that can be paid, none above a faster one. Throws BackendUnavailableError. */
export async function loadFeeRates(
  wallet: Pick<FeeParts, 'chain'>,
  network: Network,
): Promise<FeeRates> {
  const told = await (await wallet.chain(network)).fetchFeeRates()
  const fastest = bound(told.fastest, MOST_FEE_RATE)
  const halfHour = bound(told.halfHour, fastest)
  const hour = bound(told.hour, halfHour)
  return { fastest, halfHour, hour, minimum: bound(told.minimum, hour) }
}

/** What a fee is held against, as far as servers tell it. */
export async function loadFeeReferences(
  wallet: FeeParts,
  network: Network,
): Promise<FeeReferences> {
  const [rates, others] = await Promise.all([
    loadFeeRates(wallet, network).catch(() => null),
    loadOtherReferences(wallet, network),
  ])
  return { rates, ...others }
}

/** The same without the server's rates; waits two seconds at most. */
export async function loadOtherReferences(
  wallet: FeeParts,
  network: Network,
): Promise<Omit<FeeReferences, 'rates'>> {
  const found: Omit<FeeReferences, 'rates'> = { otherFastest: null, recent: null }
  await withTimeout(REFERENCES_TIMEOUT_MS, Promise.allSettled([askOthers(), askBlocks()]))
  // A copy: an answer that comes after the timeout must not change it.
  return { ...found }

  async function askOthers(): Promise<void> {
    const rate = await (await wallet.chain(network)).fetchOtherFastest()
    found.otherFastest = rate === null ? null : bound(rate, MOST_FEE_RATE)
  }

  async function askBlocks(): Promise<void> {
    const blocks = await (await wallet.chain(network)).fetchRecentBlocks()
    const notBefore = network === 'mainnet' ? wallet.now() - MAX_BLOCK_AGE_MS : 0
    const paid = blocks.flatMap(({ at, feeRate }) => (at < notBefore ? [] : (feeRate ?? [])))
    found.recent = paid.length > 0 ? Math.max(...paid) : null
  }
}

/** With three decimals, as fees are reckoned. */
function bound(rate: number, most: number): number {
  const rounded = Math.ceil(rate * 1000) / 1000
  return Math.min(most, Math.max(LEAST_FEE_RATE, Number.isFinite(rounded) ? rounded : most))
}

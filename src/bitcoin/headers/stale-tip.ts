import type { Network } from '../network.ts'
import { CONSENSUS } from './consensus.ts'

/** Two hours where a block takes ten minutes: so long without one comes once in some 160,000 blocks (e^12). */
const STALE_BLOCKS = 12

/**
 * Whether the newest block, by the time that it is dated (milliseconds), is older than its network explains. Regtest has blocks
 * when somebody makes one. Testnet4 lets anybody make one after twenty minutes, so that two hours say more there.
 */
export function isStaleTip(network: Network, at: number, now: number): boolean {
  const { adjustmentInterval, targetSpacing } = CONSENSUS[network]
  return adjustmentInterval !== null && now - at > STALE_BLOCKS * targetSpacing
}

import type { Chain } from '../chain/chain.ts'
import type { Block } from '../engine/block.ts'
import type { Engine } from '../engine/engine.ts'

/** What recent blocks were paid for a unit of gas, in wei. */
export interface GasPriceOracle {
  /** A tip that should do: what comes on top of the base fee, or the whole price where there is none. */
  suggestTip(): bigint
  /** The tip and the base fee of the next block. */
  suggestPrice(): bigint
}

/** Those of geth. */
const BLOCKS = 20
const PERCENTILE = 60
const SAMPLES_A_BLOCK = 3
const MAX_TIP = 500_000_000_000n

/**
 * Follows the chain as geth's oracle does: of the last 20 blocks the three lowest prices each, without those that the
 * producer paid to itself; of all these the 60th percentile, at least `minimum`. Empty blocks say nothing.
 */
export function createGasPriceOracle({
  engine,
  chain,
  minimum,
}: {
  engine: Pick<Engine, 'nextBaseFee'>
  chain: Pick<Chain, 'head' | 'onAppend' | 'onReset' | 'findBlock'>
  minimum: bigint
}): GasPriceOracle {
  let samples = readSamples()
  let tip: bigint | null = null

  function readSamples(): (readonly bigint[])[] {
    const found: (readonly bigint[])[] = []
    const head = chain.head().number
    for (let number = head; number > 0n && number > head - BigInt(BLOCKS); number--) {
      const block = chain.findBlock(number)
      if (block) found.unshift(sampleTips(block))
    }
    return found
  }
  chain.onAppend(({ block }) => {
    samples.push(sampleTips(block))
    if (samples.length > BLOCKS) samples.shift()
    tip = null
  })
  chain.onReset(() => {
    samples = readSamples()
    tip = null
  })

  function suggestTip(): bigint {
    tip ??= chooseTip(samples.flat(), minimum)
    return tip
  }

  return {
    suggestTip,
    suggestPrice: () => suggestTip() + engine.nextBaseFee(chain.head()),
  }
}

function sampleTips({ header, transactions }: Block): readonly bigint[] {
  const baseFee = header.baseFeePerGas ?? 0n
  const tips = transactions
    .filter(({ from }) => from !== header.miner)
    .map(({ gasPrice, maxPriorityFeePerGas }) => {
      const left = gasPrice - baseFee
      return maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas < left
        ? maxPriorityFeePerGas
        : left
    })
  return tips.sort(compare).slice(0, SAMPLES_A_BLOCK)
}

function chooseTip(tips: readonly bigint[], minimum: bigint): bigint {
  const sorted = [...tips].sort(compare)
  const chosen = sorted[Math.floor(((sorted.length - 1) * PERCENTILE) / 100)] ?? 0n
  const capped = chosen < MAX_TIP ? chosen : MAX_TIP
  return capped > minimum ? capped : minimum
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

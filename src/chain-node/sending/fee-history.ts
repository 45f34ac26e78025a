import type { Chain } from '../chain/chain.ts'
import { formatQuantity, type Hex } from '../codec/hex.ts'
import type { Block, Header } from '../engine/block.ts'
import type { Engine } from '../engine/engine.ts'

/** What blocks in a row cost, in the shape of the answer to `eth_feeHistory`. */
export interface FeeHistory {
  readonly oldestBlock: Hex
  /** Of each block, and of the one after the last; zero where there is no base fee. */
  readonly baseFeePerGas: readonly Hex[]
  readonly gasUsedRatio: readonly number[]
  /** By block, the tip at each of the percentiles; missing where none are asked for. */
  readonly reward?: readonly (readonly Hex[])[]
}

/** As geth's. */
const MAX_BLOCKS = 1024n

/**
 * The fees of blocks up to `newest`, computed as geth does: the tips of a block in ascending order, weighted by the gas that
 * each transaction used. At most 1024 blocks.
 *
 * @param count - at least 1
 * @param percentiles - from 0 to 100, ascending
 */
export function buildFeeHistory(
  { chain, engine }: { chain: Pick<Chain, 'findBlock' | 'receiptJson'>; engine: NextBaseFee },
  newest: Header,
  count: bigint,
  percentiles: readonly number[],
): FeeHistory {
  const most = count < MAX_BLOCKS ? count : MAX_BLOCKS
  const length = most < newest.number + 1n ? most : newest.number + 1n
  const oldest = newest.number + 1n - length
  const blocks: Block[] = []
  for (let number = oldest; number <= newest.number; number++) {
    const block = chain.findBlock(number)
    if (!block) throw new Error(`block ${number} is below the head and not there`)
    blocks.push(block)
  }
  const fees = blocks.map(({ header }) => header.baseFeePerGas ?? 0n)
  return {
    oldestBlock: formatQuantity(oldest),
    baseFeePerGas: [...fees, engine.nextBaseFee(newest)].map(formatQuantity),
    gasUsedRatio: blocks.map(({ header }) => Number(header.gasUsed) / Number(header.gasLimit)),
    ...(percentiles.length > 0 && {
      reward: blocks.map(block => listTips(chain, block, percentiles).map(formatQuantity)),
    }),
  }
}

type NextBaseFee = Pick<Engine, 'nextBaseFee'>

function listTips(
  chain: Pick<Chain, 'receiptJson'>,
  { header, transactions }: Block,
  percentiles: readonly number[],
): bigint[] {
  const baseFee = header.baseFeePerGas ?? 0n
  const paid = transactions
    .map(({ hash, gasPrice, maxPriorityFeePerGas }) => {
      const left = gasPrice - baseFee
      const tip =
        maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas < left
          ? maxPriorityFeePerGas
          : left
      return { tip, gas: readGasUsed(chain.receiptJson(hash)) }
    })
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  return percentiles.map(percentile => {
    const threshold = Math.floor((Number(header.gasUsed) * percentile) / 100)
    let sum = 0
    for (const { tip, gas } of paid) {
      sum += gas
      if (sum >= threshold) return tip
    }
    return paid.at(-1)?.tip ?? 0n
  })
}

function readGasUsed(json: string | null): number {
  if (json === null) throw new Error('a transaction of a block has no receipt')
  return Number(JSON.parse(json).gasUsed)
}

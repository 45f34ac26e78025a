import type { Chain } from '../chain/chain.ts'
import { formatQuantity } from '../codec/hex.ts'
import type { BlockTag } from '../codec/parameters.ts'
import type { CallContext, Method } from '../rpc/method.ts'
import type { FeeHistory } from '../sending/fee-history.ts'
import { readFieldsOf, refuseAnswer } from './answer-fields.ts'
import type { OldBlocks } from './old-blocks.ts'

const METHOD = 'eth_feeHistory'
/** As geth's. */
const MAX_BLOCKS = 1024n

/** Answers `eth_feeHistory` with the blocks of the fork, and before them those that the remote tells of. */
export function joinFeeHistory(
  method: Method,
  { chain }: { readonly chain: Pick<Chain, 'genesis' | 'head'> },
  old: Pick<OldBlocks, 'forward'>,
): (values: unknown[], raw: readonly unknown[], context: CallContext) => Promise<unknown> {
  return async (values, _, context) => {
    const [asked, block, percentiles] = values as [bigint, BlockTag, readonly number[]]
    const base = chain.genesis.number
    const head = chain.head().number
    const newest = 'number' in block ? block.number : block.tag === 'earliest' ? 0n : head
    const count = asked < MAX_BLOCKS ? asked : MAX_BLOCKS
    const own = newest > base ? newest - base : 0n
    if (count === 0n || count <= own || newest > head) {
      return method.answer(values as never[], context)
    }
    const older = await old.forward(METHOD, [
      formatQuantity(count - own),
      formatQuantity(newest < base ? newest : base),
      ...(percentiles.length > 0 ? [percentiles] : []),
    ])
    if (own === 0n) return older
    const newer = (await method.answer(
      [own, block, percentiles] as unknown as never[],
      context,
    )) as FeeHistory
    return join(older, newer)
  }
}

/** The base fee after the remote's last block is that of the first block here. */
function join(older: unknown, newer: FeeHistory): FeeHistory {
  const fields = readFieldsOf(METHOD, older)
  const ratios = fields.list('gasUsedRatio')
  const fees = fields.has('baseFeePerGas') ? fields.list('baseFeePerGas') : ratios.map(() => '0x0')
  const hasRewards = newer.reward !== undefined
  const rewards = hasRewards ? fields.list('reward') : []
  if (fees.length < ratios.length || (hasRewards && rewards.length !== ratios.length)) {
    throw refuseAnswer(METHOD, 'has lists of different lengths')
  }
  return {
    oldestBlock: formatQuantity(fields.quantity('oldestBlock')),
    baseFeePerGas: [
      ...(fees.slice(0, ratios.length) as FeeHistory['baseFeePerGas']),
      ...newer.baseFeePerGas,
    ],
    gasUsedRatio: [...(ratios as number[]), ...newer.gasUsedRatio],
    ...(newer.reward !== undefined && {
      reward: [...(rewards as NonNullable<FeeHistory['reward']>), ...newer.reward],
    }),
  }
}

import { spentOutpoint } from '../../chain/transaction-record.ts'
import type { OrdBlock } from '../inscriptions/output-set.ts'

type Range = readonly [start: bigint, end: bigint]

/** Every sat of a chain by its number, as the ordinals BIP assigns them: a second way to follow inscriptions. */
export function createSatRanges(subsidyAt: (height: number) => bigint) {
  const outputs = new Map<string, Range[]>()
  const lost: Range[] = []
  let mined = 0n

  function assign({ txid, tx }: OrdBlock['transactions'][number], sats: Range[]): Range[] {
    for (const [vout, { value }] of tx.outs.entries()) {
      outputs.set(`${txid}:${vout}`, take(sats, value))
    }
    return sats
  }

  return {
    apply({ height, transactions }: OrdBlock): void {
      const [coinbase, ...others] = transactions
      const reward: Range[] = [[mined, mined + subsidyAt(height)]]
      mined += subsidyAt(height)
      for (const record of others) {
        const spent = record.tx.ins.flatMap(input => outputs.get(spentOutpoint(input)) ?? [])
        reward.push(...assign(record, spent))
      }
      if (coinbase) lost.push(...assign(coinbase, reward))
    },
    /** The number of the sat at an offset of an output, or among the lost sats (null). */
    satAt(outpoint: string | null, offset: bigint): bigint | undefined {
      const ranges = outpoint === null ? lost : (outputs.get(outpoint) ?? [])
      let before = 0n
      for (const [start, end] of ranges) {
        if (offset < before + end - start) return start + offset - before
        before += end - start
      }
      return undefined
    },
  }
}

/** Takes the first `count` sats off; the ranges shrink. */
function take(ranges: Range[], count: bigint): Range[] {
  const taken: Range[] = []
  let missing = count
  while (missing > 0n) {
    const first = ranges.shift()
    if (!first) throw new Error(`${missing} sats too few`)
    const [start, end] = first
    const middle = end - start > missing ? start + missing : end
    if (middle < end) ranges.unshift([middle, end])
    taken.push([start, middle])
    missing -= middle - start
  }
  return taken
}

import type { Journal } from '../chain/journal.ts'
import { spentOutpoint, sumValues } from '../chain/transaction-record.ts'
import type { OrdBlock } from './inscriptions/output-set.ts'

/** Numbers of sats from the first on and before the second. */
export type SatNumbers = readonly [start: bigint, end: bigint]

/**
 * ord numbers the sats of a block by mainnet's subsidy on every network, and so does this for its first halving; on regtest, where
 * a block pays less from height 150 on, the numbers in between are of no sat.
 */
const NUMBERED_SUBSIDY = 5_000_000_000n
const HALVING_INTERVAL = 150

/** The numbers of the sats on each unspent output of a chain, first in, first out; what no output claims is lost. */
export function createSatLedger() {
  const outputs = new Map<string, readonly SatNumbers[]>()

  return {
    /** Of an output, in the order of its sats; undefined where it is not there, or spent. */
    rangesOf: (outpoint: string): readonly SatNumbers[] | undefined => outputs.get(outpoint),
    connect({ height, transactions }: OrdBlock, journal: Journal): void {
      const [coinbase, ...others] = transactions
      const start = BigInt(height) * NUMBERED_SUBSIDY
      const subsidy = NUMBERED_SUBSIDY >> BigInt(Math.floor(height / HALVING_INTERVAL))
      // The coinbase spends the subsidy first, and then what each transaction left as its fee.
      const reward: SatNumbers[] = [[start, start + subsidy]]
      for (const { txid, tx } of others) {
        const spent = tx.ins.flatMap(input => {
          const outpoint = spentOutpoint(input)
          const ranges = outputs.get(outpoint)
          if (!ranges) throw new Error(`ord index: the sats of ${outpoint} are not there to spend`)
          journal.delete(outputs, outpoint)
          return ranges
        })
        reward.push(...deal(txid, tx.outs, spent))
      }
      if (coinbase) deal(coinbase.txid, coinbase.tx.outs, reward)

      /** Gives outputs their sats; resolves those that are left. */
      function deal(
        txid: string,
        outs: readonly { value: bigint }[],
        sats: readonly SatNumbers[],
      ): SatNumbers[] {
        for (const [vout, { value }] of outs.entries()) {
          const before = sumValues(outs.slice(0, vout))
          journal.set(outputs, `${txid}:${vout}`, cut(sats, before, before + value))
        }
        return cut(sats, sumValues(outs), null)
      }
    },
  }
}

/** The sats of ranges from one place on and before another, null for the end. */
function cut(ranges: readonly SatNumbers[], from: bigint, to: bigint | null): SatNumbers[] {
  let place = 0n
  return ranges.flatMap(([start, end]): SatNumbers[] => {
    const before = place
    place += end - start
    const first = from > before ? start + from - before : start
    const last = to !== null && to < place ? start + to - before : end
    return first < last ? [[first, last]] : []
  })
}

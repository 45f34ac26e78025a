import { addressOfScript } from '../../../bitcoin/address.ts'
import { fromHex } from '../../../bitcoin/bytes.ts'
import type { ChainSource, HistoryTransaction } from '../../../chain/chain-source.ts'
import { createActivityWorld, drawOutpoint } from './activity-world.ts'

/** The script of `OWN_ADDRESS`. */
export const OWN_SCRIPT = '0014751e76e8199196d454941c45d1b3a323f1433bd6'
const SENDER_SCRIPT = '0014751e76e8199196d454941c45d1b3a323f1433bd7'
export const SENDER_ADDRESS = addressOfScript(fromHex(SENDER_SCRIPT), 'regtest')

const PER_PAGE = 25
const TIP = 900_000

/**
 * A server with so many payments to the account, three a block but for the newest, which wait. `asked` is what it was asked
 * for, `others` the heights of transactions that its histories do not list. The clocks of its miners are not in order.
 */
export function createLongHistory(count: number, unconfirmed = 0) {
  const transactions = Array.from({ length: count }, (_, index): HistoryTransaction => {
    const height = index < unconfirmed ? null : TIP - Math.floor(index / 3)
    const inBlock = height === null ? null : { hash: toHash(height), at: timeOf(height) }
    return {
      txid: toHash(index),
      vsize: 110,
      fee: 200n,
      height,
      blockHash: inBlock?.hash ?? null,
      at: inBlock?.at ?? null,
      inputs: [{ ...drawOutpoint(), scriptPubKey: fromHex(SENDER_SCRIPT), amount: null }],
      outputs: [{ scriptPubKey: fromHex(OWN_SCRIPT), amount: BigInt(index + 1) }],
    }
  })
  const asked: (string | null)[] = []
  const others = new Map<string, number | null>()
  const chain: ChainSource = {
    ...createActivityWorld().memory.chain,
    fetchTip: async () => ({ height: TIP, hash: toHash(TIP), at: timeOf(TIP) }),
    fetchTransactionHeight: async txid => others.get(txid),
    async fetchHistory(_, after) {
      asked.push(after)
      const start = after === null ? 0 : Number.parseInt(after, 16) + 1
      const page = transactions.slice(start, start + PER_PAGE)
      const ends = start + PER_PAGE >= transactions.length
      return { transactions: page, next: ends ? null : (page.at(-1)?.txid ?? null) }
    },
  }
  return { chain, asked, transactions, others }
}

export function timeOf(height: number): number {
  return height * 600_000 + (height % 5) * 900_000
}

function toHash(number: number): string {
  return number.toString(16).padStart(64, '0')
}

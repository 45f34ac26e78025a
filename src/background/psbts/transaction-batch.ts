import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { ParsedTransaction } from '../../bitcoin/transaction.ts'
import { ProviderError } from '../../provider/errors.ts'

/** A transaction of a batch. Ids are unique, and each named dependency is the id of an item. */
export type BatchItem = {
  itemId: string
  dependsOn: readonly string[]
  transaction: Pick<ParsedTransaction, 'txid' | 'inputs'>
}

/** Place of an item (from 0), and of those that must be with the network before it. */
export type BatchStep = { index: number; parents: readonly number[] }

/**
 * The order of broadcast: parents first, else as given. Parents are those that an item names and those whose outputs it
 * spends. Throws -32602 for a cycle, and for two items that spend one coin, of which only one can happen.
 */
export function orderBatch(items: readonly BatchItem[]): BatchStep[] {
  assertNoConflict(items)
  const waiting = listParents(items)
  const done = new Set<number>()
  const steps: BatchStep[] = []
  while (waiting.size > 0) {
    const ready = [...waiting].find(([, parents]) => parents.every(parent => done.has(parent)))
    if (!ready) throw cycleOf(items, waiting)
    const [index, parents] = ready
    waiting.delete(index)
    done.add(index)
    steps.push({ index, parents })
  }
  return steps
}

function listParents(items: readonly BatchItem[]): Map<number, readonly number[]> {
  const byId = new Map(items.map(({ itemId }, index) => [itemId, index]))
  const byTxid = new Map(items.map(({ transaction }, index) => [transaction.txid, index]))
  return new Map(
    items.map(({ dependsOn, transaction }, index) => {
      const named = dependsOn.map(itemId => byId.get(itemId))
      const spent = transaction.inputs.map(({ txid }) => byTxid.get(txid))
      return [index, [...new Set([...named, ...spent])].filter(parent => parent !== undefined)]
    }),
  )
}

function assertNoConflict(items: readonly BatchItem[]): void {
  const spenders = new Map<string, number>()
  for (const [index, { transaction }] of items.entries()) {
    for (const input of transaction.inputs) {
      const outpoint = formatOutpoint(input)
      const other = spenders.get(outpoint)
      if (other !== undefined) {
        throw invalid(`txs[${index}].signedTx`, `txs[${other}] spends ${outpoint}, too`)
      }
      spenders.set(outpoint, index)
    }
  }
}

/** Whatever still waits has a parent that waits: following them leads into a circle. */
function cycleOf(
  items: readonly BatchItem[],
  waiting: ReadonlyMap<number, readonly number[]>,
): ProviderError {
  const path: number[] = []
  let at = [...waiting.keys()][0]
  while (at !== undefined && !path.includes(at)) {
    path.push(at)
    at = waiting.get(at)?.find(parent => waiting.has(parent))
  }
  const circle = path.slice(at === undefined ? 0 : path.indexOf(at))
  const ids = circle.map(index => JSON.stringify(items[index]?.itemId)).join(', ')
  return invalid(
    `txs[${Math.min(...circle)}].dependItemId`,
    circle.length === 1 ? `${ids} depends on itself` : `${ids} depend on each other`,
  )
}

function invalid(field: string, problem: string): ProviderError {
  return new ProviderError(-32602, `${field}: ${problem}`)
}

import type { Network } from '../../bitcoin/network.ts'
import type { Outpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { BackendUnavailableError, type ChainSource } from '../../chain/chain-source.ts'
import { findCreatedAssets } from '../../ordinals/flow/created-assets.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'
import { withTimeout } from '../primitives/timeout.ts'

/** Transactions that are fetched for one payment, and at the same time. */
const MAX_LOOKUPS = 100
const CONCURRENCY = 8

/** A payment of many coins waits no longer; the next one goes on where this one stopped. */
const TIMEOUT_MS = 10_000

const MAX_REMEMBERED = 5_000

/** Compares coins with the transactions that created them, each of which is fetched once. */
export function createUndeclaredAssets() {
  const created = new Map<string, ReadonlySet<number>>()

  return {
    has,
    /**
     * Those of the coins that may carry an asset by the transaction that created them. At most 100 transactions are fetched
     * a call, those of the smallest coins first: they are the likeliest to carry one. A transaction that the server does not
     * hand out in time is no evidence.
     */
    async find<T extends Utxo>(chain: ChainSource, coins: readonly T[]): Promise<T[]> {
      const smallestFirst = coins.toSorted((a, b) =>
        a.amount < b.amount ? -1 : Number(a.amount > b.amount),
      )
      const { network } = chain
      const txids = new Set(smallestFirst.map(({ txid }) => txid))
      const isNew = (txid: string) => !created.has(keyOf(network, txid))
      const wanted = [...txids].filter(isNew).slice(0, MAX_LOOKUPS)
      let isOver = false
      const looking = forEachConcurrently(wanted, CONCURRENCY, async txid => {
        if (!isOver) await readCreated(txid)
      })
      await withTimeout(TIMEOUT_MS, looking)
      isOver = true
      const undeclared = coins.filter(coin => has(network, coin))
      for (const key of [...created.keys()].slice(0, Math.max(created.size - MAX_REMEMBERED, 0)))
        created.delete(key)
      return undeclared

      async function readCreated(txid: string): Promise<void> {
        try {
          created.set(keyOf(network, txid), findCreatedAssets(await chain.fetchTransaction(txid)))
        } catch (error) {
          if (!(error instanceof BackendUnavailableError)) throw error
        }
      }
    },
  }

  /** Whether a coin was found to be one that may carry an asset; asks nobody. */
  function has(network: Network, { txid, vout }: Outpoint): boolean {
    return created.get(keyOf(network, txid))?.has(vout) ?? false
  }
}

function keyOf(network: Network, txid: string): string {
  return `${network} ${txid}`
}

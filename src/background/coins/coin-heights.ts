import { addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { BackendUnavailableError, type ChainSource } from '../../chain/chain-source.ts'

const CONCURRENCY = 8

type PlacedCoin = { outpoint: string; scriptPubKey: Uint8Array }

/** Of many own coins, from the lists of what their addresses have: one question instead of one for each. */
export async function fetchListedHeights(
  chain: ChainSource,
  coins: readonly PlacedCoin[],
  heights: Map<string, number | null>,
): Promise<void> {
  if (coins.length <= CONCURRENCY) return
  const scripts = new Map(coins.map(({ scriptPubKey }) => [toHex(scriptPubKey), scriptPubKey]))
  for (const script of scripts.values()) {
    const address = addressOfScript(script, chain.network)
    const utxos = address === null ? [] : await fetchIfAnswered(chain, address, script)
    for (const { txid, height } of utxos) heights.set(txid, height)
  }
}

async function fetchIfAnswered(
  chain: ChainSource,
  address: string,
  script: Uint8Array,
): Promise<Utxo[]> {
  try {
    return await chain.fetchUtxos(address, script)
  } catch (error) {
    if (error instanceof BackendUnavailableError) return []
    throw error
  }
}

/** Null for coins in no block; those that the server does not tell are left out. */
export async function fetchHeights(
  chain: ChainSource,
  coins: readonly PlacedCoin[],
  heights: Map<string, number | null>,
): Promise<void> {
  const queue = [...new Set(coins.map(({ outpoint }) => parseOutpoint(outpoint).txid))]
  const work = async () => {
    for (let txid = queue.shift(); txid !== undefined; txid = queue.shift()) {
      if (!heights.has(txid)) heights.set(txid, (await chain.fetchTransactionHeight(txid)) ?? null)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work)).catch(error => {
    queue.length = 0
    if (!(error instanceof BackendUnavailableError)) throw error
  })
}

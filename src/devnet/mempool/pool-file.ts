import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rawHex } from '../chain/transaction-record.ts'
import type { LocalNetwork } from './local-network.ts'
import { RejectedError } from './rejection.ts'

const FILE = 'devnet-mempool.json'

/** Keeps the unconfirmed transactions beside the chain, parents first. */
export async function savePool(network: LocalNetwork, dataDir: string): Promise<void> {
  const hexes = network
    .pool()
    .entries()
    .map(({ record }) => rawHex(record))
  await writeFile(join(dataDir, FILE), JSON.stringify(hexes))
}

/** Submits the kept transactions again; those that no longer hold are forgotten. */
export async function loadPool(network: LocalNetwork, dataDir: string): Promise<void> {
  let kept: string
  try {
    kept = await readFile(join(dataDir, FILE), 'utf8')
  } catch {
    return
  }
  for (const hex of JSON.parse(kept) as string[]) {
    try {
      await network.submit(hex, { maxFeeRate: 0n })
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error
    }
  }
}

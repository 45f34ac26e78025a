import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'

const STORAGE_KEY = 'labels'
const LONGEST_LABEL = 140

/** Line breaks, control characters, and marks that turn the order of the letters around them. */
const UNWANTED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** A label as it is stored: trimmed, at most 140 characters; empty for none. Throws -32602. */
export function parseLabel(value: unknown): string {
  const label = typeof value === 'string' ? value.normalize('NFC').trim() : null
  if (label === null || [...label].length > LONGEST_LABEL || UNWANTED.test(label))
    throw invalidParams('label', value, `at most ${LONGEST_LABEL} characters on one line`)
  return label
}

/** The person's own notes on transactions, in local storage. */
export function createLabels({ local }: { local: StorageArea }) {
  const inTurn = createMutex()

  return {
    load,
    /** An empty label removes. */
    set(network: Network, txid: string, label: string): Promise<void> {
      return inTurn(async () => {
        const { [txid]: _, ...others } = await load(network)
        await write(network, label === '' ? others : { ...others, [txid]: label })
      })
    },
    /** Runs a task while no label is written. */
    hold: inTurn,
    /** What storage holds with these labels too; those that are there stay. */
    async entriesWith(added: { [network in Network]?: { [txid: string]: string } }) {
      const stored = Object((await local.get(STORAGE_KEY)) ?? {})
      const next = { ...stored }
      for (const network of NETWORKS) {
        if (added[network]) next[network] = { ...added[network], ...Object(stored[network]) }
      }
      return { [STORAGE_KEY]: next }
    },
    forget(network: Network, txids: ReadonlySet<string>): Promise<void> {
      return inTurn(async () => {
        const kept = Object.entries(await load(network)).filter(([txid]) => !txids.has(txid))
        await write(network, Object.fromEntries(kept))
      })
    },
  }

  /** By txid. */
  async function load(network: Network): Promise<{ [txid: string]: string }> {
    return Object(Object(await local.get(STORAGE_KEY))[network])
  }

  async function write(network: Network, labels: { [txid: string]: string }): Promise<void> {
    await local.set({
      [STORAGE_KEY]: { ...Object(await local.get(STORAGE_KEY)), [network]: labels },
    })
  }
}

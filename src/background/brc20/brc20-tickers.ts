import type { Network } from '../../bitcoin/network.ts'
import { foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import type { Brc20Text } from '../../ordinals/content/brc20-text.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { HasEnded } from '../accounts/ended-accounts.ts'
import { createMutex } from '../primitives/mutex.ts'

const STORAGE_KEY = 'brc20Tickers'
const SEEN_KEY = 'brc20Seen'

/** Some servers are asked for each by itself. */
const MOST_FOLLOWED = 50
const MOST_SEEN = 100

/** In memory. */
const MOST_READINGS = 1_000

/** Tickers in lower case, by a key. */
type Lists = { [key: string]: string[] }

/**
 * The tokens that the person follows on each network, and those that each account was seen to have, in local storage: there
 * are servers that list no balances.
 */
export function createBrc20Tickers({
  local,
  hasEnded = () => false,
}: {
  local: StorageArea
  hasEnded?: HasEnded
}) {
  const inTurn = createMutex()
  const readings = new Map<InscriptionId, Promise<Brc20Text | null>>()

  return {
    /** Those followed, in lower case, in the order in which they were chosen. */
    load: async (network: Network): Promise<string[]> => (await load(STORAGE_KEY))[network] ?? [],
    /** Throws -32602 when there are too many. */
    follow: (network: Network, tick: string, followed: boolean): Promise<void> =>
      inTurn(async () => {
        const all = await load(STORAGE_KEY)
        const folded = foldTicker(tick)
        const others = (all[network] ?? []).filter(one => one !== folded)
        if (followed && others.length >= MOST_FOLLOWED) {
          throw invalidParams('tick', tick, `at most ${MOST_FOLLOWED} tokens that are followed`)
        }
        const next = followed ? [...others, folded] : others
        await local.set({ [STORAGE_KEY]: { ...all, [network]: next } })
      }),
    seen: async (network: Network, accountId: string): Promise<string[]> =>
      (await load(SEEN_KEY))[keyOf(network, accountId)] ?? [],
    /** The newest are kept. */
    see: (network: Network, accountId: string, ticks: readonly string[]): Promise<void> =>
      inTurn(async () => {
        const all = await load(SEEN_KEY)
        const key = keyOf(network, accountId)
        const before = all[key] ?? []
        if (hasEnded(accountId) || ticks.every(tick => before.includes(tick))) return
        const next = [...new Set([...ticks, ...before])].slice(0, MOST_SEEN)
        await local.set({ [SEEN_KEY]: { ...all, [key]: next } })
      }),
    /** Runs a task while none is written. */
    hold: inTurn,
    /** What storage holds once what one account was seen to have is another's. */
    async entriesJoined(from: string, to: string): Promise<{ [key: string]: unknown }> {
      const all = await load(SEEN_KEY)
      const joined: Lists = {}
      for (const [key, ticks] of Object.entries(all)) {
        const place = key.endsWith(` ${from}`) ? `${key.slice(0, -from.length)}${to}` : key
        joined[place] = [...new Set([...(joined[place] ?? []), ...ticks])].slice(0, MOST_SEEN)
      }
      return { [SEEN_KEY]: joined }
    },
    forgetAccount: (accountId: string): Promise<void> =>
      inTurn(async () => {
        const all = Object.entries(await load(SEEN_KEY))
        const others = all.filter(([key]) => !key.endsWith(` ${accountId}`))
        if (others.length < all.length) await local.set({ [SEEN_KEY]: Object.fromEntries(others) })
      }),
    /** What an inscription says, which is read once while this worker lives. */
    read(id: InscriptionId, read: () => Promise<Brc20Text | null>): Promise<Brc20Text | null> {
      const known = readings.get(id)
      if (known) return known
      if (readings.size >= MOST_READINGS) readings.clear()
      const asked = read()
      readings.set(id, asked)
      asked.catch(() => readings.delete(id))
      return asked
    },
  }

  /** Only this module writes them. */
  async function load(key: string): Promise<Lists> {
    return Object((await local.get(key)) ?? {})
  }
}

export type Brc20Tickers = ReturnType<typeof createBrc20Tickers>

function keyOf(network: Network, accountId: string): string {
  return `${network} ${accountId}`
}

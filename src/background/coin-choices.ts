import { NETWORKS, type Network } from '../bitcoin/network.ts'
import type { StorageArea } from '../storage/storage-area.ts'
import { createMutex } from './mutex.ts'
import type { CoinView } from './ui-methods/payment-views.ts'

export type CoinChoice = NonNullable<CoinView['choice']>

type Entry = { accountId: string; choice: CoinChoice; goneSince: number | null }
type Entries = { [outpoint: string]: Entry }

const STORAGE_KEY = 'coinChoices'

/** A server may leave a coin out for a while, and a payment that spends it may be taken back. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000

/** Which single coins the person locked or unlocked, by outpoint and network; in local storage. */
export function createCoinChoices({ local, now }: { local: StorageArea; now(): number }) {
  const inTurn = createMutex()

  return {
    async load(network: Network): Promise<ReadonlyMap<string, CoinChoice>> {
      const entries = Object.entries(await loadEntries(network))
      return new Map(entries.map(([outpoint, { choice }]) => [outpoint, choice]))
    },
    /** Null leaves the coin to the wallet's rules. */
    set(
      network: Network,
      accountId: string,
      outpoint: string,
      choice: CoinChoice | null,
    ): Promise<void> {
      return change(network, ({ [outpoint]: _, ...others }) =>
        choice === null
          ? others
          : { ...others, [outpoint]: { accountId, choice, goneSince: null } },
      )
    },
    /** Takes note of which coins an account has, and forgets choices about those that it has not had for long. */
    tidy(network: Network, accountId: string, outpoints: ReadonlySet<string>): Promise<void> {
      return change(network, entries => {
        const noted = Object.entries(entries).map(([outpoint, entry]): [string, Entry] => {
          if (entry.accountId !== accountId) return [outpoint, entry]
          return [
            outpoint,
            { ...entry, goneSince: outpoints.has(outpoint) ? null : (entry.goneSince ?? now()) },
          ]
        })
        const isKept = ({ goneSince }: Entry) =>
          goneSince === null || now() - goneSince < FORGOTTEN_AFTER_MS
        return Object.fromEntries(noted.filter(([, entry]) => isKept(entry)))
      })
    },
    async forgetAccount(accountId: string): Promise<void> {
      for (const network of NETWORKS) {
        await change(network, entries =>
          Object.fromEntries(
            Object.entries(entries).filter(([, entry]) => entry.accountId !== accountId),
          ),
        )
      }
    },
  }

  /** Only this module writes it. */
  async function loadEntries(network: Network): Promise<Entries> {
    return Object(Object(await local.get(STORAGE_KEY))[network])
  }

  function change(network: Network, next: (entries: Entries) => Entries): Promise<void> {
    return inTurn(async () => {
      const entries = await loadEntries(network)
      const changed = next(entries)
      if (JSON.stringify(changed) === JSON.stringify(entries)) return
      await local.set({
        [STORAGE_KEY]: { ...Object(await local.get(STORAGE_KEY)), [network]: changed },
      })
    })
  }
}

export type CoinChoices = ReturnType<typeof createCoinChoices>

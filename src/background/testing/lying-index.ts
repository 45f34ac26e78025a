import type { AssetSource, InscriptionFacts } from '../../chain/asset-source.ts'
import { BackendUnavailableError, type ServerProblem } from '../../chain/chain-source.ts'
import type { Asset, CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
import type { Holding } from '../coins/testing/asset-truth.ts'

/** What an index does about one coin. `hide` calls it clean, `accuse` names what is not there, `omit` leaves it out. */
export type Conduct = 'honest' | 'hide' | 'accuse' | 'omit' | { why: UnknownReason }

export type Fault = ServerProblem['kind'] | null

/** An index of assets that says of each coin what `conduct` wants, and of where inscriptions are the truth. */
export function createLyingIndex(world: {
  holdings(outpoint: string): readonly Holding[]
  conduct(outpoint: string): Conduct
  fault(): Fault
  height(): number
  /** Who is on which coin, for the places of inscriptions. */
  findHolder(key: string): { outpoint: string; sat: bigint } | null
}): AssetSource {
  return {
    network: 'regtest',
    async fetchTip() {
      assertUp()
      return { height: world.height() }
    },
    async fetchAssets(coins) {
      assertUp()
      const told = new Map<string, CoinAssets>()
      for (const { outpoint, height } of coins) {
        const conduct = height === null ? 'omit' : world.conduct(outpoint)
        if (conduct === 'omit') continue
        if (typeof conduct === 'object') told.set(outpoint, { known: false, ...conduct })
        else {
          const named = conduct === 'hide' ? [] : world.holdings(outpoint).map(describe)
          const added =
            conduct === 'accuse' ? [describe({ key: `FALSE${outpoint}`, sat: null })] : []
          told.set(outpoint, { known: true, assets: [...named, ...added] })
        }
      }
      return told
    },
    async fetchInscriptions(ids) {
      assertUp()
      return new Map(
        ids.flatMap((id): [string, InscriptionFacts][] => {
          const holder = world.findHolder(id)
          return holder ? [[id, describeFacts(id, holder)]] : []
        }),
      )
    },
    fetchContent: async () => null,
    fetchRune: async () => null,
  }

  function assertUp(): void {
    const kind = world.fault()
    if (!kind) return
    throw new BackendUnavailableError({ kind, host: 'liar.test', detail: 'fails', retryInMs: null })
  }
}

function describe({ key, sat }: Holding): Asset {
  if (sat !== null) return { kind: 'inscription', id: key, offset: null }
  const amount = { amount: 1_000n, divisibility: 0, symbol: null }
  return { kind: 'rune', name: key, rune: null, ...amount }
}

function describeFacts(id: string, { outpoint, sat }: { outpoint: string; sat: bigint }) {
  return {
    ...{ id, number: 1, address: null, value: null, contentType: null, contentLength: null },
    ...{ satpoint: { outpoint, offset: sat }, height: 100, at: 0 },
    ...{ parents: [], charms: [], metaprotocol: null },
  }
}

import type { Network } from '../../bitcoin/network.ts'
import type { Asset, CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import type { RareSat } from '../../ordinals/sats/rare-sats.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { CoinView } from '../views/payment-views.ts'
import { createOutpointNotes } from './outpoint-notes.ts'

export type CoinChoice = NonNullable<CoinView['choice']>

/** What the person knew of a coin when deciding: what was on it, or why nobody could say. */
export type KnownThen = ({ assets: string[] } | { why: UnknownReason }) & {
  /** Numbers of rare sats, decimal. */
  sats?: string[]
}

export type CoinDecision = { choice: CoinChoice; knew: KnownThen }

/** Decisions of earlier versions, which could tell nothing of a coin, lack it. */
type Note = { choice: CoinChoice; knew?: KnownThen }

const MAX_CHOICES = 10_000

/** Which single coins the person locked or unlocked, by outpoint and network; in local storage. */
export function createCoinChoices({ local, now }: { local: StorageArea; now(): number }) {
  const notes = createOutpointNotes<Note>({
    local,
    now,
    storageKey: 'coinChoices',
    most: MAX_CHOICES,
    whenFull: 'drop-oldest',
  })
  return {
    async load(network: Network): Promise<ReadonlyMap<string, CoinDecision>> {
      const loaded = await notes.load(network)
      return new Map(
        [...loaded].map(([outpoint, { choice, knew = NOTHING }]) => [outpoint, { choice, knew }]),
      )
    },
    /** Null leaves the coin to the wallet's rules. */
    set(
      network: Network,
      accountId: string,
      outpoint: string,
      decision: CoinDecision | null,
    ): Promise<void> {
      return notes.put(network, accountId, new Map([[outpoint, decision]]))
    },
    hold: notes.hold,
    /** The coins of a network that are locked by hand. */
    async listLocked(network: Network): Promise<{ outpoint: string; accountId: string }[]> {
      return (await notes.listOf(network)).flatMap(({ outpoint, accountId, note }) =>
        note.choice === 'locked' ? [{ outpoint, accountId }] : [],
      )
    },
    /** What storage holds with these coins locked too, and `undecided` left to the wallet's rules; other decisions that are there stay. */
    entriesWithLocked: (
      locked: readonly { network: Network; accountId: string; outpoint: string }[],
      undecided: readonly { network: Network; outpoint: string }[] = [],
    ) =>
      notes.entriesWith(
        locked.map(coin => ({ ...coin, note: { choice: 'locked', knew: NOTHING } })),
        undecided,
      ),
    entriesJoined: notes.entriesJoined,
    tidy: notes.tidy,
    forgetAccount: notes.forgetAccount,
  }
}

export type CoinChoices = ReturnType<typeof createCoinChoices>

const NOTHING: KnownThen = { why: 'unanswered' }

/** Whether each of these rare sats was shown when the person unlocked the coin. */
export function knewSats({ sats = [] }: KnownThen, rare: readonly RareSat[]): boolean {
  return rare.every(({ sat }) => sats.includes(String(sat)))
}

/** Whether nothing was found on an unlocked coin that the person did not know of when unlocking it. */
export function isAsKnown(knew: KnownThen, now: CoinAssets): boolean {
  if (!now.known)
    return now.why !== 'contradicted' || ('why' in knew && knew.why === 'contradicted')
  const known = new Set('assets' in knew ? knew.assets : [])
  return now.assets.every((asset: Asset) => known.has(keyOfAsset(asset)))
}

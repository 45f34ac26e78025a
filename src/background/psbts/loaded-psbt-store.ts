import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { SentRecord } from '../activity/activity.ts'
import type { OwnCoin } from '../coins/spent-assets.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { Prepared } from './psbt-request.ts'

/** The PSBT that the person works on in our own pages. */
export type StoredPsbt = {
  id: string
  /** Hex. */
  psbt: string
  /** What the person was shown of it last, and for which account. */
  shown: { network: Network; accountId: string; prepared: Prepared; digest: string } | null
  /** Of the review by which the wallet has signed it; null before. */
  signedAs: string | null
  push: StoredPush | null
}

/** The transaction of it that is to be broadcast, as it was shown. */
export type StoredPush = {
  network: Network
  accountId: string
  digest: string
  record: SentRecord
  own: OwnCoin[]
  /** Whether the person has said yes: then it is sent as it is, however often. */
  approved: boolean
}

const STORAGE_KEY = 'loadedPsbt'

/** The PSBT under work, in session storage: a closed popup or a dead worker loses nothing of it. A lock takes it away. */
export function createLoadedPsbt({ session }: { session: StorageArea }) {
  const inTurn = createMutex()
  return {
    /** Only this module writes it. */
    async find(): Promise<StoredPsbt | null> {
      return ((await session.get(STORAGE_KEY)) as StoredPsbt | undefined) ?? null
    },
    put: (psbt: StoredPsbt): Promise<void> => session.set({ [STORAGE_KEY]: psbt }),
    /** After what is under way. */
    clear: (): Promise<void> => inTurn(() => session.remove(STORAGE_KEY)),
    inTurn,
  }
}

export type LoadedPsbt = ReturnType<typeof createLoadedPsbt>

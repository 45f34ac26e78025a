import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { InscribeReview } from '../views/inscribe-views.ts'
import type { StoredRefund } from './stored-inscribing.ts'

export type StoredCommitRefund = {
  id: string
  digest: string
  network: Network
  accountId: string
  refund: StoredRefund
  /** A reveal in the mempool that goes; null for none. */
  replaces: string | null
  review: InscribeReview
}

const STORAGE_KEY = 'commitRefund'

/** What was worked out last of taking back a commit, in session storage. It reserves and signs nothing. */
export function createCommitRefunds({ session }: { session: StorageArea }) {
  return {
    /** Only this module writes it. */
    async find(id: string): Promise<StoredCommitRefund | null> {
      const stored = (await session.get(STORAGE_KEY)) as StoredCommitRefund | undefined
      return stored?.id === id ? stored : null
    },
    put: (plan: StoredCommitRefund): Promise<void> => session.set({ [STORAGE_KEY]: plan }),
    inTurn: createMutex(),
  }
}

export type CommitRefunds = ReturnType<typeof createCommitRefunds>

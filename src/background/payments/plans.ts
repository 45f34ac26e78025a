import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { Plan } from './payment-plan.ts'

/** A payment of our own pages that was worked out. It reserves nothing until it is confirmed. */
export type StoredPlan = {
  id: string
  digest: string
  network: Network
  accountId: string
  /** The person's note. */
  label: string
  /** Null once it is signed and on record. */
  plan: Plan | null
  /** Written before the record, so that confirming again finds the same transaction. */
  txid: string | null
}

const STORAGE_KEY = 'plans'

/** The newest of each kind are kept: a plan can be as large as a transaction, and session storage holds 10 MB in all. */
const MAX_OPEN = 5
const MAX_SIGNED = 100

/** Plans, newest first, in session storage. */
export function createPlans({ session }: { session: StorageArea }) {
  const inTurn = createMutex()

  return {
    async find(id: string): Promise<StoredPlan | undefined> {
      return (await load()).find(plan => plan.id === id)
    },
    /** Adds, or replaces the one with the same id. */
    put(plan: StoredPlan): Promise<void> {
      return inTurn(async () => {
        const plans = [plan, ...(await load()).filter(({ id }) => id !== plan.id)]
        const open = plans.filter(other => other.plan !== null).slice(0, MAX_OPEN)
        const signed = plans.filter(other => other.plan === null).slice(0, MAX_SIGNED)
        await session.set({ [STORAGE_KEY]: [...open, ...signed] })
      })
    },
  }

  /** Only this module writes it. */
  async function load(): Promise<readonly StoredPlan[]> {
    const stored = await session.get(STORAGE_KEY)
    return Array.isArray(stored) ? stored : []
  }
}

export type Plans = ReturnType<typeof createPlans>

import { toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { digestOf } from '../primitives/digest.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { InscribePlanView } from '../views/inscribe-views.ts'
import type { InscribePlan } from './inscribe-plan.ts'
import type { JobChange } from './job-change.ts'

/** What our own pages want inscribed, or changed about a job, as it was worked out. It reserves nothing until it is confirmed. */
export type StoredInscribePlan = {
  id: string
  digest: string
  network: Network
  accountId: string
  /** The person's note. */
  label: string
  plan: InscribePlan | JobChange
}

const STORAGE_KEY = 'inscribePlans'

/** The newest: each can hold 400 kB of content, twice, and session storage 10 MB of everything. */
const MAX_PLANS = 2

/** Plans in session storage, the newest two: whatever is older has to be worked out again. */
export function createInscribePlans({ session }: { session: StorageArea }) {
  const inTurn = createMutex()

  return {
    async find(id: string): Promise<StoredInscribePlan | undefined> {
      return (await load()).find(plan => plan.id === id)
    },
    add(plan: StoredInscribePlan): Promise<void> {
      return inTurn(async () => {
        await session.set({ [STORAGE_KEY]: [plan, ...(await load())].slice(0, MAX_PLANS) })
      })
    },
  }

  /** Only this module writes it. */
  async function load(): Promise<readonly StoredInscribePlan[]> {
    const stored = await session.get(STORAGE_KEY)
    return Array.isArray(stored) ? stored : []
  }
}

export type InscribePlans = ReturnType<typeof createInscribePlans>

/** Keeps a plan for its confirmation, and resolves what the person is shown. */
export async function storeInscribePlan(
  { wallet, network, account }: PaymentContext<{ inscribePlans: Pick<InscribePlans, 'add'> }>,
  random: RandomSource,
  plan: InscribePlan | JobChange,
  label: string,
): Promise<InscribePlanView> {
  const id = toHex(random(16))
  const entry = { id, network, accountId: account.id, label, plan }
  const digest = digestOf(entry)
  await wallet.inscribePlans.add({ ...entry, digest })
  return { planId: id, digest, review: plan.review }
}

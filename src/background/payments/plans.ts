import { toHex } from '../../bitcoin/bytes.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { Network } from '../../bitcoin/network.ts'
import { failure, invalidParams, type ProviderError } from '../../provider/errors.ts'
import { RecordsLockedError } from '../../storage/records.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { type PayingContext, payFromSelected } from '../accounts/payment-context.ts'
import type { Activity, SentRecord } from '../activity/activity.ts'
import type { AuthenticRecords } from '../keys/authentic-records.ts'
import type { Signer } from '../keys/signer.ts'
import { decodeReturned, parseReturned, type SigningDevice } from '../keys/signing-device.ts'
import { digestOf } from '../primitives/digest.ts'
import { createMutex, type Mutex } from '../primitives/mutex.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import { type SendingParts, sendRecord } from '../sending/outgoing.ts'
import type { GivenName } from '../views/account-views.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import type { PaymentPlanView, PaymentResult, PaymentReview } from '../views/payment-views.ts'
import { assertNamesCurrent, type NameParts } from './named-recipients.ts'
import type { Plan } from './payment-plan.ts'
import { describePlanTask, type SigningParts, signPlan } from './payment-signing.ts'
import { assertUnclaimed, planOutdated } from './plan-checks.ts'

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
  cosigned?: Cosigned
}

/** What goes round several signers: in hex, with the signatures so far, which address each input spends, and whether any has signed. */
export type Cosigned = { psbt: string; places: DescriptorPlace[]; isSigned: boolean }

/** A plan that goes round several signers. */
export type CosignedPlan = StoredPlan & { plan: Plan; cosigned: Cosigned }

const STORAGE_KEY = 'plans'

/** Only the newest of each kind are kept: a plan can be as large as a transaction, and session storage holds 10 MB in all. */
const MAX_OPEN = 5
const MAX_SIGNED = 100

const COSIGNED_KEY = 'cosignedPlans'
const MAX_COSIGNED = 50

/** As many payments as are kept have signatures, so that no other one can be; `oldest` is one to finish first. */
export class TooManyCosignedError extends Error {
  override name = 'TooManyCosignedError'
  readonly oldest: CosignedPlan
  constructor(oldest: CosignedPlan) {
    super(`${MAX_COSIGNED} payments with signatures are kept, and no other one can be`)
    this.oldest = oldest
  }
}

/** The same for the person; `account` is the name of the account of the oldest. */
export function explainTooMany(cause: TooManyCosignedError, account: GivenName): ProviderError {
  const { id, network, label, plan } = cause.oldest
  const { sats } = plan.review
  const text = `${MAX_COSIGNED} payments wait for further signatures. Send or discard one first.`
  const data = { most: MAX_COSIGNED, planId: id, sats, label, account, network }
  return failure('TOO_MANY_PAYMENTS', text, { cause, data })
}

/** As it is stored: with a tag, as others can write local storage. */
type TaggedPlan = { plan: CosignedPlan; tag: string }

/** Plans, newest first, in session storage; those that go round several signers, which takes days, in local storage. */
export function createPlans({
  session,
  local,
  records,
}: {
  session: StorageArea
  local: StorageArea
  records: Pick<AuthenticRecords, 'tagValue'>
}) {
  const inTurn = createMutex()

  return {
    async find(id: string): Promise<StoredPlan | undefined> {
      const plans = [...(await loadCosigned()), ...(await load())]
      return plans.find(plan => plan.id === id)
    },
    /** Those that go round several signers, of all accounts. */
    listCosigned: (): Promise<readonly CosignedPlan[]> => loadCosigned(),
    /**
     * Adds, or replaces the one with the same id. The oldest ones that nobody has signed give way. Throws
     * {@link TooManyCosignedError} where all others have signatures.
     */
    putCosigned(plan: CosignedPlan): Promise<void> {
      return inTurn(async () => {
        const tag = await records.tagValue(COSIGNED_KEY, plan)
        if (tag === null) throw new RecordsLockedError()
        const others = (await loadTagged()).filter(other => other.plan.id !== plan.id)
        // Signatures are not given up for payments that nobody has signed yet.
        const [signed, unsigned] = [true, false].map(is =>
          others.filter(other => other.plan.cosigned.isSigned === is),
        )
        if (signed && signed.length >= MAX_COSIGNED) {
          const [first = plan, ...more] = signed.map(other => other.plan)
          throw new TooManyCosignedError(more.reduce(older, first))
        }
        const kept = [{ plan, tag }, ...(signed ?? []), ...(unsigned ?? [])]
        await local.set({ [COSIGNED_KEY]: kept.slice(0, MAX_COSIGNED) })
      })
    },
    /** Runs a task while none of them is written. */
    hold: inTurn,
    /** What storage holds with these too, all of them signed; one with the same id stays as it is. Throws as putCosigned does. */
    async entriesWithCosigned(
      added: readonly CosignedPlan[],
    ): Promise<{ [key: string]: readonly TaggedPlan[] }> {
      const own = await loadTagged()
      const fresh = added.filter(({ id }) => !own.some(({ plan }) => plan.id === id))
      const tagged = await Promise.all(
        fresh.map(async plan => {
          const tag = await records.tagValue(COSIGNED_KEY, plan)
          if (tag === null) throw new RecordsLockedError()
          return { plan, tag }
        }),
      )
      const signed = [...tagged, ...own.filter(({ plan }) => plan.cosigned.isSigned)]
      const [first, ...more] = signed.map(({ plan }) => plan)
      if (first && signed.length > MAX_COSIGNED)
        throw new TooManyCosignedError(more.reduce(older, first))
      const unsigned = own.filter(({ plan }) => !plan.cosigned.isSigned)
      return { [COSIGNED_KEY]: [...signed, ...unsigned].slice(0, MAX_COSIGNED) }
    },
    /** Leaves out those that are not to be kept. */
    keepCosigned(isKept: (plan: CosignedPlan) => boolean): Promise<void> {
      return inTurn(async () => {
        const kept = (await loadTagged()).filter(({ plan }) => isKept(plan))
        await local.set({ [COSIGNED_KEY]: kept })
      })
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

  /** Those that the wallet itself wrote; none while it is locked. */
  async function loadCosigned(): Promise<readonly CosignedPlan[]> {
    const tagged = await loadTagged()
    const checked = await Promise.all(
      tagged.map(async ({ plan, tag }) => {
        const own = await records.tagValue(COSIGNED_KEY, plan)
        return own !== null && own === tag ? [plan] : []
      }),
    )
    return checked.flat()
  }

  /** What is no plan at all fails its check. */
  async function loadTagged(): Promise<readonly TaggedPlan[]> {
    const stored = await local.get(COSIGNED_KEY)
    return Array.isArray(stored) ? stored.filter(one => Object(Object(one).plan) === one?.plan) : []
  }

  /** Only this module writes it. */
  async function load(): Promise<readonly StoredPlan[]> {
    const stored = await session.get(STORAGE_KEY)
    return Array.isArray(stored) ? stored : []
  }
}

function older(one: CosignedPlan, other: CosignedPlan): CosignedPlan {
  return other.plan.at < one.plan.at ? other : one
}

export type Plans = ReturnType<typeof createPlans>

/** The parts of the wallet that settle a plan of our own pages. */
export type ConfirmationParts = SigningParts &
  NameParts & {
    signer: Pick<Signer, 'findOwnSigners' | 'cosign'>
  } & SendingParts & {
    accounts: Pick<Accounts, 'network' | 'selected' | 'list'>
    activity: Pick<Activity, 'setLabel'>
    plans: Plans
    /** Choosing coins and storing the choice is one step: nobody else chooses in between. */
    planInTurn: Mutex
  }

/** Keeps a plan for its confirmation, and resolves what the person is shown. */
export async function storePlan(
  { wallet, network, account }: PayingContext<{ plans: Pick<Plans, 'put'> }>,
  random: RandomSource,
  plan: Plan,
  label: string,
): Promise<PaymentPlanView> {
  const id = toHex(random(16))
  const entry = { id, network, accountId: account.id, label, plan, txid: null }
  const digest = digestOf(entry)
  await wallet.plans.put({ ...entry, digest })
  return { planId: id, digest, review: plan.review }
}

/** What the device that has the account's key is to sign of a plan. Throws PLAN_OUTDATED, and -32602 where the wallet has the key. */
export async function describeDeviceTask(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
): Promise<{ task: SignOnDeviceReview; review: PaymentReview }> {
  const stored = await findPlan(wallet, planId, digest)
  const context = await payFromSelected(wallet)
  const plan = requirePlan(stored, context)
  const { account } = context
  if (account.source !== 'device')
    throw invalidParams('planId', planId, 'a payment of an account whose key is on a device')
  return { task: await describePlanTask(context, account, plan), review: plan.review }
}

/**
 * Signs a plan exactly as it was shown, and sends it; `returned` is what came back from the device of the account (as
 * `parseReturned` takes it), null where the wallet has the key. Called again with the same plan, in another worker too, it is
 * the same transaction. Throws PLAN_OUTDATED when it has to be worked out anew; nothing was signed here then.
 */
export async function confirmPlan(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
  returned: string | null,
): Promise<PaymentResult> {
  // One at a time: nobody else chooses the coins of this plan meanwhile.
  const { plan, network, txid } = await findPlan(wallet, planId, digest)
  if (plan && txid === null) await assertNamesCurrent({ wallet, network }, plan)
  const record = await wallet.planInTurn(() => settlePlan(wallet, planId, digest, returned))
  return sendRecord(wallet, record)
}

/** The record of a plan's transaction, which is stored when this resolves and not sent yet if it is new. */
async function settlePlan(
  wallet: ConfirmationParts,
  planId: string,
  digest: string,
  returned: string | null,
): Promise<SentRecord> {
  const stored = await findPlan(wallet, planId, digest)
  const signed = await findRecord(wallet, stored)
  if (signed) return signed
  const context = await payFromSelected(wallet)
  const current = requirePlan(stored, context)
  await assertUnclaimed(context, current)
  const record = await signPlan(context, current, null, deviceThatReturned(returned))
  const { txid } = record
  const { network, label } = stored
  await wallet.plans.put({ ...stored, txid })
  if (label !== '') await wallet.activity.setLabel(network, txid, label)
  await wallet.activity.record(record)
  await wallet.plans.put({ ...stored, txid, plan: null })
  return record
}

/** The record of a plan. A refused record of the same transaction, from before the plan was signed, does not count. */
export async function findRecord(
  { activity }: Pick<ConfirmationParts, 'activity'>,
  { txid, network, accountId, plan }: StoredPlan,
): Promise<SentRecord | undefined> {
  if (!txid) return undefined
  const sent = await activity.listSent(network, accountId)
  const record = sent.find(one => one.txid === txid)
  return record?.status === 'failed' && plan ? undefined : record
}

/** A plan as it was shown. Throws PLAN_OUTDATED. */
export async function findPlan(
  { plans }: Pick<ConfirmationParts, 'plans'>,
  planId: string,
  digest: string,
): Promise<StoredPlan> {
  const stored = await plans.find(planId)
  if (stored?.digest !== digest) throw planOutdated('This payment is not known any more.')
  return stored
}

/** The plan, of the account in use. Throws PLAN_OUTDATED. */
export function requirePlan(
  { plan, network, accountId }: StoredPlan,
  context: PayingContext<ConfirmationParts>,
): Plan {
  if (!plan || context.network !== network || context.account.id !== accountId)
    throw planOutdated('The account in use is another one.')
  return plan
}

/** The device of our own pages, which have shown it the PSBTs before. */
export function deviceThatReturned(returned: string | null): SigningDevice {
  return {
    async sign(review) {
      if (returned === null)
        throw invalidParams('returned', returned, 'what the device of this account signed')
      return decodeReturned(parseReturned(review, returned))
    },
  }
}

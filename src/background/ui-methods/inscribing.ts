import { invalidParams, ProviderError } from '../../provider/errors.ts'
import { parseFeeRateParam, parseIndex, parseString } from '../../provider/params.ts'
import { type PaymentContext, payFromSelected } from '../accounts/payment-context.ts'
import { parseLabel } from '../activity/labels.ts'
import { assertUnhindered } from '../brc20/brc20.ts'
import type { Brc20Parts } from '../brc20/brc20-parts.ts'
import { validateItems } from '../brc20/inscribe-validation.ts'
import type { ContentParts } from '../collectibles/inscription-content.ts'
import { parseEtchingDraft } from '../inscribing/etching-draft.ts'
import { planEtching } from '../inscribing/etching-plan.ts'
import {
  encodeOperation,
  type ItemValidation,
  parseDraftItems,
  parseMetadata,
} from '../inscribing/inscribe-items.ts'
import { planInscribing } from '../inscribing/inscribe-plan.ts'
import { type InscribePlans, storeInscribePlan } from '../inscribing/inscribe-plans.ts'
import { planJobBump } from '../inscribing/job-bump.ts'
import type { JobChange, JobChangeParts } from '../inscribing/job-change.ts'
import {
  confirmInscribing,
  describeInscribeTask,
  type InscribeConfirmationParts,
} from '../inscribing/job-confirmation.ts'
import { loadItemContent } from '../inscribing/job-content.ts'
import type { JobRecord } from '../inscribing/job-record.ts'
import { planJobRefund } from '../inscribing/job-refund.ts'
import { discardJob, refreshJob, resumeJob } from '../inscribing/job-run.ts'
import { stateOf } from '../inscribing/job-state.ts'
import { viewJob } from '../inscribing/job-view.ts'
import type { Jobs } from '../inscribing/jobs.ts'
import { parseAddressParam } from '../payments/payment-plan.ts'
import { digestOf } from '../primitives/digest.ts'
import { withTimeout } from '../primitives/timeout.ts'
import type { Servers } from '../settings/servers.ts'
import type { Brc20Obstacle } from '../views/brc20-views.ts'
import type { InscribePlanView } from '../views/inscribe-views.ts'
import { parseGivenFeeRate, parseInscriptionIdParam, parseTicker } from './params.ts'
import {
  loadSelected,
  type SelectionParts,
  type UiContext,
  type UiMethodsOf,
} from './ui-context.ts'

/** More sats than this on an inscription are taken for a mistake. */
const MAX_POSTAGE = 10_000

/** Sats that go along with tokens: the least that every kind of address takes. */
const SENT_POSTAGE = 546n

/** Characters of an amount of tokens. */
const MAX_AMOUNT = 40

/** What is stored is shown after this, whether the server answered or not. */
const REFRESH_TIMEOUT_MS = 5000
const RESUME_TIMEOUT_MS = 10_000

export type InscribingMethodParts = JobChangeParts &
  InscribeConfirmationParts &
  Brc20Parts &
  ContentParts &
  SelectionParts & {
    inscribePlans: Pick<InscribePlans, 'add'>
    servers: Pick<Servers, 'urls'>
  }

/**
 * Inscribing from our own pages, and the jobs of the account in use: a job is a commit with its reveals. As with payments, a
 * plan signs nothing; only `confirmInscribe` does. A job of another account is never shown or touched.
 */
export const inscribingMethods = {
  async planInscribe({ wallet, random }, draft) {
    const label = parseLabel(draft.label)
    const parent = draft.parent === null ? null : parseInscriptionIdParam(draft.parent)
    const metadata = parseMetadata(draft.metadata)
    const order = {
      items: parseDraftItems(draft.items, parent).map(({ content, operation }) => ({
        content: metadata === null ? content : { ...content, metadata },
        operation,
      })),
      postage: BigInt(parseIndex('postage', draft.postage, MAX_POSTAGE)),
      feeRate: parseFeeRateParam('feeRate', draft.feeRate),
      // The same draft takes the same coins, whatever its fee rate.
      seed: digestOf(draft.items),
      delivery: null,
    }
    const context = await payFromSelected(wallet)
    const validated = await validateItems(context, order.items, parent)
    return storeInscribePlan(
      context,
      random,
      await planInscribing(context, order, validated),
      label,
    )
  },

  async planBrc20Send({ wallet, random }, draft) {
    const tick = parseTicker(draft.tick)
    const amount = parseString('amount', draft.amount, MAX_AMOUNT)
    const to = parseString('to', draft.to, 100).trim()
    const label = parseLabel(draft.label)
    const items = [encodeOperation('amount', { op: 'transfer', tick, amt: amount })]
    const feeRate = parseFeeRateParam('feeRate', draft.feeRate)
    const context = await payFromSelected(wallet)
    const scriptPubKey = parseAddressParam('to', to, context.network)
    const order = {
      ...{ items, postage: SENT_POSTAGE, feeRate, seed: digestOf([tick, amount, to]) },
      delivery: { to, tick, amount, scriptPubKey },
    }
    const validated = await validateItems(context, items, null)
    assertCounted(amount, validated)
    return storeInscribePlan(
      context,
      random,
      await planInscribing(context, order, validated),
      label,
    )
  },

  async planRuneEtching({ wallet, random }, draft) {
    const label = parseLabel(draft.label)
    const [inscribed] = draft.inscription === null ? [] : parseDraftItems([draft.inscription], null)
    const order = {
      etching: parseEtchingDraft(draft),
      content: inscribed?.content ?? null,
      postage: BigInt(parseIndex('postage', draft.postage, MAX_POSTAGE)),
      feeRate: parseFeeRateParam('feeRate', draft.feeRate),
      seed: digestOf([draft.name, draft.inscription]),
    }
    const context = await payFromSelected(wallet)
    return storeInscribePlan(context, random, await planEtching(context, order), label)
  },

  async planJobBump(context, params) {
    return planChange(context, params, planJobBump)
  },

  async planJobRefund(context, params) {
    return planChange(context, params, planJobRefund)
  },

  async getInscribeTask({ wallet }, { planId, digest }) {
    const shown = parseString('digest', digest, 64)
    return describeInscribeTask(wallet, parseString('planId', planId, 64), shown)
  },

  async confirmInscribe({ wallet }, { planId, digest, returned = null }) {
    const shown = parseString('digest', digest, 64)
    const id = parseString('planId', planId, 64)
    await assertEffectsStand(wallet, id)
    return confirmInscribing(wallet, id, shown, returned)
  },

  async getJobs({ wallet }) {
    const jobs = await listOwnJobs(wallet)
    // A job that the person discarded is shown again only when the network has its commit after all.
    const shown = jobs.filter(job => job.lifecycle !== 'discarded' || stateOf(job) !== 'ended')
    return Promise.all(shown.map(job => viewJob(wallet, job)))
  },

  async getJob({ wallet }, { jobId }) {
    const { id } = await findOwnJob(wallet, jobId)
    await withTimeout(REFRESH_TIMEOUT_MS, refreshJob(wallet, id))
    return viewJob(wallet, await findOwnJob(wallet, jobId))
  },

  async getJobContent({ wallet }, { jobId, item }) {
    const job = await findOwnJob(wallet, jobId)
    return loadItemContent(wallet, job, parseIndex('item', item, job.items.length - 1))
  },

  async resumeJob({ wallet }, { jobId }) {
    const { id } = await findOwnJob(wallet, jobId)
    await withTimeout(RESUME_TIMEOUT_MS, resumeJob(wallet, id))
    return viewJob(wallet, await findOwnJob(wallet, jobId))
  },

  async discardJob({ wallet }, { jobId }) {
    await discardJob(wallet, (await findOwnJob(wallet, jobId)).id)
    return null
  },
} satisfies UiMethodsOf<InscribingMethodParts>

/** Throws -32602 for a transfer that no index would count as things are: whoever is to get the tokens would get none. */
function assertCounted(amount: string, { effects }: ItemValidation): void {
  const obstacles = effects.flatMap(effect => effect?.obstacles ?? [])
  const hindrance = obstacles.find(obstacle => obstacle !== 'order')
  if (hindrance === undefined) return
  const { message } = invalidParams('amount', amount, EXPECTED[hindrance] ?? 'what counts')
  throw new ProviderError(-32602, message, { data: { reason: hindrance } })
}

/** What the amount would have to be, by what stands against it. */
const EXPECTED: { [obstacle in Brc20Obstacle]?: string } = {
  'not-deployed': 'of a token that is deployed',
  'too-precise': 'no more decimals than the token has',
  insufficient: 'at most what is available by the word of the BRC-20 server',
}

/** Throws PLAN_OUTDATED where BRC-20 operations of a plan that is not signed yet would not do what was shown. */
async function assertEffectsStand(wallet: InscribingMethodParts, planId: string): Promise<void> {
  const { plan } = (await wallet.inscribePlans.find(planId)) ?? {}
  if (!plan || 'jobId' in plan || (await wallet.jobs.find(planId))) return
  const effects = plan.review.items.flatMap(({ brc20 }) => brc20 ?? [])
  if (effects.length > 0) await assertUnhindered(await payFromSelected(wallet), effects)
}

/** Works out a change of a job at a fee rate, and keeps it to be confirmed. Throws -32602, and what `plan` throws. */
async function planChange(
  { wallet, random }: UiContext<InscribingMethodParts>,
  params: { jobId: string; feeRate: number },
  plan: (
    context: PaymentContext<JobChangeParts>,
    jobId: string,
    feeRate: number,
  ) => Promise<JobChange>,
): Promise<InscribePlanView> {
  const feeRate = parseGivenFeeRate(params.feeRate)
  const context = await payFromSelected(wallet)
  const change = await plan(context, parseString('jobId', params.jobId, 64), feeRate)
  return storeInscribePlan(context, random, change, '')
}

type OwnJobParts = SelectionParts & { jobs: Pick<Jobs, 'list'> }

/** Jobs of the addresses in use, newest first, also from before it was removed and added again. Throws 4100 while locked. */
async function listOwnJobs(wallet: OwnJobParts): Promise<JobRecord[]> {
  const { network, account } = await loadSelected(wallet)
  const jobs = await wallet.jobs.list()
  const own = [account.address, account.ordinals?.address]
  return jobs.filter(job => job.network === network && own.includes(job.address))
}

/** Throws -32602 for a job of another account. */
async function findOwnJob(wallet: OwnJobParts, jobId: unknown): Promise<JobRecord> {
  const id = parseString('jobId', jobId, 64)
  const job = (await listOwnJobs(wallet)).find(one => one.id === id)
  if (!job) throw invalidParams('jobId', id, 'a job of this account')
  return job
}

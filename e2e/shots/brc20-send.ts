import type { ContentView } from '../../src/background/views/asset-views.ts'
import type { DeliveryProgress } from '../../src/background/views/delivery-views.ts'
import type {
  InscribeReview,
  JobItemState,
  JobView,
} from '../../src/background/views/inscribe-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND } from './fixtures/activity.ts'
import { inscribeReviewOf, tokenItem } from './fixtures/assets/inscribe-reviews.ts'
import { ORDI } from './fixtures/assets/tokens.ts'
import { jobOf, NO_WAYS } from './fixtures/jobs.ts'
import { OPEN, pressReview } from './fixtures/payment-form.ts'
import { UNREACHABLE } from './fixtures/servers.ts'
import { failing, SETTINGS, type Shot, silent, stateWith, TAPROOT, value } from './shot.ts'

const german: Partial<WalletState> = { settings: { ...SETTINGS, language: 'de' } }

const OPERATION = { op: 'transfer', tick: 'ordi', amt: '12.5' } as const
const DELIVERY = {
  ...{ to: FRIEND, tick: 'ordi', amount: '12.5', name: 'Alice' },
  ...{ script: '0014', fee: '770', vsize: 110 },
}

function reviewOf(changes: Partial<InscribeReview> = {}): InscribeReview {
  const item = tokenItem(OPERATION, {
    before: { available: '950', transferable: '350' },
    after: { available: '937.5', transferable: '362.5' },
  })
  const review = inscribeReviewOf([item], { delivery: DELIVERY })
  const totalFee = Number(review.totalFee) + Number(DELIVERY.fee)
  return { ...review, totalFee: `${totalFee}`, cost: `${totalFee + 546}`, ...changes }
}

async function fill({ page }: Screen): Promise<void> {
  await page.waitForSelector('[data-testid="brc20-amount"]')
  await page.type('[data-testid="brc20-amount"]', '12.5')
}

async function review(screen: Screen): Promise<void> {
  await fill(screen)
  await screen.fill('textbox', 'To', FRIEND)
  await pressReview(screen)
  await screen.page.waitForSelector('[data-testid="approve"]')
}

async function scrollDown({ page }: Screen): Promise<void> {
  await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 100_000))
}

function form(name: string, rest: Partial<Shot> & { with?: Shot['answers'] } = {}): Shot {
  const { with: answers, ...shot } = rest
  return {
    name: `brc20-send${name}`,
    path: '/brc20/send/ordi',
    answers: { ...OPEN, getBrc20Token: value(ORDI), ...answers },
    act: async ({ page }) => {
      await page.waitForSelector('[data-testid="brc20-amount"]')
    },
    ...shot,
  }
}

function planned(review: InscribeReview) {
  return { planBrc20Send: value({ planId: '1', digest: '1', review }) }
}

function jobShot(
  name: string,
  state: JobView['state'],
  reveal: JobItemState,
  delivery: DeliveryProgress['state'],
  changes: Partial<JobView> = {},
  rest: Partial<Shot> & { with?: Shot['answers'] } = {},
): Shot {
  const { with: answers, ...shot } = rest
  const txid = 'd0'.repeat(32)
  const base = jobOf(state, [reveal])
  const [item] = base.items
  const job: JobView = {
    ...base,
    items: item ? [{ ...item, kind: 'brc-20', contentType: 'text/plain', contentLength: 57 }] : [],
    delivery: {
      ...{ to: FRIEND, tick: 'ordi', amount: '12.5', fee: '770' },
      ...{ state: delivery, txid, explorerUrl: null },
    },
    ...changes,
  }
  const content: ContentView = {
    ...{ kind: 'brc-20', op: 'transfer', tick: 'ordi', amount: '12.5' },
    text: '{"p":"brc-20","op":"transfer","tick":"ordi","amt":"12.5"}',
  }
  return {
    name: `brc20-send-job-${name}`,
    path: `/inscribe/jobs/${job.id}`,
    answers: {
      ...OPEN,
      getJob: value(job),
      getJobs: value([job]),
      getJobContent: value(content),
      ...answers,
    },
    ...shot,
  }
}

const STUCK: Partial<JobView> = {
  problem: {
    kind: 'refused',
    detail: 'sendrawtransaction RPC error: {"code":-26,"message":"dust"}',
  },
  can: { ...NO_WAYS, resume: true, discard: true },
}

export const shots: Shot[] = [
  form(''),
  form('-german', { with: { getState: value(stateWith(german)) } }),
  form('-end', {
    act: async screen => {
      await fill(screen)
      await scrollDown(screen)
    },
  }),
  form('-tried', { act: pressReview }),
  form('-too-much', {
    act: async ({ page }) => {
      await page.waitForSelector('[data-testid="brc20-amount"]')
      await page.type('[data-testid="brc20-amount"]', '5000')
    },
  }),
  form('-loading', { with: { getBrc20Token: silent } }),
  form('-offline', {
    with: {
      getBrc20Token: value({ ...ORDI, token: null, transferables: [], problem: UNREACHABLE }),
    },
  }),
  form('-refused', {
    with: { planBrc20Send: failing(-32602, 'amount: at most what is available') },
    act: async screen => {
      await fill(screen)
      await screen.fill('textbox', 'To', FRIEND)
      await pressReview(screen)
    },
  }),
  form('-review', { with: planned(reviewOf()), act: review }),
  form('-review-end', {
    with: planned(reviewOf()),
    act: async screen => {
      await review(screen)
      await scrollDown(screen)
    },
  }),
  form('-review-unchecked', {
    with: planned(
      reviewOf({
        items: [tokenItem(OPERATION, { checked: false, before: null, after: null })],
        delivery: { ...DELIVERY, name: null },
      }),
    ),
    act: review,
  }),
  form('-watched', {
    with: {
      getState: value(
        stateWith({
          accounts: [
            {
              ...{ id: TAPROOT.id, name: 'Cold storage', source: 'watch', addressType: 'p2tr' },
              ...{
                address: TAPROOT.address,
                publicKey: null,
                descriptor: null,
                ordinals: null,
                derivationPath: null,
                hidden: false,
              },
            },
          ],
        }),
      ),
    },
    act: async ({ page }) => {
      await page.waitForSelector('main h1')
    },
  }),
  jobShot('waiting', 'waiting', 'pending', 'pending', {
    can: { ...NO_WAYS, bump: { leastFeeRate: 9 }, refund: { leastFeeRate: 10 } },
  }),
  jobShot('revealing', 'revealing', 'confirmed', 'waiting', { can: { ...NO_WAYS, resume: true } }),
  jobShot('done', 'done', 'confirmed', 'confirmed'),
  jobShot(
    'done-german',
    'done',
    'confirmed',
    'confirmed',
    {},
    {
      with: { getState: value(stateWith(german)) },
    },
  ),
  jobShot('stuck', 'stuck', 'confirmed', 'refused', STUCK),
  jobShot('keep', 'stuck', 'confirmed', 'refused', STUCK, {
    act: async screen => {
      await screen.click('button', 'Keep it here*')
      await screen.find('dialog')
    },
  }),
  jobShot('kept', 'done', 'confirmed', 'kept'),
]

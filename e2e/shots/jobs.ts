import type { CommitRefundView, JobView } from '../../src/background/views/inscribe-views.ts'
import type { Screen } from '../driver/screen.ts'
import { imageItem, inscribePlanOf, inscribeReviewOf } from './fixtures/assets/inscribe-reviews.ts'
import {
  DONE,
  DONE_MANY,
  ENDED,
  GONE,
  JOB_CONTENT,
  JOBS,
  REFUNDED,
  REFUNDING,
  REORGANISED,
  REVEALING,
  SENDING,
  STUCK,
  WAITING,
} from './fixtures/jobs.ts'
import { OPEN as FORM, pressReview } from './fixtures/payment-form.ts'
import { scrollDown } from './fixtures/scroll-down.ts'
import {
  type Answers,
  failing,
  GERMAN,
  HIDDEN,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  value,
} from './shot.ts'

const OPEN: Answers = { ...FORM, getJobs: value(JOBS), getJobContent: JOB_CONTENT }

type Changes = Partial<Shot> & { with?: Answers }

function job(name: string, shown: JobView, { with: answers, ...rest }: Changes = {}): Shot {
  return {
    name: `job-${name}`,
    path: `/inscribe/jobs/${shown.id}`,
    answers: { ...OPEN, getJob: value(shown), ...answers },
    ...rest,
  }
}

const refundOf = (items: number) =>
  inscribeReviewOf(Array(items).fill({ ...imageItem(), fee: '0', vsize: 0 }), {
    ...{ purpose: 'refund', jobId: null, previousFee: null, totalFee: '1830', cost: '-39700' },
    postage: '0',
  })

const FOUND: CommitRefundView = {
  ...{ state: 'found', txid: 'c1'.repeat(32), outputs: 2, sats: '41530', confirmed: false },
  ...{ leastFeeRate: 1, plan: inscribePlanOf(refundOf(2)) },
}

const WATCHED = {
  ...{ id: '0a'.repeat(16), name: 'Vault', source: 'watch' as const, addressType: null },
  ...{ address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' },
  ...{ publicKey: null, descriptor: null, ordinals: null, derivationPath: null, hidden: false },
}

/** The way back for the money of a commit without a job. */
function recover(
  name: string,
  answers: Answers,
  act?: Shot['act'],
  more: Partial<Shot> = {},
): Shot {
  return {
    name: name === '' ? 'recover' : `recover-${name}`,
    path: '/inscribe/recover',
    answers: { ...OPEN, ...answers },
    ...(act && { act }),
    ...more,
  }
}

async function look(screen: Screen): Promise<void> {
  await screen.fill('textbox', 'Text that was*', 'gm')
  await screen.click('button', 'Search')
}

export const shots: Shot[] = [
  {
    name: 'jobs-list',
    path: '/inscribe/jobs',
    answers: OPEN,
  },
  { name: 'jobs-hidden', path: '/inscribe/jobs', answers: { ...OPEN, ...HIDDEN } },
  { name: 'jobs-german', path: '/inscribe/jobs', answers: { ...OPEN, ...GERMAN } },
  {
    name: 'jobs-empty',
    path: '/inscribe/jobs',
    answers: { ...OPEN, getJobs: value([]) },
  },
  {
    name: 'jobs-loading',
    path: '/inscribe/jobs',
    answers: { ...OPEN, getJobs: silent },
  },
  {
    name: 'jobs-error',
    path: '/inscribe/jobs',
    answers: { ...OPEN, getJobs: failing(-32603, 'Internal error') },
  },
  job('sending', SENDING),
  job('revealing', REVEALING),
  job('revealing-german', REVEALING, { with: GERMAN }),
  job('revealing-end', REVEALING, { act: scrollDown }),
  job('revealing-tab', REVEALING, { surface: 'tab' }),
  job('waiting', WAITING),
  job('stuck', STUCK),
  job('stuck-german', STUCK, { with: GERMAN }),
  job('gone', GONE),
  job('discard', GONE, {
    act: async screen => {
      await screen.click('button', 'Discard*')
      await screen.find('dialog')
    },
  }),
  job('reorganised', REORGANISED),
  job('done', DONE),
  job('done-many', DONE_MANY, { act: scrollDown }),
  job('refunding', REFUNDING),
  job('refunded', REFUNDED),
  job('ended', ENDED, { with: GERMAN }),
  job('loading', DONE, { with: { getJob: silent } }),
  job('error', DONE, { with: { getJob: SILENT_SERVER } }),
  job('bump', STUCK, { path: `/inscribe/jobs/${STUCK.id}/bump` }),
  job('bump-review', STUCK, {
    path: `/inscribe/jobs/${STUCK.id}/bump`,
    with: {
      planJobBump: value(
        inscribePlanOf(
          inscribeReviewOf([imageItem(), imageItem(), imageItem()], {
            purpose: 'bump',
            jobId: STUCK.id,
            previousFee: '41000',
            cost: '91360',
          }),
        ),
      ),
    },
    act: pressReview,
  }),
  job('refund', REVEALING, {
    path: `/inscribe/jobs/${REVEALING.id}/refund`,
    with: GERMAN,
  }),
  job('refund-review', REVEALING, {
    path: `/inscribe/jobs/${REVEALING.id}/refund`,
    with: {
      planJobRefund: value(
        inscribePlanOf(
          inscribeReviewOf([imageItem(), imageItem()], {
            purpose: 'refund',
            jobId: REVEALING.id,
            previousFee: '2408',
            totalFee: '1830',
            cost: '-39700',
          }),
        ),
      ),
    },
    act: pressReview,
  }),
  recover('', {}),
  recover('german', GERMAN),
  recover('tab', {}, async () => {}, { surface: 'tab' }),
  recover('more', {}, async screen => {
    await screen.click('button', 'Rune, parent, metadata, hash')
    await scrollDown(screen)
  }),
  recover('no-match', { planCommitRefund: value({ state: 'no-match' }) }, look),
  recover('no-transaction', { planCommitRefund: value({ state: 'no-transaction' }) }, look),
  recover('spent', { planCommitRefund: value({ state: 'spent' }) }, look),
  recover('job', { planCommitRefund: value({ state: 'job', jobId: DONE.id }) }, look),
  recover('looking', { planCommitRefund: silent }, look),
  recover('offline', { planCommitRefund: SILENT_SERVER }, look),
  recover('found', { planCommitRefund: value(FOUND) }, look),
  recover('found-german', { ...GERMAN, planCommitRefund: value(FOUND) }, async screen => {
    await screen.fill('textbox', 'Text, der*', 'gm')
    await screen.click('button', 'Suchen')
    await screen.waitForText('Netzwerkgebühr')
  }),
  recover('review', { planCommitRefund: value(FOUND) }, async screen => {
    await look(screen)
    await pressReview(screen)
  }),
  recover(
    'review-hash',
    { planCommitRefund: value({ ...FOUND, plan: inscribePlanOf(refundOf(0)) }) },
    async screen => {
      await look(screen)
      await pressReview(screen)
    },
  ),
  recover(
    'not-taken',
    {
      planCommitRefund: value(FOUND),
      takeCommitRefund: failing(-32000, 'min relay fee not met', { reason: 'BROADCAST_REJECTED' }),
    },
    async screen => {
      await look(screen)
      await pressReview(screen)
      await screen.clickTestId('approve')
      await screen.find('alert')
    },
  ),
  {
    name: 'recover-watched',
    path: '/inscribe/recover',
    answers: {
      ...OPEN,
      getState: value(stateWith({ accounts: [WATCHED], accountId: WATCHED.id })),
    },
  },
  job('change-late', DONE, { path: `/inscribe/jobs/${DONE.id}/bump` }),
]

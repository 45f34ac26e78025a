import type { JobView } from '../../src/background/views/inscribe-views.ts'
import { imageItem, inscribePlanOf, inscribeReviewOf } from './fixtures/inscribe-reviews.ts'
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
import { type Answers, failing, GERMAN, type Shot, SILENT_SERVER, silent, value } from './shot.ts'

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

export const shots: Shot[] = [
  {
    name: 'jobs-list',
    path: '/inscribe/jobs',
    answers: OPEN,
  },
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
      await screen.click('button', 'Forget it*')
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
  job('change-late', DONE, { path: `/inscribe/jobs/${DONE.id}/bump` }),
]

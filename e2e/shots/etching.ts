import type { EtchingView } from '../../src/background/views/etching-views.ts'
import type { InscribeItemView, JobView } from '../../src/background/views/inscribe-views.ts'
import type { Screen } from '../driver/screen.ts'
import { approvalShot, german, small } from './fixtures/approval-shot.ts'
import { CAT, etchingJobOf, etchingReviewOf, LONGEST } from './fixtures/assets/etching.ts'
import { imageItem, inscribePlanOf } from './fixtures/assets/inscribe-reviews.ts'
import { JOB_CONTENT } from './fixtures/jobs.ts'
import { OPEN as FORM, pressReview } from './fixtures/payment-form.ts'
import { scrollDown } from './fixtures/scroll-down.ts'
import {
  type Answers,
  failing,
  GERMAN,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

type Changes = Partial<Shot> & { with?: Answers }

const planOf = (shown: EtchingView, items?: InscribeItemView[]): Answers => ({
  planRuneEtching: value(inscribePlanOf(etchingReviewOf(shown, items))),
})

const OPEN: Answers = { ...FORM, ...planOf(CAT) }

function form(name: string, { with: answers, ...rest }: Changes = {}): Shot {
  return { name: `etching${name}`, path: '/runes/etch', answers: { ...OPEN, ...answers }, ...rest }
}

async function fillForm(screen: Screen): Promise<void> {
  await screen.fill('textbox', 'Name', 'satchel cat coin')
  await screen.fill('textbox', 'Symbol', '🐈')
  await screen.fill('textbox', 'Decimals', '2')
  await screen.fill('textbox', 'Premine', '1000000')
}

async function fillTerms(screen: Screen): Promise<void> {
  await fillForm(screen)
  await screen.click('switch', 'Anyone can mint it')
  await screen.fill('textbox', 'Each mint', '100')
  await screen.fill('textbox', 'Number of mints', '210000')
}

async function review(screen: Screen): Promise<void> {
  await fillForm(screen)
  await pressReview(screen)
  await screen.find('heading', 'You etch *')
}

async function reviewGerman(screen: Screen): Promise<void> {
  await screen.fill('textbox', 'Name', 'satchel cat coin')
  await screen.fill('textbox', 'Zeichen', '🐈')
  await screen.fill('textbox', 'Vorabanteil', '1000000')
  await screen.click('button', 'Prüfen')
  await screen.find('heading', 'Du ätzt *')
}

async function refuse(screen: Screen): Promise<void> {
  await fillForm(screen)
  await pressReview(screen)
  await screen.find('alert', '*')
}

function job(name: string, shown: JobView, { with: answers, ...rest }: Changes = {}): Shot {
  return {
    name: `etching-job-${name}`,
    path: `/inscribe/jobs/${shown.id}`,
    answers: { ...OPEN, getJobContent: JOB_CONTENT, getJob: value(shown), ...answers },
    ...rest,
  }
}

const TAKEN = 'd'.repeat(64)
const STOPPED = etchingJobOf('stuck', 5, {
  ...{ takenBy: TAKEN, problem: { kind: 'name-taken', detail: TAKEN } },
  can: { resume: false, bump: null, refund: { leastFeeRate: 1 }, discard: false },
})
const NO_WAY = { resume: false, bump: null, refund: null, discard: false }

export const shots: Shot[] = [
  form(''),
  form('-german', { with: GERMAN }),
  form('-tab', { surface: 'tab' }),
  form('-down', { act: scrollDown }),
  form('-filled', { act: fillForm }),
  form('-terms', {
    act: async screen => {
      await fillTerms(screen)
      await screen.page.select('section select', 'offset')
    },
  }),
  form('-errors', { act: pressReview }),
  form('-errors-down', {
    act: async screen => {
      await screen.click('switch', 'Anyone can mint it')
      await pressReview(screen)
      await scrollDown(screen)
    },
  }),
  form('-taken', {
    with: {
      planRuneEtching: failing(-32000, '', {
        ...{ reason: 'NAME_TAKEN', name: CAT.name, etching: TAKEN },
      }),
    },
    act: refuse,
  }),
  form('-locked', {
    with: { planRuneEtching: failing(-32602, '', { fault: 'locked', unlocked: 962_503 }) },
    act: refuse,
  }),
  form('-planning', {
    with: { planRuneEtching: silent },
    act: async screen => {
      await fillForm(screen)
      await pressReview(screen)
    },
  }),
  form('-watched', {
    with: {
      getState: value(
        stateWith({
          accounts: [
            {
              ...TAPROOT,
              source: 'watch',
              publicKey: null,
              descriptor: null,
              ordinals: null,
              derivationPath: null,
            },
          ],
        }),
      ),
    },
  }),

  form('-review', { act: review }),
  form('-review-down', {
    act: async screen => {
      await review(screen)
      await scrollDown(screen)
    },
  }),
  form('-review-german', { with: GERMAN, act: reviewGerman }),
  form('-review-german-down', {
    with: GERMAN,
    act: async screen => {
      await reviewGerman(screen)
      await scrollDown(screen)
    },
  }),
  form('-review-inscribed', {
    with: planOf({ ...CAT, isInscribed: true }, [imageItem()]),
    act: review,
  }),
  form('-review-longest', { with: planOf(LONGEST, [imageItem()]), act: review }),
  form('-review-tab', { surface: 'tab', act: review }),

  job('maturing-none', etchingJobOf('maturing', 0)),
  job('maturing', etchingJobOf('maturing', 3)),
  job('maturing-german', etchingJobOf('maturing', 3), { with: GERMAN }),
  job('maturing-down', etchingJobOf('maturing', 3), { act: scrollDown }),
  job('maturing-unanswered', etchingJobOf('maturing', 5), {
    with: {
      getJob: value(
        etchingJobOf('revealing', 5, {
          problem: { kind: 'unanswered', detail: 'GET /rune: no answer within 10 s' },
        }),
      ),
    },
  }),
  job('waiting', etchingJobOf('waiting', 5, { locked: '0' })),
  job('taken', STOPPED),
  job('taken-german', STOPPED, { with: GERMAN }),
  job(
    'taken-late',
    etchingJobOf('done', 6, {
      ...{ takenBy: TAKEN, problem: { kind: 'name-taken', detail: TAKEN } },
      ...{ can: NO_WAY, locked: '0' },
    }),
  ),
  job('done', etchingJobOf('done', 6, { can: NO_WAY, locked: '0' })),
  job('done-german', etchingJobOf('done', 6, { can: NO_WAY, locked: '0' }), { with: GERMAN }),
  job('done-longest', etchingJobOf('done', 6, { shown: LONGEST, can: NO_WAY, locked: '0' })),
  job('error', STOPPED, { with: { getJob: SILENT_SERVER } }),

  approvalShot('etching-approval', etchingReviewOf(CAT, [])),
  german(approvalShot('etching-approval', etchingReviewOf(CAT, []))),
  small(approvalShot('etching-approval', etchingReviewOf(CAT, []))),
]

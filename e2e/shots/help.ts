import { ALL_TERMS } from '../../src/popup/help/terms.ts'
import { signing } from '../../src/popup/testing/psbt-building.ts'
import type { Screen } from '../driver/screen.ts'
import { approvalShot } from './fixtures/approval-shot.ts'
import { OPEN } from './fixtures/payment-form.ts'
import { PAYMENT } from './fixtures/payments.ts'
import { WORSE } from './fixtures/psbts.ts'
import { type Answers, SETTINGS, type Shot, stateWith, value } from './shot.ts'

const NARROW = { width: 320, height: 700 }
const GERMAN = { settings: { ...SETTINGS, language: 'de' as const } }

const ANSWERS: Answers = { getState: value(stateWith()), touch: value(null) }
const GERMAN_ANSWERS: Answers = {
  ...ANSWERS,
  getState: value(stateWith(GERMAN)),
  getApproval: value(null),
  getTabSite: value({ origin: null, isConnected: false }),
}

/** Opens the help that stands on the screen, and waits for its texts. */
async function explain({ page }: Screen): Promise<void> {
  const help = await page.waitForSelector('button[aria-haspopup="dialog"][class*="help"]')
  await help?.evaluate(button => (button as HTMLElement).click())
  await page.waitForSelector('dialog[open] h3')
}

/** The list of words, each word, and a word over a form and over approvals. */
export const shots: Shot[] = [
  { name: 'help', path: '/help', answers: ANSWERS },
  { name: 'help-tab', surface: 'tab', path: '/help', answers: ANSWERS },
  { name: 'help-german', surface: 'panel', size: NARROW, path: '/help', answers: GERMAN_ANSWERS },
  ...ALL_TERMS.map(term => ({ name: `help-${term}`, path: `/help/${term}`, answers: ANSWERS })),
  {
    name: 'help-dust-german',
    surface: 'panel',
    size: NARROW,
    path: '/help/dust',
    answers: GERMAN_ANSWERS,
  },
  { name: 'help-coin-tab', surface: 'tab', path: '/help/coin', answers: ANSWERS },
  { name: 'help-over-form', path: '/send', answers: OPEN, act: explain },
  {
    name: 'help-over-form-german',
    surface: 'panel',
    size: NARROW,
    path: '/send',
    answers: { ...OPEN, ...GERMAN_ANSWERS },
    act: explain,
  },
  approvalShot('help-over-payment', PAYMENT, {}, explain),
  approvalShot('help-over-psbt', signing(WORSE), {}, explain),
]

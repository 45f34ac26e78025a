import type { ConfirmationProof } from '../../src/background/views/activity-views.ts'
import { signing } from '../../src/popup/testing/psbt-building.ts'
import type { Screen } from '../driver/screen.ts'
import { approvalShot } from './fixtures/approval-shot.ts'
import {
  ASSETS,
  BAD_SIGNATURE,
  BLANK,
  BURN,
  CLAIMED,
  CONFLICT,
  CROWD,
  DANGEROUS,
  EXTREME,
  FIFTY,
  HIGH_FEE,
  LISTING,
  listingOf,
  MOVE,
  PAIR,
  PAY,
  PAYJOIN,
  PAYOUT,
  PURCHASE,
  SENDING,
  SHARED,
  SHARED_GAIN,
  THOUSAND,
  THREE,
  UNKNOWN,
  UNKNOWN_AMOUNTS,
  WORSE,
} from './fixtures/psbts.ts'
import {
  APART,
  ONE_SIDED,
  ONE_SIDED_GIFT,
  PROMISED,
  PROMISED_AND_CLAIMED,
  PURCHASES,
  REUSED,
  UNASKED,
} from './fixtures/uncertain-psbts.ts'
import { inWideWindow, SETTINGS, type Shot, stateWith, value } from './shot.ts'

const psbt: typeof approvalShot = (name, ...rest) => approvalShot(`psbt-${name}`, ...rest)

/** Opens what is folded, the outermost first, and comes to what the picture is of. */
function open(...selectors: string[]): (screen: Screen) => Promise<void> {
  return async ({ page }) => {
    for (const selector of selectors) {
      await page.waitForSelector(selector)
      await page.click(selector)
    }
    await page.$eval(selectors.at(-1) ?? 'body', element => element.scrollIntoView())
  }
}

/** Comes to a part further down. */
function show(selector: string): (screen: Screen) => Promise<void> {
  return async ({ page }) => {
    await page.waitForSelector(selector)
    await page.$eval(selector, element => element.scrollIntoView())
  }
}

function german(shot: Shot): Shot {
  const state = value(stateWith({ settings: { ...SETTINGS, language: 'de' } }))
  return { ...shot, name: `${shot.name}-german`, answers: { ...shot.answers, getState: state } }
}

/** In a window of another size. */
function sized(name: string, width: number, height: number, shot: Shot): Shot {
  return {
    ...shot,
    name: `${shot.name}-${name}`,
    act: async screen => {
      await screen.page.setViewport({ width, height, deviceScaleFactor: 2 })
      await shot.act?.(screen)
    },
  }
}

const DETAILS = 'main > .fold__fold > summary'

type Proofs = (ConfirmationProof | null)[]

const PROVEN: ConfirmationProof = { is: 'proven', confirmations: 14, blocks: 14.2 }

/** What comes of the coins of a purchase, the one that is bought first. */
const PURCHASE_PROOFS: [name: string, proofs: Proofs][] = [
  ['proven', Array.from({ length: 5 }, () => PROVEN)],
  ['no-block', [{ is: 'unproven', fault: 'no-block' }, PROVEN, PROVEN, PROVEN, PROVEN]],
  ['unproven', [{ is: 'unproven', fault: 'merkle-proof' }, null, null, null, null]],
]

function withProofs(shot: Shot, proofs: Proofs): Shot {
  return { ...shot, answers: { ...shot.answers, getCoinProofs: value(proofs) } }
}

/** The first of what comes after the question is asked. */
const showProofs = show('.note-line__line, .notice__notice:has([role="alert"])')

export const shots: Shot[] = [
  psbt('pay', signing(PAY)),
  psbt('pay-sent', { ...signing(PAY), broadcast: true }),
  psbt('pair-sent', { ...PAIR, broadcast: true }),
  psbt('pay-details', signing(PAY), {}, open(DETAILS)),
  psbt('move', signing(MOVE)),
  psbt('three', signing(THREE)),
  psbt('payout', signing(PAYOUT)),
  psbt('payout-recipients', signing(PAYOUT), {}, show('.recipients__whoIsPaid')),
  psbt('payout-all', signing(PAYOUT), {}, open('.recipients__whoIsPaid .fold__fold > summary')),
  psbt('listing', signing(LISTING)),
  psbt('listing-details', signing(LISTING), {}, open(DETAILS)),
  psbt('purchase', signing(PURCHASE)),
  psbt('purchase-recipients', signing(PURCHASE), {}, show('.recipients__whoIsPaid')),
  ...PURCHASE_PROOFS.map(([name, proofs]) =>
    withProofs(psbt(`purchase-${name}`, signing(PURCHASE), {}, showProofs), proofs),
  ),
  german(
    withProofs(
      psbt('purchase-no-block', signing(PURCHASE), {}, showProofs),
      PURCHASE_PROOFS[1]?.[1] ?? [],
    ),
  ),
  withProofs(psbt('batch-unproven', signing(ASSETS, PURCHASE, LISTING), {}, showProofs), [
    { is: 'unproven', fault: 'merkle-proof' },
  ]),
  psbt('promised', signing(PROMISED)),
  psbt('promised-end', signing(PROMISED), {}, show('.facts__facts')),
  psbt('promised-claimed', signing(PROMISED_AND_CLAIMED)),
  psbt('unasked', signing(UNASKED)),
  psbt('assets', signing(ASSETS)),
  psbt('assets-end', signing(ASSETS), {}, open(DETAILS)),
  psbt('extreme', signing(EXTREME)),
  psbt('extreme-end', signing(EXTREME), {}, open(DETAILS)),
  psbt('unknown', signing(UNKNOWN)),
  psbt('batch-assets', signing(ASSETS, PURCHASE, LISTING)),
  psbt('payjoin', signing(PAYJOIN)),
  psbt('crowd', signing(CROWD)),
  ...inWideWindow(psbt('crowd', signing(CROWD))),
  psbt('worse', signing(WORSE)),
  psbt('blank', signing(BLANK)),
  psbt('shared', signing(SHARED)),
  psbt('shared-gain', signing(SHARED_GAIN)),
  psbt('burn', signing(BURN)),
  psbt('bad-signature', signing(BAD_SIGNATURE)),
  psbt('bad-signature-details', signing(BAD_SIGNATURE), {}, open(DETAILS)),
  psbt('unknown-amounts', signing(UNKNOWN_AMOUNTS)),
  psbt('unknown-amounts-details', signing(UNKNOWN_AMOUNTS), {}, open(DETAILS)),
  psbt('claimed', signing(CLAIMED)),
  psbt('high-fee', signing(HIGH_FEE)),
  psbt('thousand', signing(THOUSAND)),
  psbt(
    'thousand-details',
    signing(THOUSAND),
    {},
    open(DETAILS, '.psbt-parts__parts .fold__fold > summary'),
  ),
  psbt('batch', PAIR),
  psbt('batch-item', PAIR, {}, open('.batch-item__batch > li:nth-child(2) summary')),
  ...inWideWindow(
    psbt('batch-item', PAIR, {}, open('.batch-item__batch > li:nth-child(2) summary')),
  ),
  psbt('batch-purchases', PURCHASES),
  psbt('batch-fifty', FIFTY),
  psbt('batch-conflict', CONFLICT),
  psbt('batch-dangerous', DANGEROUS),
  psbt('batch-apart', APART),
  psbt('batch-one-sided', ONE_SIDED),
  psbt('batch-one-sided-list', ONE_SIDED, {}, show('.facts__facts')),
  psbt('batch-one-sided-gift', ONE_SIDED_GIFT),
  psbt('batch-reused', REUSED),
  psbt('batch-tiny', signing(listingOf(330, 9_000), listingOf(546, 1_000))),
  psbt('send-batch', SENDING),
  psbt('send-batch-item', SENDING, {}, open('.batch-item__batch > li:nth-child(2) summary')),
  ...[PURCHASE, LISTING, THOUSAND].map((view, index) =>
    sized('small', 360, 600, psbt(['purchase', 'listing', 'thousand'][index] ?? '', signing(view))),
  ),
  sized('small', 360, 600, psbt('assets', signing(ASSETS))),
  sized('small', 360, 600, psbt('batch-dangerous', DANGEROUS)),
  sized('wide', 1100, 800, psbt('purchase', signing(PURCHASE))),
  sized('wide', 1100, 800, psbt('batch-fifty', FIFTY)),
  sized('small', 360, 600, psbt('batch-one-sided', ONE_SIDED)),
  ...[
    psbt('listing', signing(LISTING)),
    psbt('promised', signing(PROMISED)),
    psbt('unasked', signing(UNASKED)),
    psbt('payout-recipients', signing(PAYOUT), {}, show('.recipients__whoIsPaid')),
    psbt('batch-one-sided', ONE_SIDED),
    psbt('batch-one-sided-gift', ONE_SIDED_GIFT),
    psbt('assets', signing(ASSETS)),
    psbt('unknown', signing(UNKNOWN)),
    psbt('blank', signing(BLANK)),
    psbt('worse', signing(WORSE)),
    psbt('claimed', signing(CLAIMED)),
    psbt('batch-dangerous', DANGEROUS),
    psbt('send-batch', SENDING),
    psbt('shared-gain', signing(SHARED_GAIN)),
    psbt('burn', signing(BURN)),
    psbt('batch-apart', APART),
    psbt('batch-purchases', PURCHASES),
    psbt('thousand-details', signing(THOUSAND), {}, open(DETAILS)),
  ].map(german),
]

import type { ContentView, InscriptionPage } from '../../src/background/views/asset-views.ts'
import type { PaymentReview } from '../../src/background/views/payment-views.ts'
import type { Screen } from '../driver/screen.ts'
import { BURN_SHOTS } from './fixtures/assets/burn-shots.ts'
import {
  chooseSome,
  detail,
  FALSE,
  FIRST,
  GERMAN,
  gallery,
  LARGE,
  LOCKED,
  PAGE,
  PROVEN,
  SHARED,
  SILENT_INDEX,
  shotOf,
  TEXT,
  TOKEN,
} from './fixtures/assets/inscription-shots.ts'
import {
  COMPANION,
  detailOf,
  INSCRIPTIONS,
  idOf,
  pageOf,
  RECEIVER,
} from './fixtures/assets/inscriptions.ts'
import { SORTED_SHOTS } from './fixtures/assets/sorted-inscriptions.ts'
import { planOf, pressReview, pressSend, SENT } from './fixtures/payment-form.ts'
import { reviewOf } from './fixtures/payments.ts'
import {
  type Answers,
  atWidths,
  failing,
  HIDDEN,
  type Shot,
  silent,
  TAPROOT,
  value,
} from './shot.ts'

/** Ten thousand in pages as the background gives them. */
function manyPage({ offset, limit }: { offset: number; limit: number }): InscriptionPage {
  const inscriptions = Array.from({ length: Math.min(limit, 10_000 - offset) }, (_, at) => {
    const place = offset + at
    const txid = (place + 1).toString(16).padStart(64, '0')
    return {
      id: `${txid}i0`,
      number: 70_000_000 - place,
      kind: 'image' as const,
      contentType: 'image/png',
      contentLength: 400,
      outpoint: `${txid}:0`,
      offset: '0',
      sats: '546',
      height: 900_000,
      at: 0,
      companions: [],
      held: null,
      pending: false,
      proof: 'server' as const,
    }
  })
  return {
    total: 10_000,
    hidden: 0,
    spam: 0,
    inscriptions,
    unchecked: { count: 0, why: null },
    runes: 0,
  }
}

const FULL: Answers = { getInscriptions: { given: manyPage } }

/** Scrolls to a share of the screen, once there is something to scroll. */
async function scrollTo(screen: Screen, share: number): Promise<void> {
  await screen.evaluate(async share => {
    const content = () => document.querySelector('main')
    for (let tries = 0; tries < 100; tries++) {
      const element = content()
      if (element && element.scrollHeight > element.clientHeight + 60) break
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    content()?.scrollTo(0, (content()?.scrollHeight ?? 0) * share)
  }, share)
}

/** What the forms ask of one inscription each. */
const ONE: Answers = { getInscription: value(detailOf(FIRST)) }
const SEND = `/inscriptions/send/${FIRST.id}`
const SHARED_COIN = `${'c'.repeat(64)}:1`
const SPLIT = `/inscriptions/split/${encodeURIComponent(SHARED_COIN)}`

function coins(...numbers: number[]): Answers {
  return {
    getCoins: value([
      {
        outpoint: SHARED_COIN,
        sats: '1000000',
        height: 921_000,
        held: 'inscribed',
        assets: numbers.map(number => ({
          kind: 'inscription',
          id: idOf(number === 1_233 ? 'c' : '2'),
          number,
        })),
        unchecked: null,
        choice: null,
        rareSats: [],
        mergeable: false,
        label: '',
      },
    ]),
  }
}

const TRANSFER: PaymentReview = reviewOf(
  { inputs: [546, 20_000], recipients: [{ address: RECEIVER, sats: 546 }], fee: 1_640 },
  {
    purpose: 'transfer',
    warnings: [],
    assets: [
      {
        asset: { kind: 'inscription', id: FIRST.id, number: FIRST.number },
        input: 0,
        own: true,
        to: 'foreign',
        certainty: 'certain',
        output: 0,
        offset: '0',
        address: RECEIVER,
      },
    ],
    asked: 1,
  },
)

const SEPARATED: PaymentReview = reviewOf(
  {
    inputs: [1_000_000],
    recipients: [
      { address: TAPROOT.address, sats: 546 },
      { address: TAPROOT.address, sats: 546 },
    ],
    fee: 1_640,
  },
  {
    purpose: 'split',
    warnings: [],
    assets: [COMPANION, { ...COMPANION, id: idOf('c'), number: 1_233 }].map((asset, output) => ({
      asset,
      input: 0,
      own: true,
      to: 'own' as const,
      certainty: 'certain' as const,
      output,
      offset: '0',
      address: TAPROOT.address,
    })),
    asked: 2,
  },
)

/** One that is alone on a large coin. */
const MOVED_OUT: PaymentReview = reviewOf(
  { inputs: [1_000_000], recipients: [{ address: TAPROOT.address, sats: 546 }], fee: 1_200 },
  { purpose: 'split', warnings: [], assets: SEPARATED.assets.slice(0, 1), asked: 1 },
)

/** A text that wants to be taken for the wallet's own words. */
const POSING: ContentView = {
  kind: 'text',
  text: `✓ Verified by this wallet\nThe chain carries this content.\n\n\u202EEverything is fine\u202C\n\u200B${'W'.repeat(400)}`,
  cut: false,
}

const typeReceiver = (screen: Screen) => screen.fill('textbox', 'To', RECEIVER)

/** Who comes back from one inscription goes on from its tile. */
async function openAndReturn(screen: Screen): Promise<void> {
  await screen.click('link', '#70111222*')
  await screen.find('heading', 'Inscription 70111222')
  await screen.click('button', 'Back')
  await screen.page.waitForSelector(`li[aria-posinset] > a[href$="${FIRST.id}"]:focus`)
}

export const shots: Shot[] = [
  gallery('gallery'),
  gallery('gallery-german', { with: GERMAN }),
  gallery('gallery-hidden', { with: HIDDEN }),
  gallery('gallery-end', { act: screen => scrollTo(screen, 1) }),
  ...atWidths(gallery('gallery', { with: FULL })),
  ...atWidths(gallery('gallery-choose', { act: chooseSome })).slice(1, 2),
  gallery('gallery-2560', { with: FULL, surface: 'tab', size: { width: 2560, height: 1300 } }),
  gallery('gallery-empty', { with: { getInscriptions: value(pageOf([])) } }),
  gallery('gallery-loading', { with: { getInscriptions: silent } }),
  gallery('gallery-error', { with: { getInscriptions: SILENT_INDEX } }),
  gallery('gallery-unchecked', {
    with: {
      getInscriptions: value(
        pageOf(INSCRIPTIONS.slice(1, 4), { unchecked: { count: 3, why: 'behind' } }),
      ),
    },
  }),
  gallery('gallery-offline', {
    with: { getInscriptions: value(pageOf([], { unchecked: { count: 12, why: 'unanswered' } })) },
  }),
  gallery('gallery-contradicted', {
    with: {
      ...GERMAN,
      getInscriptions: value(
        pageOf(INSCRIPTIONS.slice(3, 7), { unchecked: { count: 1, why: 'contradicted' } }),
      ),
    },
  }),
  gallery('gallery-unpictured', { with: { getInscriptionContent: SILENT_INDEX } }),
  gallery('gallery-choose', { act: chooseSome }),
  gallery('gallery-choose-none', { act: screen => screen.click('button', 'Select') }),
  gallery('gallery-full', {
    with: FULL,
    act: screen => scrollTo(screen, 0.5),
  }),
  gallery('gallery-returned', { with: ONE, act: openAndReturn }),
  ...SORTED_SHOTS,
  ...BURN_SHOTS,
  detail('detail', FIRST),
  detail('detail-down', FIRST, { act: screen => scrollTo(screen, 1) }),
  detail('detail-revealed', FIRST, {
    of: { proof: 'revealed', proofDetail: { kind: 'too-far', hops: 25 } },
  }),
  detail('detail-german', SHARED, { with: GERMAN, act: screen => scrollTo(screen, 0.3) }),
  detail('detail-server', LOCKED, {
    of: { proofDetail: { kind: 'unanswered' } },
  }),
  detail('detail-contradicted', FALSE, {
    of: { proofDetail: { kind: 'elsewhere', outpoint: `${'f'.repeat(64)}:0` } },
  }),
  detail('detail-large', LARGE, { act: screen => scrollTo(screen, 0.3) }),
  detail('detail-text', TEXT, {
    of: {
      parents: [idOf('a'), idOf('b')],
      delegate: idOf('d'),
      metaprotocol: 'cbrc-20:mint',
      charms: ['cursed', 'vindicated'],
      explorerUrl: null,
    },
  }),
  detail('detail-full', TEXT, {
    of: {
      parents: [idOf('a'), idOf('b')],
      delegate: idOf('d'),
      metaprotocol: 'cbrc-20:mint',
      charms: ['cursed', 'vindicated'],
    },
    act: screen => scrollTo(screen, 1),
  }),
  detail('detail-basis-unproven', TEXT, {
    with: { getCoinProofs: value([PROVEN, { is: 'unproven', fault: 'merkle-proof' }]) },
  }),
  detail('detail-basis-german', TEXT, {
    with: { ...GERMAN, getCoinProofs: value([PROVEN, { is: 'unproven', fault: 'no-answer' }]) },
  }),
  detail('detail-token', TOKEN),
  detail('detail-page', PAGE),
  detail('detail-posing', TEXT, {
    of: { proof: 'contradicted', proofDetail: { kind: 'other-content' } },
    with: { getInscriptionContent: value(POSING) },
  }),
  detail('detail-tab', SHARED, { surface: 'tab' }),
  detail('detail-unpictured', FIRST, { with: { getInscriptionContent: SILENT_INDEX } }),
  shotOf('detail-loading', `/inscriptions/${FIRST.id}`, { with: { getInscription: silent } }),
  shotOf('detail-error', `/inscriptions/${FIRST.id}`, { with: { getInscription: SILENT_INDEX } }),
  shotOf('send', SEND, { with: ONE }),
  shotOf('send-filled', SEND, { with: ONE, act: typeReceiver }),
  shotOf('send-german', SEND, {
    with: { ...ONE, ...GERMAN },
    act: screen => screen.click('button', 'Prüfen'),
  }),
  shotOf('send-errors', SEND, { with: ONE, act: pressReview }),
  shotOf('send-several', '/inscriptions', {
    act: async screen => {
      await chooseSome(screen)
      await screen.click('button', '#1233*')
      await screen.click('button', 'Send 4 inscriptions')
      await screen.find('textbox', 'To')
    },
  }),
  shotOf('send-refused', SEND, {
    with: {
      ...ONE,
      planTransfer: failing(-32000, 'Refused.', { reason: 'PROTECTED_ASSET' }),
    },
    act: async screen => {
      await typeReceiver(screen)
      await pressReview(screen)
    },
  }),
  shotOf('send-review', SEND, {
    with: { ...ONE, planTransfer: value(planOf(TRANSFER)) },
    act: async screen => {
      await typeReceiver(screen)
      await pressReview(screen)
    },
  }),
  shotOf('send-sent', SEND, {
    with: { ...ONE, ...SENT, planTransfer: value(planOf(TRANSFER)) },
    act: async screen => {
      await typeReceiver(screen)
      await pressSend(screen)
    },
  }),
  shotOf('split', SPLIT, { with: coins(70_111_222, 1_233) }),
  shotOf('split-move-out', SPLIT, { with: { ...coins(1_233), ...GERMAN } }),
  shotOf('split-gone', SPLIT, { with: { getCoins: value([]) } }),
  shotOf('split-review', SPLIT, {
    with: { ...coins(70_111_222, 1_233), planSplit: value(planOf(SEPARATED)) },
    act: pressReview,
  }),
  shotOf('split-review-one', SPLIT, {
    with: { ...coins(70_111_222), ...GERMAN, planSplit: value(planOf(MOVED_OUT)) },
    act: async screen => {
      await screen.click('button', 'Prüfen')
      await screen.find('button', 'Trennen')
    },
  }),
]

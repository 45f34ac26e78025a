import type { RunestoneView } from '../../src/background/views/runestone-views.ts'
import {
  otherOutput,
  ownInput,
  ownOutput,
  psbtOf,
  signing,
} from '../../src/popup/testing/psbt-building.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND } from './fixtures/activity.ts'
import { approvalShot } from './fixtures/approval-shot.ts'
import { moveOf } from './fixtures/assets/assets.ts'
import { CAT, GOODS, pileOf } from './fixtures/assets/runes.ts'
import { SETTINGS, type Shot, stateWith, TAPROOT, value } from './shot.ts'

const CARRIER = otherOutput(0, {
  ...{ address: null, kind: 'data', script: '6a5d0914011400a401ac9d01' },
})

const EDICTS: RunestoneView = {
  ...{ output: 2, flaw: null, isOpen: false, edictCount: 53, rest: 0, mint: null, etching: null },
  edicts: [
    { id: '840000:41', name: CAT.name, amount: { text: '1000.5', isUnits: false }, output: 1 },
    { id: '840000:41', name: CAT.name, amount: null, output: 0 },
    { id: '845000:7', name: null, amount: { text: '2100', isUnits: true }, output: null },
  ],
}

const NONE = { ...EDICTS, edicts: [], edictCount: 0 }

const MINT: RunestoneView = {
  ...NONE,
  mint: {
    ...{ id: '1:0', name: GOODS.name, amount: '1' },
    landings: [{ output: 0, amount: '1' }],
  },
}

const ETCHING: RunestoneView = {
  ...NONE,
  etching: {
    ...{ name: 'A•RUNE•OF•MANY•FRIENDS', symbol: '¢', divisibility: 2, premine: '1000000' },
    landings: [
      { output: 0, amount: '750000' },
      { output: 1, amount: '250000' },
    ],
    ...{ terms: { amount: '100', cap: '10000' }, turbo: true },
  },
}

const MALFORMED: RunestoneView = { ...NONE, flaw: 'unrecognized-even-tag', rest: null }

const of = (runestone: RunestoneView, changes: Parameters<typeof psbtOf>[2] = {}) =>
  psbtOf(
    [ownInput(10_000), ownInput(20_000)],
    [ownOutput(546), otherOutput(546, { address: FRIEND }), CARRIER, ownOutput(27_500)],
    { runestone, ...changes },
  )

const MOVES = [
  moveOf(pileOf(CAT, '1000.5'), { address: FRIEND, output: 1, offset: null }),
  moveOf(pileOf(CAT, '998000'), {
    ...{ to: 'own', output: 0, offset: null, address: TAPROOT.address },
  }),
]

async function openDetails({ page }: Screen): Promise<void> {
  const fold = 'main > .fold__fold > summary'
  await page.waitForSelector(fold)
  await page.click(fold)
  await page.waitForSelector('.runestone__runestone')
  await page.$eval('.runestone__runestone', element =>
    element.parentElement?.scrollIntoView({ block: 'center' }),
  )
}

const shot: typeof approvalShot = (name, ...rest) => approvalShot(`runestones-${name}`, ...rest)

function german(of: Shot): Shot {
  const state = value(stateWith({ settings: { ...SETTINGS, language: 'de' } }))
  return { ...of, name: `${of.name}-german`, answers: { ...of.answers, getState: state } }
}

const SHOTS: Shot[] = [
  shot('edicts', signing(of(EDICTS, { assets: MOVES }))),
  shot('edicts-details', signing(of(EDICTS, { assets: MOVES })), {}, openDetails),
  shot(
    'open-details',
    signing(of({ ...EDICTS, isOpen: true }, { assets: MOVES })),
    {},
    openDetails,
  ),
  shot('mint', signing(of(MINT))),
  shot(
    'mint-unknown',
    signing(of({ ...MINT, mint: { id: '1:0', name: null, amount: null, landings: [] } })),
  ),
  shot('etching', signing(of(ETCHING))),
  shot(
    'malformed',
    signing(of(MALFORMED, { warnings: [{ kind: 'cenotaph', flaw: 'unrecognized-even-tag' }] })),
  ),
]

export const shots: Shot[] = [...SHOTS, ...SHOTS.map(german)]

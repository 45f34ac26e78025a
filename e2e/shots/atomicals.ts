import type { AtomicalsPage, AtomicalView } from '../../src/background/views/asset-views.ts'
import type { PaymentReview } from '../../src/background/views/payment-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { FRIEND } from './fixtures/activity.ts'
import { approvalShot, german as inGerman } from './fixtures/approval-shot.ts'
import { inscriptionOf, moveOf, transferOf } from './fixtures/assets/assets.ts'
import {
  ATOM,
  ATOMICAL_COINS,
  ATOMICALS,
  ATOMICALS_SYNCED,
  assetOf,
  detailOf,
  drawFace,
  LONG_NAME,
  NFTS,
  NONE,
  NOT_CHECKED,
  nftOf,
  QUARK,
  SMALL_COINS,
  TOKEN_COINS,
  tokenOf,
  unitsOf,
  WITH_ATOMICALS,
} from './fixtures/assets/atomicals.ts'
import { OPEN as FORM, planOf, pressReview, pressSend, SENT } from './fixtures/payment-form.ts'
import { reviewOf } from './fixtures/payments.ts'
import { scrollDown } from './fixtures/scroll-down.ts'
import { SERVERS, SYNCED, UNREACHABLE } from './fixtures/servers.ts'
import {
  type Answers,
  failing,
  GERMAN,
  HIDDEN,
  SETTINGS,
  type Shot,
  SILENT_SERVER,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

const OPEN: Answers = {
  ...FORM,
  getServers: value(WITH_ATOMICALS),
  getServerStates: value([SYNCED, ATOMICALS_SYNCED]),
  getAtomicals: value(ATOMICALS),
  getCoins: value(TOKEN_COINS),
  getInscriptionContent: { given: drawFace },
}

const WATCHING: Partial<WalletState> = {
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
}

type Changes = Partial<Shot> & { with?: Answers }

function shotOf(name: string, path: string, { with: answers, ...rest }: Changes = {}): Shot {
  return { name: `atomicals-${name}`, path, answers: { ...OPEN, ...answers }, ...rest }
}

/** The list with these Atomicals. */
function list(name: string, page: Partial<AtomicalsPage>, changes: Changes = {}): Shot {
  const getAtomicals = value({ ...ATOMICALS, ...page })
  return shotOf(name, '/atomicals', { ...changes, with: { getAtomicals, ...changes.with } })
}

const [PENDING, REALM, SHARED, LOCKED, RESERVED, UNKNOWN, LONG, LARGE] = NFTS
const PLAIN = nftOf('3', 402_117)

function detail(
  name: string,
  nft: AtomicalView | undefined,
  changes: Changes & { of?: Parameters<typeof detailOf>[1] } = {},
): Shot {
  const { of, ...rest } = changes
  return shotOf(`detail-${name}`, `/atomicals/${nft?.id}`, {
    ...rest,
    with: { getAtomical: value(detailOf(nft, of)), ...rest.with },
  })
}

const TOKEN = `/atomicals/token/${QUARK.id}`
const token = (name: string, changes?: Changes) => shotOf(`token${name}`, TOKEN, changes)

const sendToken = (name: string, changes?: Changes) =>
  shotOf(`send-token${name}`, `${TOKEN}/send`, changes)

async function typeUnits(screen: Screen, amount: string): Promise<void> {
  await screen.fill('textbox', 'Amount', amount)
  await screen.fill('textbox', 'To', FRIEND)
}

/** Types an amount that the background refuses, with what it says against it. */
const refused = (name: string, amount: string, data: { [fact: string]: string | string[] }) =>
  sendToken(`-${name}`, {
    with: {
      planTokenTransfer: failing(
        -32602,
        `amount: expected another amount, got "${amount}"`,
        data as never,
      ),
    },
    act: async screen => {
      await typeUnits(screen, amount)
      await pressReview(screen)
      await screen.waitForText('546')
    },
  })

/** 60,000 of the 100,000 units go, the others come back on a coin of their own. */
const UNITS: PaymentReview = reviewOf(
  { inputs: [100_000, 20_000], recipients: [{ address: FRIEND, sats: 60_000 }], fee: 1_640 },
  {
    purpose: 'transfer',
    assets: [
      moveOf(unitsOf(QUARK, 60_000), { address: FRIEND, offset: null }),
      moveOf(unitsOf(QUARK, 40_000), {
        to: 'own',
        output: 1,
        offset: null,
        address: TAPROOT.address,
      }),
    ],
    asked: 1,
    warnings: [{ kind: 'unproven-inscriptions', ids: [`${QUARK.id}-Atomicals`] }],
  },
)

const SEND = `/inscriptions/send/${PLAIN.id}-Atomicals`
const ONE: Answers = { getAtomical: value(detailOf(PLAIN)) }

/** That it is where it is, is the server's word. */
const FACE = transferOf([{ asset: assetOf(PLAIN), address: FRIEND, name: 'Alice' }], {
  warnings: [{ kind: 'unproven-inscriptions', ids: [`${PLAIN.id}-Atomicals`] }],
})

/** An Atomical, units that share its coin, an inscription, and a name without end. */
const MIXED = transferOf(
  [
    assetOf(REALM ?? PLAIN),
    inscriptionOf(1),
    assetOf(LONG ?? PLAIN),
    assetOf(UNKNOWN ?? PLAIN),
  ].map(asset => ({ asset, address: FRIEND })),
)

const ALONG = {
  ...FACE,
  assets: [...FACE.assets, moveOf(unitsOf(ATOM, 546)), moveOf(unitsOf(QUARK, 546))],
}

/** Units that a site's PSBT gives away, loses to the fee and leaves open. */
const LOST = {
  ...transferOf([{ asset: assetOf(PLAIN), address: FRIEND }]),
  purpose: 'send' as const,
  asked: 0,
  assets: [
    moveOf(unitsOf(QUARK, 12_000), { to: 'fee', output: null, offset: null, address: null }),
    moveOf(assetOf(REALM ?? PLAIN)),
    moveOf(unitsOf(ATOM, 1_000), { to: 'own', output: 1, address: TAPROOT.address }),
  ],
}

const approval: typeof approvalShot = (name, ...rest) => {
  const shot = approvalShot(`atomicals-approval-${name}`, ...rest)
  return { ...shot, answers: { ...shot.answers, getInscriptionContent: { given: drawFace } } }
}

const held = async (screen: Screen) => screen.click('radio', 'Held back')

const coins = (name: string, changes: Changes = {}) =>
  shotOf(`coins-${name}`, '/coins', {
    ...changes,
    with: { getCoins: value(ATOMICAL_COINS), ...changes.with },
  })

async function toServer({ page }: Screen): Promise<void> {
  const card = '[aria-label="Index of Atomicals"], [aria-label="Atomicals-Index"]'
  await page.waitForSelector(card)
  await page.$eval(card, element => element.scrollIntoView())
}

const server = (name: string, changes: Changes = {}) =>
  shotOf(`server${name}`, '/settings/servers', { act: toServer, ...changes })

const expert = (name: string, changes?: Changes) =>
  shotOf(`expert${name}`, '/settings/expert', {
    act: async screen => {
      await screen.page.waitForSelector('[role="switch"]')
      await scrollDown(screen)
    },
    ...changes,
  })

export const shots: Shot[] = [
  list('list', {}),
  list('list-down', {}, { act: scrollDown }),
  list('list-german', {}, { with: GERMAN }),
  list('list-tab', {}, { surface: 'tab' }),
  list('list-nfts', { tokens: [] }),
  list('list-tokens', { total: 0, nfts: [] }),
  list('list-long', {
    total: 1,
    nfts: NFTS.slice(6, 7),
    tokens: [
      tokenOf('1', LONG_NAME.replace(/[.-]/g, ''), 2_099_999_997_690_000),
      tokenOf('2', null, 546, { number: null }),
      tokenOf('3', null, 546, { number: 1_204 }),
    ],
  }),
  list('empty', NONE),
  list('empty-german', NONE, { with: GERMAN }),
  list('empty-unchecked', { ...NONE, unchecked: { count: 3, why: 'unanswered' } }),
  list('unchecked', { unchecked: { count: 1, why: 'behind' } }),
  list('not-checked', NOT_CHECKED, { with: { getServers: value(SERVERS) } }),
  list('not-checked-german', NOT_CHECKED, { with: { ...GERMAN, getServers: value(SERVERS) } }),
  list('loading', {}, { with: { getAtomicals: silent } }),
  list('error', {}, { with: { getAtomicals: SILENT_SERVER } }),
  list('watched', {}, { with: { getState: value(stateWith(WATCHING)) } }),
  list('chosen', {}, { act: chooseTwo }),

  detail('plain', PLAIN),
  detail('down', PLAIN, { act: scrollDown }),
  detail('german', PLAIN, { with: GERMAN, act: scrollDown }),
  detail('realm', REALM, { of: { subtype: 'realm' } }),
  detail('pending', PENDING, { of: { mint: null, isMinted: null } }),
  detail('shared', SHARED),
  detail('shared-down', SHARED, { act: scrollDown }),
  detail('locked', LOCKED, { of: { subtype: 'container' } }),
  detail('reserved', RESERVED),
  detail('unknown', UNKNOWN, { of: { mint: null, isMinted: null } }),
  detail('false', PLAIN, { of: { isMinted: false } }),
  detail('long', LONG, { of: { subtype: 'subrealm' } }),
  detail('large', LARGE, { of: { subtype: 'subrealm' }, act: scrollDown }),
  detail('hostile', PLAIN, { of: { subtype: '\u202ereal\u200bm \u05d0\u05d1' } }),
  detail('tab', PLAIN, { surface: 'tab' }),
  detail('loading', PLAIN, { with: { getAtomical: silent } }),
  detail('error', PLAIN, { with: { getAtomical: SILENT_SERVER } }),

  shotOf('send', SEND, { with: ONE }),
  shotOf('send-several', '/atomicals', {
    act: async screen => {
      await chooseTwo(screen)
      await screen.click('button', 'Send 2 Atomicals')
      await screen.find('textbox', 'To')
    },
  }),
  shotOf('send-companion', `/inscriptions/send/${SHARED?.id}-Atomicals`, {
    with: { getAtomical: value(detailOf(SHARED)) },
  }),

  token(''),
  token('-hidden', { with: HIDDEN }),
  token('-down', { act: scrollDown }),
  token('-german', { with: GERMAN }),
  token('-watched', { with: { getState: value(stateWith(WATCHING)) } }),
  token('-gone', { with: { getAtomicals: value(NONE) } }),
  token('-not-checked', {
    with: { getAtomicals: value(NOT_CHECKED), getServers: value(SERVERS) },
  }),
  token('-most', {
    with: {
      getAtomicals: value({
        ...ATOMICALS,
        tokens: [{ ...QUARK, name: LONG_NAME.replace(/[.-]/g, ''), amount: '2099999997690000' }],
      }),
    },
  }),
  token('-loading', { with: { getAtomicals: silent } }),
  token('-error', { with: { getAtomicals: SILENT_SERVER } }),

  sendToken(''),
  sendToken('-german', { with: GERMAN }),
  sendToken('-filled', { act: screen => typeUnits(screen, '60000') }),
  sendToken('-errors', { act: pressReview }),
  sendToken('-too-much', { act: screen => typeUnits(screen, '100001') }),
  sendToken('-comma', { act: screen => typeUnits(screen, '1,5') }),
  refused('refused', '99900', { nearest: ['99454', '100000'] }),
  refused('too-little', '900', { least: '546' }),
  sendToken('-review', {
    with: { planTokenTransfer: value(planOf(UNITS)) },
    act: async screen => {
      await typeUnits(screen, '60000')
      await pressReview(screen)
      await screen.page.waitForSelector('[data-testid="approve"]')
    },
  }),
  sendToken('-sent', {
    with: { ...SENT, planTokenTransfer: value(planOf(UNITS)) },
    act: async screen => {
      await typeUnits(screen, '60000')
      await pressSend(screen)
    },
  }),

  approval('one', FACE),
  inGerman(approval('one', FACE)),
  approval('realm', transferOf([{ asset: assetOf(REALM ?? PLAIN), address: FRIEND }])),
  approval('mixed', MIXED),
  approval('along', ALONG),
  approval('lost', LOST),
  inGerman(approval('lost', LOST)),

  coins('all'),
  coins('held', { act: held }),
  coins('german', { with: GERMAN }),
  coins('not-checked', { with: { getServers: value(SERVERS) } }),
  coins('not-checked-german', { with: { ...GERMAN, getServers: value(SERVERS) } }),
  coins('small', { with: { getCoins: value(SMALL_COINS), getServers: value(SERVERS) } }),

  server(''),
  server('-german', { with: GERMAN }),
  server('-unset', {
    with: { getServers: value(SERVERS), getServerStates: value([SYNCED]) },
  }),
  server('-unreachable', {
    with: {
      getServerStates: value([
        SYNCED,
        {
          ...ATOMICALS_SYNCED,
          state: 'unreachable',
          height: null,
          latencyMs: null,
          problem: UNREACHABLE,
        },
      ]),
    },
  }),
  expert(''),
  expert('-german', {
    with: {
      getState: value(
        stateWith({
          settings: {
            ...SETTINGS,
            language: 'de',
            expert: { ...SETTINGS.expert, holdSmallCoins: true },
          },
        }),
      ),
    },
  }),
]

async function chooseTwo(screen: Screen): Promise<void> {
  await screen.click('button', 'Select')
  for (const name of ['satchel*', '#402117*']) await screen.click('button', name)
}

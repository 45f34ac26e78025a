import type { Brc20Overview, Brc20TokenView } from '../../src/background/views/brc20-views.ts'
import type { ServerState } from '../../src/background/views/settings-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { inscribeReviewOf, tokenItem } from './fixtures/assets/inscribe-reviews.ts'
import {
  NOBODYS,
  ODD,
  ODD_TOKENS,
  ORDI,
  PEPE,
  SATCH,
  TOKENS,
  UNKNOWN,
} from './fixtures/assets/tokens.ts'
import { OPEN, pressReview } from './fixtures/payment-form.ts'
import { problem, SERVERS, SYNCED, UNREACHABLE, WITH_BRC20 } from './fixtures/servers.ts'
import {
  type Answers,
  failing,
  SETTINGS,
  type Shot,
  silent,
  stateWith,
  TAPROOT,
  value,
} from './shot.ts'

const german: Partial<WalletState> = { settings: { ...SETTINGS, language: 'de' } }

function answer(answers: Answers, state: Partial<WalletState> = {}): Answers {
  return { ...OPEN, getState: value(stateWith(state)), touch: value(null), ...answers }
}

/** Until the page's own code is there. */
async function toPage({ page }: Screen): Promise<void> {
  await page.waitForSelector('main > h1:not(.text__visuallyHidden), .layout__sectionHead h1')
}

function list(name: string, overview: Partial<Brc20Overview>, state?: Partial<WalletState>): Shot {
  return {
    name: `brc20-list${name}`,
    path: '/brc20',
    answers: answer({ getBrc20: value({ ...TOKENS, ...overview }) }, state),
    act: toPage,
  }
}

function token(name: string, view: Brc20TokenView, state?: Partial<WalletState>): Shot {
  return {
    name: `brc20-token${name}`,
    path: `/brc20/token/${encodeURIComponent(view.tick)}`,
    answers: answer({ getBrc20Token: value(view) }, state),
    act: toPage,
  }
}

const MINT = { op: 'mint', tick: 'pepe', amt: '1000' } as const

const PLAN = {
  planId: '1',
  digest: '1',
  review: inscribeReviewOf([
    tokenItem(MINT, {
      before: { available: '0', transferable: '0' },
      after: { available: '1000', transferable: '0' },
    }),
  ]),
}

const OVERMINTED = {
  ...PLAN,
  review: inscribeReviewOf([
    tokenItem(
      { ...MINT, amt: '5000' },
      {
        obstacles: ['over-limit'],
        before: { available: '0', transferable: '0' },
        after: { available: '0', transferable: '0' },
      },
    ),
  ]),
}

function mint(
  name: string,
  answers: Answers,
  act?: Shot['act'],
  state?: Partial<WalletState>,
): Shot {
  return {
    name: `brc20-mint${name}`,
    path: '/brc20/mint/pepe',
    answers: answer({ getBrc20Token: value(PEPE), ...answers }, state),
    act: act ?? toPage,
  }
}

async function review(screen: Screen): Promise<void> {
  await pressReview(screen)
  await screen.page.waitForSelector('[data-testid="approve"]')
}

const WATCHED: Partial<WalletState> = {
  accounts: [
    {
      id: TAPROOT.id,
      name: 'Cold storage',
      source: 'watch',
      addressType: 'p2tr',
      address: TAPROOT.address,
      publicKey: null,
      descriptor: null,
      ordinals: null,
      derivationPath: null,
      hidden: false,
    },
  ],
}

async function fillDeploy(screen: Screen, tick: string): Promise<void> {
  await screen.page.waitForSelector('[data-testid="brc20-tick"]')
  for (const [name, text] of [
    ['tick', tick],
    ['max', '21000000'],
    ['lim', '1000'],
  ])
    await screen.page.type(`[data-testid="brc20-${name}"]`, text ?? '')
}

const DEPLOY: Shot = {
  name: 'brc20-deploy',
  path: '/brc20/deploy',
  answers: answer({ getBrc20Token: value(NOBODYS) }),
  act: toPage,
}

function server(
  name: string,
  answers: Answers,
  act: Shot['act'],
  state?: Partial<WalletState>,
): Shot {
  return {
    name: `brc20-server${name}`,
    path: '/settings/servers',
    answers: answer(
      { getServers: value(WITH_BRC20), getServerStates: value([SYNCED, UNISAT]), ...answers },
      state,
    ),
    ...(act ? { act } : {}),
  }
}

const UNISAT: ServerState = {
  ...SYNCED,
  kind: 'brc20',
  url: 'https://open-api.unisat.io',
  latencyMs: 310,
}

async function toServer({ page }: Screen): Promise<void> {
  const card = '[aria-label="BRC-20"]'
  await page.waitForSelector(card)
  await page.$eval(card, element => element.scrollIntoView())
}

async function checkServer(screen: Screen): Promise<void> {
  await screen.click('button', 'Change: BRC-20')
  await screen.fill('textbox', 'Server', 'http://127.0.0.1:8080')
  await screen.click('button', 'Check and save')
}

export const shots: Shot[] = [
  server('', {}, toServer),
  server(
    '-german',
    {
      getServerStates: value([
        SYNCED,
        { ...UNISAT, state: 'unreachable', height: null, latencyMs: null, problem: UNREACHABLE },
      ]),
    },
    toServer,
    german,
  ),
  server('-unset', { getServers: value(SERVERS), getServerStates: value([SYNCED]) }, toServer),
  server('-edit', {}, async screen => {
    await toServer(screen)
    await screen.click('button', 'Change: BRC-20')
  }),
  server(
    '-edit-german',
    {},
    async screen => {
      await toServer(screen)
      await screen.click('button', 'Ändern: BRC-20')
    },
    german,
  ),
  server(
    '-key-wanted',
    { checkServer: value({ usable: false, problem: problem('nonsense', 'answered 401') }) },
    checkServer,
  ),
  server('-key-typed', { getServers: value(SERVERS), checkServer: silent }, async screen => {
    await screen.click('button', 'Set: BRC-20')
    await screen.fill('textbox', 'Server', 'https://open-api.unisat.io')
    await screen.page.type('[type="password"]', 'f3a9'.repeat(16))
  }),
  server(
    '-unreachable',
    { checkServer: value({ usable: false, problem: UNREACHABLE }) },
    checkServer,
  ),
  list('', {}),
  list('-empty', { balances: [] }),
  list('-no-server', { server: null, height: null, balances: [] }),
  list('-offline', { height: null, problem: UNREACHABLE, balances: [] }),
  list('-behind', { height: 912_301, behind: true }),
  list('-hostile', ODD_TOKENS),
  list('-hostile-german', ODD_TOKENS, german),
  list('-full', {
    balances: Array.from({ length: 60 }, (_, n) => ({
      tick: `t${String(n).padStart(3, '0')}`,
      available: String((n * 7919) % 10_007),
      transferable: n % 4 === 0 ? String(n) : '0',
      followed: false,
    })),
  }),
  list('-german', {}, german),
  list('-watched', {}, WATCHED),
  list('-hidden', {}, { settings: { ...SETTINGS, hideAmounts: true } }),
  { ...list('-tab', {}), surface: 'tab' },
  { ...list('-loading', {}), answers: answer({ getBrc20: silent }) },
  { ...list('-error', {}), answers: answer({ getBrc20: failing(-32603, 'Internal error') }) },
  {
    ...list('-odd-ticker', {}),
    act: async screen => {
      await screen.fill('textbox', 'Another token', 'toolong')
      await screen.click('button', 'Look it up')
    },
  },
  token('', ORDI),
  token('-german', ORDI, german),
  token('-mintable', PEPE),
  token('-self-mint', SATCH),
  token('-nobodys', NOBODYS),
  token('-watched', ORDI, WATCHED),
  token('-hidden', ORDI, { settings: { ...SETTINGS, hideAmounts: true } }),
  token('-unknown', UNKNOWN),
  token('-six', { ...ORDI, tick: 'sixsix' }),
  token('-no-server', { ...UNKNOWN, server: null, transferables: [] }),
  token('-no-ticker', { ...UNKNOWN, tick: 'abc' }),
  token('-hostile', ODD),
  token('-look-alike', { ...SATCH, tick: '\u043erdi' }),
  token('-hostile-nobodys', { ...NOBODYS, tick: '\u202eab' }),
  {
    ...token('-error', ORDI),
    answers: answer({ getBrc20Token: failing(-32603, 'Internal error') }),
  },
  token('-offline', { ...ORDI, token: null, transferables: [], problem: UNREACHABLE }),
  { ...token('-loading', ORDI), answers: answer({ getBrc20Token: silent }) },
  {
    ...token('-chosen', ORDI),
    act: async ({ page }) => {
      await page.waitForSelector('main input[type="checkbox"]')
      for (const box of await page.$$('main input[type="checkbox"]')) await box.click()
    },
  },
  mint('', {}),
  mint('-unknown', { getBrc20Token: value({ ...UNKNOWN, tick: 'pepe' }) }),
  mint('-loading', { getBrc20Token: silent, getFeeRates: silent }),
  mint('-german', {}, undefined, german),
  mint('-nothing-left', { getBrc20Token: value({ ...ORDI, tick: 'pepe' }) }),
  mint('-self-mint', { getBrc20Token: value({ ...SATCH, tick: 'pepe' }) }),
  mint('-many', {}, async ({ page }) => {
    await page.waitForSelector('[data-testid="brc20-times"]')
    await page.type('[data-testid="brc20-times"]', '2')
  }),
  mint('-wrong', {}, async screen => {
    await screen.page.waitForSelector('[data-testid="brc20-amount"]')
    await screen.page.type('[data-testid="brc20-amount"]', '.123456789')
    await pressReview(screen)
  }),
  mint(
    '-failed',
    {
      planInscribe: failing(-32000, '', {
        reason: 'INSUFFICIENT_FUNDS',
        needed: '2716',
        available: '1000',
      }),
    },
    pressReview,
  ),
  mint('-review', { planInscribe: value(PLAN) }, review),
  mint('-review-over-limit', { planInscribe: value(OVERMINTED) }, review),
  DEPLOY,
  { ...DEPLOY, name: 'brc20-deploy-filled', act: screen => fillDeploy(screen, 'nope') },
  { ...DEPLOY, name: 'brc20-deploy-self-mint', act: screen => fillDeploy(screen, 'satch') },
  {
    ...DEPLOY,
    name: 'brc20-deploy-taken',
    answers: answer({ getBrc20Token: value(ORDI) }),
    act: screen => fillDeploy(screen, 'ordi'),
  },
  {
    ...DEPLOY,
    name: 'brc20-deploy-wrong',
    act: async screen => {
      await screen.page.waitForSelector('[data-testid="brc20-tick"]')
      await screen.page.type('[data-testid="brc20-dec"]', '9')
      await pressReview(screen)
    },
  },
  {
    ...DEPLOY,
    name: 'brc20-deploy-german',
    answers: answer({ getBrc20Token: value(NOBODYS) }, german),
  },
  ...(['', '-german'] as const).map(
    (suffix): Shot => ({
      name: `brc20-transfer${suffix}`,
      path: '/brc20/transfer/ordi',
      answers: answer({ getBrc20Token: value(ORDI) }, suffix === '' ? {} : german),
      act: toPage,
    }),
  ),
  {
    name: 'brc20-transfer-too-much',
    path: '/brc20/transfer/ordi',
    answers: answer({ getBrc20Token: value(ORDI) }),
    act: async ({ page }) => {
      await page.waitForSelector('[data-testid="brc20-amount"]')
      await page.type('[data-testid="brc20-amount"]', '5000')
    },
  },
  {
    name: 'brc20-transfer-hostile',
    path: `/brc20/transfer/${encodeURIComponent(ODD.tick)}`,
    answers: answer({ getBrc20Token: value(ODD) }),
    act: async screen => {
      await toPage(screen)
      await screen.click('button', 'Max')
    },
  },
  {
    name: 'brc20-transfer-offline',
    path: '/brc20/transfer/ordi',
    answers: answer({
      getBrc20Token: value({ ...ORDI, token: null, transferables: [], problem: UNREACHABLE }),
    }),
    act: toPage,
  },
  {
    name: 'brc20-transfer-watched',
    path: '/brc20/transfer/ordi',
    answers: answer({ getBrc20Token: value(ORDI) }, WATCHED),
    act: toPage,
  },
]

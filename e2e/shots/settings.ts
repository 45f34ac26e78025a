import type {
  ServerCheck,
  ServerState,
  ServerView,
} from '../../src/background/views/settings-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { BACKUP_SHOTS } from './fixtures/backups.ts'
import { CHANGED_RECORD_SHOTS } from './fixtures/changed-records.ts'
import { HELP_SHOTS } from './fixtures/help.ts'
import { MESSAGE_SHOTS } from './fixtures/messages.ts'
import { NOTIFICATION_SHOTS } from './fixtures/notifications.ts'
import { PASSKEY_SHOTS } from './fixtures/passkeys.ts'
import {
  INDEXED,
  OWN_SERVERS,
  problem,
  SERVERS,
  SYNCED,
  UNREACHABLE,
  WITH_INDEXES,
} from './fixtures/servers.ts'
import {
  type Answers,
  NO_NOTIFICATIONS,
  SEGWIT,
  SETTINGS,
  type Shot,
  silent,
  stateWith,
  value,
} from './shot.ts'

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(
  ' ',
)
const german = { settings: { ...SETTINGS, language: 'de' as const } }

function open(answers: Answers, state: Partial<WalletState> = {}): Answers {
  return {
    getState: value(stateWith(state)),
    touch: value(null),
    getServers: value(SERVERS),
    getServerStates: value([SYNCED, INDEXED]),
    changeSettings: value(SETTINGS),
    getOkxAlias: value({ everywhere: false, origins: [] }),
    getNotifications: value(NO_NOTIFICATIONS),
    getBlockedSites: value([]),
    ...answers,
  }
}

function servers(list: ServerView[], states: ServerState[]): Answers {
  return open({ getServers: value(list), getServerStates: value(states) })
}

function checking(check: ServerCheck): Answers {
  return open({ checkServer: value(check), setServer: value(null) })
}

async function toIndex({ page }: Screen): Promise<void> {
  const card = '[aria-label="Index of inscriptions"], [aria-label="Inscription-Index"]'
  await page.waitForSelector(card)
  await page.$eval(card, element => element.scrollIntoView())
}

async function check(
  screen: Screen,
  url = 'http://127.0.0.1:3002/api',
  kind = 'Blockchain',
): Promise<void> {
  await screen.click('button', `Change: ${kind}`)
  await screen.fill('textbox', 'Server', url)
  await screen.click('button', 'Check and save')
}

/** The browser's own question cannot be answered here: this is what its No comes to. */
function refuseHosts(): void {
  type Api = { permissions: { request: unknown } }
  const { chrome, browser } = globalThis as unknown as { chrome: Api; browser?: Api }
  for (const api of [chrome, browser]) {
    if (api) {
      api.permissions.request = (_: unknown, respond?: (given: boolean) => void) =>
        respond ? respond(false) : Promise.resolve(false)
    }
  }
}

const PHRASE: Answers = {
  revealPhrase: value({ accepted: true, words: WORDS, passphrase: 'my  trezor phrase' }),
}

async function openBackup(screen: Screen): Promise<void> {
  await screen.fill('textbox', 'Password', 'correct horse battery')
  await screen.click('button', 'Continue')
}

export const shots: Shot[] = [
  { name: 'settings-overview', path: '/settings', answers: open({}) },
  { name: 'settings-overview-tab', path: '/settings', surface: 'tab', answers: open({}) },
  { name: 'settings-overview-german', path: '/settings', answers: open({}, german) },

  {
    name: 'settings-servers',
    path: '/settings/servers',
    answers: servers(SERVERS, [SYNCED, INDEXED]),
  },
  {
    name: 'settings-servers-tab',
    path: '/settings/servers',
    surface: 'tab',
    answers: servers(SERVERS, [SYNCED]),
  },
  { name: 'settings-servers-german', path: '/settings/servers', answers: open({}, german) },
  {
    name: 'settings-servers-loading',
    path: '/settings/servers',
    answers: open({ getServers: silent, getServerStates: silent }),
  },
  {
    name: 'settings-servers-asking',
    path: '/settings/servers',
    answers: open({ getServerStates: silent }),
  },
  {
    name: 'settings-servers-behind',
    path: '/settings/servers',
    answers: servers(OWN_SERVERS, [
      { ...SYNCED, state: 'behind', height: 912_301 },
      { ...SYNCED, kind: 'secondChain' },
    ]),
  },
  {
    name: 'settings-servers-unreachable',
    path: '/settings/servers',
    answers: servers(OWN_SERVERS, [
      {
        ...SYNCED,
        state: 'unreachable',
        height: null,
        latencyMs: null,
        problem: UNREACHABLE,
      },
      {
        ...SYNCED,
        kind: 'secondChain',
        state: 'wrong-network',
        problem: problem('wrong-network', 'genesis block of testnet4'),
      },
    ]),
  },
  {
    name: 'settings-servers-index-behind',
    path: '/settings/servers',
    answers: servers(WITH_INDEXES, [
      SYNCED,
      { ...INDEXED, state: 'behind', height: 912_301 },
      {
        ...INDEXED,
        kind: 'secondAssets',
        state: 'wrong-network',
        problem: problem('wrong-network', 'chain: signet'),
      },
    ]),
    act: toIndex,
  },
  {
    name: 'settings-servers-index-german',
    path: '/settings/servers',
    answers: open(
      {
        getServers: value(WITH_INDEXES),
        getServerStates: value([
          SYNCED,
          { ...INDEXED, state: 'unreachable', height: null, problem: UNREACHABLE },
          { ...INDEXED, kind: 'secondAssets' },
        ]),
      },
      german,
    ),
    act: toIndex,
  },
  {
    name: 'settings-server-index-unreachable',
    path: '/settings/servers',
    answers: checking({ usable: false, problem: UNREACHABLE }),
    act: screen => check(screen, 'http://127.0.0.1:8080', 'Index of inscriptions'),
  },
  {
    name: 'settings-server-edit',
    path: '/settings/servers',
    answers: servers(OWN_SERVERS, [SYNCED]),
    act: screen => screen.click('button', 'Change: Blockchain'),
  },
  {
    name: 'settings-server-not-address',
    path: '/settings/servers',
    answers: open({}),
    act: screen => check(screen, 'http://node.example'),
  },
  {
    name: 'settings-server-checking',
    path: '/settings/servers',
    answers: open({ checkServer: silent }),
    act: screen => check(screen),
  },
  {
    name: 'settings-server-usable',
    path: '/settings/servers',
    answers: checking({ usable: true, height: 912_345, latencyMs: 84, live: true }),
    act: screen => check(screen),
  },
  {
    name: 'settings-server-check-unreachable',
    path: '/settings/servers',
    answers: checking({ usable: false, problem: UNREACHABLE }),
    act: screen => check(screen),
  },
  {
    name: 'settings-server-check-wrong-network',
    path: '/settings/servers',
    answers: checking({ usable: false, problem: problem('wrong-network', 'genesis of signet') }),
    act: screen => check(screen),
  },
  {
    name: 'settings-server-check-nonsense',
    path: '/settings/servers',
    answers: checking({
      usable: false,
      problem: problem('nonsense', 'an HTML page of 2,381 bytes'),
    }),
    act: screen => check(screen),
  },
  {
    name: 'settings-server-refused',
    path: '/settings/servers',
    surface: 'tab',
    answers: open({}),
    async act(screen) {
      await screen.evaluate(refuseHosts)
      await check(screen, 'https://node.example:3002/api')
      await screen.waitForText('did not allow')
    },
  },

  { name: 'settings-security', path: '/settings/security', answers: open({}) },
  { name: 'settings-password', path: '/settings/password', answers: open({}) },
  {
    name: 'settings-password-wait',
    path: '/settings/password',
    answers: open({
      changePassword: value({ accepted: false, reason: 'WRONG_PASSWORD', retryAfterMs: 30_000 }),
    }),
    async act(screen) {
      await screen.fill('textbox', 'Current password', 'not the password')
      await screen.fill('textbox', 'New password', 'correct horse battery')
      await screen.fill('textbox', 'Repeat password', 'correct horse battery')
      await screen.click('button', 'Change password')
    },
  },
  { name: 'settings-backup', path: '/settings/backup', answers: open({}) },
  {
    name: 'settings-backup-hidden',
    path: '/settings/backup',
    answers: open(PHRASE),
    act: openBackup,
  },
  {
    name: 'settings-backup-shown',
    path: '/settings/backup',
    answers: open(PHRASE),
    async act(screen) {
      await openBackup(screen)
      await screen.click('button', 'Show words')
    },
  },
  {
    name: 'settings-backup-no-words',
    path: '/settings/backup',
    answers: open(
      {},
      { hasPhrase: false, phrases: [], accounts: [{ ...SEGWIT, source: 'key', phraseId: null }] },
    ),
  },
  ...NOTIFICATION_SHOTS,
  ...BACKUP_SHOTS,
  ...CHANGED_RECORD_SHOTS,
  ...PASSKEY_SHOTS,
  ...HELP_SHOTS,
  ...MESSAGE_SHOTS,
  { name: 'settings-reset', path: '/settings/reset', answers: open({}) },
  {
    name: 'settings-reset-ready',
    path: '/settings/reset',
    answers: open({}),
    act: screen => screen.fill('textbox', 'Type*', 'erase'),
  },
  { name: 'settings-display', path: '/settings/display', answers: open({}) },
  {
    name: 'settings-display-german',
    path: '/settings/display',
    answers: open(
      {},
      { settings: { ...SETTINGS, ...german.settings, currency: 'EUR', hideAmounts: true } },
    ),
  },
  { name: 'settings-expert', path: '/settings/expert', answers: open({}) },
  {
    name: 'settings-expert-on',
    path: '/settings/expert',
    answers: open(
      {},
      {
        settings: {
          ...SETTINGS,
          expert: {
            spendUnconfirmed: true,
            spendUnchecked: true,
            burnAssets: true,
            anySighash: false,
            holdSmallCoins: true,
          },
        },
      },
    ),
  },
  { name: 'settings-about', path: '/settings/about', answers: open({}) },
]

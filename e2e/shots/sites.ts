import type { AskedEntryView } from '../../src/background/views/approval-history-views.ts'
import type { OkxAliasView } from '../../src/background/views/settings-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { BLOCKED, ENTRIES, MANY_SITES, SITES } from './fixtures/sites.ts'
import {
  type Answers,
  failing,
  GERMAN,
  HIDDEN,
  SETTINGS,
  type Shot,
  silent,
  stateWith,
  value,
} from './shot.ts'

function aliased(alias: Partial<OkxAliasView>, state: Partial<WalletState> = {}): Answers {
  return {
    getState: value(stateWith(state)),
    touch: value(null),
    getOkxAlias: value({ everywhere: false, origins: [], ...alias }),
  }
}

/** As if the toolbar popup had been opened on a site, in a browser that allows these hosts; no picture is of a toolbar popup. */
function toCompatibility(...allowed: string[]) {
  return async (screen: Screen): Promise<void> => {
    await screen.evaluate(scriptBrowser, allowed)
    await screen.click(
      'link',
      /Stand in/.test(await screen.text()) ? 'Stand in for other wallets*' : 'Für andere*',
    )
  }
}

/** Runs in the page. */
function scriptBrowser(allowed: readonly string[]): void {
  type Answer = (answer: unknown) => void
  type Api = { tabs: { query: unknown }; permissions: { contains: unknown } }
  const { chrome, browser } = globalThis as unknown as { chrome: Api; browser?: Api }
  const answer = (value: unknown, respond?: Answer) =>
    respond ? respond(value) : Promise.resolve(value)
  for (const api of [chrome, browser]) {
    if (!api) continue
    api.tabs.query = (_: unknown, respond?: Answer) =>
      answer([{ url: 'https://market.example/collections/quiet-things' }], respond)
    api.permissions.contains = ({ origins }: { origins: string[] }, respond?: Answer) =>
      answer(
        origins.every(origin => allowed.includes(origin)),
        respond,
      )
  }
}

const EVERY_SITE = ['https://*/*', 'http://*.localhost/*', 'http://127.0.0.1/*']

const ALIASED = [
  'https://market.example',
  'http://localhost:3000',
  'https://a-very-long-host-name-that-does-not-fit.subdomain.of.some.example:8080',
]

function http(hosts: string[], state: Partial<WalletState> = {}): Answers {
  return { ...aliased({}, state), getHttpSites: value(hosts), setHttpSite: value(hosts) }
}

const HTTP = ['nas.example', 'a-very-long-host-name-that-does-not-fit.subdomain.of.some.example']

const MANY = Array.from({ length: 80 }, (_, at) => `https://site-${at + 1}.example`)

function open(answers: Answers): Answers {
  return {
    getState: value(stateWith()),
    touch: value(null),
    getBlockedSites: value([]),
    ...answers,
  }
}

const ASKED = '/settings/sites/asked'

function of(origin: string): string {
  return `/settings/sites/of/${encodeURIComponent(origin)}`
}

function asked(entries: AskedEntryView[], total = entries.length): Answers {
  return open({ getApprovalHistory: value({ entries, total }) })
}

/** The sites that are connected and what they asked, and the ways of sites to the wallet. */
export const shots: Shot[] = [
  { name: 'sites', path: '/settings/sites', answers: open({ getSites: value(SITES) }) },
  {
    name: 'sites-tab',
    path: '/settings/sites',
    surface: 'tab',
    answers: open({ getSites: value(SITES) }),
  },
  {
    name: 'sites-blocked',
    path: '/settings/sites',
    answers: open({ getSites: value(SITES), getBlockedSites: value(BLOCKED) }),
  },
  {
    name: 'sites-only-blocked',
    path: '/settings/sites',
    answers: open({ getSites: value([]), getBlockedSites: value(BLOCKED) }),
  },
  { name: 'sites-empty', path: '/settings/sites', answers: open({ getSites: value([]) }) },
  { name: 'sites-loading', path: '/settings/sites', answers: open({ getSites: silent }) },
  {
    name: 'sites-error',
    path: '/settings/sites',
    answers: open({ getSites: failing(-32603, 'Internal error') }),
  },
  {
    name: 'sites-many',
    path: '/settings/sites',
    answers: open({ getSites: value(MANY_SITES) }),
  },
  {
    name: 'sites-disconnect-all',
    path: '/settings/sites',
    answers: open({ getSites: value(MANY_SITES) }),
    act: screen => screen.click('button', 'Disconnect all'),
  },
  {
    name: 'sites-german',
    path: '/settings/sites',
    answers: { ...open({ getSites: value(SITES) }), ...GERMAN },
  },
  {
    name: 'sites-one',
    path: of('https://market.example'),
    answers: open({ getSites: value(SITES) }),
  },
  {
    name: 'sites-one-day',
    path: of('https://swap.example'),
    answers: open({ getSites: value(SITES) }),
  },
  {
    name: 'sites-one-gone',
    path: of('https://gone.example'),
    answers: open({ getSites: value(SITES) }),
  },
  {
    name: 'sites-one-loading',
    path: of('https://swap.example'),
    answers: open({ getSites: silent }),
  },
  { name: 'sites-asked', path: ASKED, answers: asked(ENTRIES) },
  { name: 'sites-asked-tab', path: ASKED, surface: 'tab', answers: asked(ENTRIES, 120) },
  { name: 'sites-asked-hidden', path: ASKED, answers: { ...asked(ENTRIES), ...HIDDEN } },
  { name: 'sites-asked-german', path: ASKED, answers: { ...asked(ENTRIES), ...GERMAN } },
  {
    name: 'sites-asked-one',
    path: `${ASKED}/${encodeURIComponent('https://market.example')}`,
    answers: asked(ENTRIES.filter(({ origin }) => origin === 'https://market.example')),
  },
  { name: 'sites-asked-empty', path: ASKED, answers: asked([]) },
  { name: 'sites-asked-loading', path: ASKED, answers: open({ getApprovalHistory: silent }) },
  {
    name: 'sites-asked-error',
    path: ASKED,
    answers: open({ getApprovalHistory: failing(-32603, 'Internal error') }),
  },
  {
    name: 'sites-asked-delete',
    path: ASKED,
    answers: asked(ENTRIES),
    act: screen => screen.click('button', 'Delete this history'),
  },

  {
    name: 'settings-compatibility',
    path: '/settings',
    answers: aliased({}),
    act: toCompatibility(),
  },
  {
    name: 'settings-compatibility-sites',
    path: '/settings',
    answers: aliased({ origins: ALIASED }),
    act: toCompatibility(...ALIASED.map(origin => origin.replace(/(:\d+)?$/, '/*'))),
  },
  {
    name: 'settings-compatibility-late',
    path: '/settings',
    answers: aliased({ origins: ALIASED.slice(0, 1) }),
    act: toCompatibility(),
  },
  {
    name: 'settings-compatibility-late-german',
    path: '/settings',
    answers: aliased({ origins: MANY }, { settings: { ...SETTINGS, language: 'de' } }),
    act: toCompatibility(),
  },
  {
    name: 'settings-compatibility-many-german',
    path: '/settings',
    surface: 'tab',
    answers: aliased({ origins: MANY }, { settings: { ...SETTINGS, language: 'de' } }),
    act: toCompatibility(...MANY.map(origin => `${origin}/*`)),
  },
  {
    name: 'settings-compatibility-everywhere',
    path: '/settings',
    answers: aliased({ everywhere: true, origins: ALIASED }),
    act: toCompatibility(...EVERY_SITE),
  },
  {
    name: 'settings-compatibility-everywhere-late',
    path: '/settings',
    answers: aliased({ everywhere: true }),
    act: toCompatibility(),
  },
  {
    name: 'settings-compatibility-not-address',
    path: '/settings',
    answers: aliased({}),
    async act(screen) {
      await toCompatibility(...EVERY_SITE)(screen)
      await screen.fill('textbox', 'Address of a site', '*.market.example')
      await screen.click('button', 'Add')
    },
  },
  { name: 'settings-http', path: '/settings/http', answers: http([]) },
  { name: 'settings-http-sites', path: '/settings/http', answers: http(HTTP) },
  {
    name: 'settings-http-german',
    path: '/settings/http',
    answers: http(HTTP.slice(0, 1), { settings: { ...SETTINGS, language: 'de' } }),
  },
  {
    name: 'settings-http-allow',
    path: '/settings/http',
    answers: http([]),
    async act(screen) {
      await screen.fill('textbox', 'Address of a site', 'nas.example:8080')
      await screen.click('button', 'Add')
    },
  },
  {
    name: 'settings-http-not-address',
    path: '/settings/http',
    answers: http([]),
    async act(screen) {
      await screen.fill('textbox', 'Address of a site', 'https://market.example')
      await screen.click('button', 'Add')
    },
  },
]

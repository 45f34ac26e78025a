import type { OkxAliasView } from '../../src/background/views/settings-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { type Answers, NO_NOTIFICATIONS, SETTINGS, type Shot, stateWith, value } from './shot.ts'

function aliased(alias: Partial<OkxAliasView>, state: Partial<WalletState> = {}): Answers {
  return {
    getState: value(stateWith(state)),
    touch: value(null),
    getOkxAlias: value({ everywhere: false, origins: [], ...alias }),
    getNotifications: value(NO_NOTIFICATIONS),
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

export const shots: Shot[] = [
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

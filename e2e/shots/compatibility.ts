import type { OkxAliasView } from '../../src/background/views/settings-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { type Answers, SETTINGS, type Shot, stateWith, value } from './shot.ts'

function aliased(alias: Partial<OkxAliasView>, state: Partial<WalletState> = {}): Answers {
  return {
    getState: value(stateWith(state)),
    touch: value(null),
    getOkxAlias: value({ everywhere: false, origins: [], ...alias }),
  }
}

/** As if the toolbar popup had been opened on a site; no picture is of a toolbar popup. */
async function toCompatibility(screen: Screen): Promise<void> {
  await screen.evaluate(() => {
    type Api = { tabs: { query: unknown } }
    const { chrome, browser } = globalThis as unknown as { chrome: Api; browser?: Api }
    const tabs = [{ url: 'https://market.example/collections/quiet-things' }]
    for (const api of [chrome, browser]) {
      if (api) {
        api.tabs.query = (_: unknown, respond?: (found: typeof tabs) => void) =>
          respond ? respond(tabs) : Promise.resolve(tabs)
      }
    }
  })
  await screen.click('link', 'Stand in for other wallets*')
}

const ALIASED = [
  'https://market.example',
  'http://localhost:3000',
  'https://a-very-long-host-name-that-does-not-fit.subdomain.of.some.example:8080',
]

const MANY = Array.from({ length: 80 }, (_, at) => `https://site-${at + 1}.example`)

export const shots: Shot[] = [
  {
    name: 'settings-compatibility',
    path: '/settings',
    answers: aliased({}),
    act: toCompatibility,
  },
  {
    name: 'settings-compatibility-sites',
    path: '/settings',
    answers: aliased({ origins: ALIASED }),
    act: toCompatibility,
  },
  {
    name: 'settings-compatibility-many-german',
    path: '/settings/compatibility',
    surface: 'tab',
    answers: aliased({ origins: MANY }, { settings: { ...SETTINGS, language: 'de' } }),
  },
  {
    name: 'settings-compatibility-everywhere',
    path: '/settings/compatibility',
    answers: aliased({ everywhere: true, origins: ALIASED }),
  },
  {
    name: 'settings-compatibility-not-address',
    path: '/settings/compatibility',
    answers: aliased({}),
    async act(screen) {
      await screen.fill('textbox', 'Address of a site', '*.market.example')
      await screen.click('button', 'Add')
    },
  },
]

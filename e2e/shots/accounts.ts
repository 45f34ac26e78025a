import type {
  AccountView,
  SigningAccountView,
  WatchedAccountView,
} from '../../src/background/views/account-views.ts'
import type { WalletState } from '../../src/background/views/ui-methods.ts'
import type { Screen } from '../driver/screen.ts'
import { foundFurther, foundMany, foundPairs } from './fixtures/found-addresses.ts'
import {
  type Answers,
  failing,
  PAIRED,
  SEGWIT,
  SETTINGS,
  type Shot,
  silent,
  stateWith,
  TAPROOT,
  unnamed,
  value,
} from './shot.ts'

const KEY: SigningAccountView = {
  id: 'd0d1d2d3d4d5d6d7d8d9dadbdcdddedf',
  name: 'Old paper wallet',
  source: 'key',
  addressType: 'p2pkh',
  address: '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
  publicKey: '03aaeb52dd7494c361049de67cc680e83ebcbbbdbeb13637d92cd845f70308af5e',
  descriptor: null,
  ordinals: null,
  derivationPath: null,
  phraseId: null,
  hidden: false,
}

const WATCHED: WatchedAccountView = {
  id: 'e0e1e2e3e4e5e6e7e8e9eaebecedeeef',
  name: 'Cold storage in the bank, looked at once a year',
  source: 'watch',
  addressType: null,
  address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  publicKey: null,
  descriptor: null,
  ordinals: null,
  derivationPath: null,
  hidden: false,
}

const HIDDEN: SigningAccountView = {
  ...SEGWIT,
  id: 'f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff',
  name: 'Holiday 2024',
  descriptor: null,
  ordinals: null,
  derivationPath: "m/84'/0'/1'/0/0",
  hidden: true,
}

export const MIXED: AccountView[] = [TAPROOT, SEGWIT, KEY, WATCHED, HIDDEN]
const MANY: AccountView[] = Array.from({ length: 60 }, (_, at) => ({
  ...TAPROOT,
  id: at.toString(16).padStart(32, '7'),
  name: unnamed('account', at + 1),
}))

export function open(state: Partial<WalletState> = {}, answers: Answers = {}): Answers {
  return {
    getState: value(stateWith({ accounts: MIXED, ...state })),
    touch: value(null),
    getOverview: silent,
    ...answers,
  }
}

export const german = { settings: { ...SETTINGS, language: 'de' as const } }
const pageOf = ({ id }: AccountView) => `/accounts/of/${id}`
const WIF = 'KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d'

async function typePassword(screen: Screen): Promise<void> {
  await screen.fill('textbox', 'Password', 'correct horse battery')
  await screen.click('button', 'Continue')
}

export async function openDialog(screen: Screen, button: string): Promise<void> {
  await screen.click('button', button)
  await screen.find('dialog')
}

async function openKey(screen: Screen): Promise<void> {
  await screen.click('button', 'Show private key*')
  await typePassword(screen)
}

const taken = ({ id: accountId, name }: AccountView) =>
  failing(-32000, 'It has it.', { reason: 'ACCOUNT_EXISTS', accountId, name })

async function askToJoin(screen: Screen): Promise<void> {
  await screen.click('switch', 'Separate Taproot*')
  await screen.find('dialog')
}

const startSearch = (screen: Screen) => screen.click('button', 'Look for them')

export const shots: Shot[] = [
  { name: 'accounts-list', path: '/accounts', answers: open() },
  { name: 'accounts-list-tab', path: '/accounts', surface: 'tab', answers: open() },
  { name: 'accounts-list-german', path: '/accounts', answers: open(german) },
  {
    name: 'accounts-hidden-open',
    path: '/accounts',
    answers: open(),
    act: screen => screen.click('button', '1 hidden account'),
  },
  {
    name: 'accounts-many',
    path: '/accounts',
    answers: open({ accounts: MANY, accountId: MANY[3]?.id ?? null }),
  },
  {
    name: 'accounts-no-match',
    path: '/accounts',
    answers: open({ accounts: MANY }),
    act: screen => screen.fill('textbox', 'Search*', 'savings'),
  },
  { name: 'accounts-none', path: '/accounts', answers: open({ accounts: [], accountId: null }) },
  {
    name: 'accounts-switch-fails',
    path: '/accounts',
    answers: open({}, { selectAccount: failing(-32603, 'Internal error') }),
    act: screen => screen.click('button', 'Savings*'),
  },
  {
    name: 'accounts-dialog',
    answers: open(),
    act: screen => openDialog(screen, 'Account: *'),
  },
  {
    name: 'accounts-network-dialog',
    answers: open(),
    act: screen => openDialog(screen, 'Network: *'),
  },
  { name: 'accounts-add', path: '/accounts/add', answers: open() },
  { name: 'accounts-add-tab', path: '/accounts/add', surface: 'tab', answers: open() },
  { name: 'accounts-add-german', path: '/accounts/add', answers: open(german) },
  { name: 'accounts-add-no-words', path: '/accounts/add', answers: open({ hasPhrase: false }) },
  { name: 'accounts-key', path: '/accounts/key', answers: open() },
  {
    name: 'accounts-key-wrong-network',
    path: '/accounts/key',
    answers: open({}, { checkWif: value({ valid: false, problem: 'WRONG_NETWORK' }) }),
    act: screen => screen.fill('textbox', 'Private key', WIF),
  },
  { name: 'accounts-watch', path: '/accounts/watch', answers: open() },
  {
    name: 'accounts-watch-wrong',
    path: '/accounts/watch',
    answers: open({}, { watchAddress: failing(-32602, 'address: expected an address') }),
    async act(screen) {
      await screen.fill('textbox', 'Address', 'bc1qnotanaddress')
      await screen.click('button', 'Add account')
    },
  },
  { name: 'accounts-one', path: pageOf(TAPROOT), answers: open() },
  { name: 'accounts-one-tab', path: pageOf(SEGWIT), surface: 'tab', answers: open() },
  {
    name: 'accounts-one-many',
    path: pageOf(SEGWIT),
    answers: open({ accounts: [TAPROOT, { ...SEGWIT, descriptor: 'wpkh(xpub)' }] }),
  },
  { name: 'accounts-one-paired', path: pageOf(PAIRED), answers: open({ accounts: [PAIRED, KEY] }) },
  {
    name: 'accounts-join',
    path: pageOf(SEGWIT),
    answers: open({}, { setOrdinalsAddress: taken(TAPROOT) }),
    act: askToJoin,
  },
  {
    name: 'accounts-join-german',
    path: pageOf(SEGWIT),
    answers: open(german, { setOrdinalsAddress: taken(TAPROOT) }),
    async act(screen) {
      await screen.click('switch', 'Eigene Taproot-Adresse*')
      await screen.find('dialog')
    },
  },
  {
    name: 'accounts-join-fails',
    path: pageOf(SEGWIT),
    answers: open(
      {},
      { setOrdinalsAddress: taken(TAPROOT), joinAccounts: failing(-32603, 'Internal error') },
    ),
    async act(screen) {
      await askToJoin(screen)
      await screen.click('button', 'Combine')
    },
  },
  {
    name: 'accounts-join-many',
    path: pageOf(SEGWIT),
    answers: open(
      { accounts: [{ ...TAPROOT, descriptor: 'tr(xpub)' }, SEGWIT] },
      { setOrdinalsAddress: taken(TAPROOT) },
    ),
    act: askToJoin,
  },
  {
    name: 'accounts-join-other',
    path: pageOf(SEGWIT),
    answers: open({}, { setOrdinalsAddress: taken(KEY) }),
    act: askToJoin,
  },
  { name: 'accounts-paired', path: '/accounts', answers: open({ accounts: [PAIRED, KEY] }) },
  { name: 'accounts-one-key', path: pageOf(KEY), answers: open() },
  { name: 'accounts-one-watched', path: pageOf(WATCHED), answers: open() },
  { name: 'accounts-one-hidden', path: pageOf(HIDDEN), answers: open() },
  { name: 'accounts-gone', path: '/accounts/of/unknown', answers: open() },
  ...[SEGWIT, TAPROOT].map((account, at) => ({
    name: `accounts-rename${['', '-unnamed'][at]}`,
    path: pageOf(account),
    answers: open(),
    act: (screen: Screen) => screen.click('button', 'Rename*'),
  })),
  {
    name: 'accounts-remove-words',
    path: pageOf(SEGWIT),
    answers: open(),
    act: screen => screen.click('button', 'Remove*'),
  },
  {
    name: 'accounts-remove-key',
    path: pageOf(KEY),
    answers: open(),
    act: screen => screen.click('button', 'Remove*'),
  },
  {
    name: 'accounts-show-key-password',
    path: pageOf(SEGWIT),
    answers: open(),
    act: screen => screen.click('button', 'Show private key*'),
  },
  {
    name: 'accounts-show-key-wait',
    path: pageOf(SEGWIT),
    answers: open(
      {},
      { revealKey: value({ accepted: false, reason: 'WRONG_PASSWORD', retryAfterMs: 30_000 }) },
    ),
    act: openKey,
  },
  {
    name: 'accounts-show-key-veiled',
    path: pageOf(SEGWIT),
    answers: open({}, { revealKey: value({ accepted: true, wif: WIF, ordinalsWif: null }) }),
    act: openKey,
  },
  {
    name: 'accounts-show-key',
    path: pageOf(SEGWIT),
    answers: open({}, { revealKey: value({ accepted: true, wif: WIF, ordinalsWif: null }) }),
    async act(screen) {
      await openKey(screen)
      await screen.click('button', 'Show key')
    },
  },
  {
    name: 'accounts-show-key-picture',
    path: pageOf(SEGWIT),
    answers: open({}, { revealKey: value({ accepted: true, wif: WIF, ordinalsWif: null }) }),
    async act(screen) {
      await openKey(screen)
      await screen.click('button', 'Show key')
      await screen.click('button', 'As a QR code')
    },
  },
  { name: 'accounts-restore-popup', path: '/accounts/restore', answers: open() },
  { name: 'accounts-restore-offer', path: '/accounts/restore', surface: 'tab', answers: open() },
  {
    name: 'accounts-restore-no-words',
    path: '/accounts/restore',
    answers: open({ hasPhrase: false }),
  },
  {
    name: 'accounts-restore-scanning',
    path: '/accounts/restore',
    surface: 'tab',
    answers: open({}, { scanAddresses: silent }),
    act: startSearch,
  },
  {
    name: 'accounts-restore-stopped',
    path: '/accounts/restore',
    surface: 'tab',
    answers: open({}, { scanAddresses: silent }),
    async act(screen) {
      await startSearch(screen)
      await screen.click('button', 'Stop')
    },
  },
  {
    name: 'accounts-restore-nothing',
    path: '/accounts/restore',
    surface: 'tab',
    answers: open({}, { scanAddresses: value({ used: [] }) }),
    async act(screen) {
      await startSearch(screen)
      await screen.find('button', 'Done')
    },
  },
  {
    name: 'accounts-restore-many',
    path: '/accounts/restore',
    surface: 'tab',
    answers: open({}, { scanAddresses: foundMany }),
    async act(screen) {
      await startSearch(screen)
      await screen.waitForText('addresses looked at')
    },
  },
  ...(['en', 'de'] as const).map(language => ({
    name: language === 'en' ? 'accounts-restore-further' : 'accounts-restore-further-german',
    path: '/accounts/restore',
    surface: 'tab' as const,
    answers: open({ settings: { ...SETTINGS, language } }, { scanAddresses: foundFurther }),
    async act(screen: Screen) {
      await screen.click('button', language === 'en' ? 'Look for them' : 'Suchen')
      const further = language === 'en' ? 'Search the paths*' : 'Pfade anderer*'
      await screen.click('button', further)
      await screen.waitForText(language === 'en' ? 'addresses looked at' : 'durchsucht, 4')
    },
  })),
  {
    name: 'accounts-restore-further-searching',
    path: '/accounts/restore',
    surface: 'tab',
    answers: open(
      {},
      {
        scanAddresses: {
          given: ({ line }) =>
            line.startsWith('m/') ? (new Promise(() => {}) as never) : { used: [] },
        },
      },
    ),
    async act(screen) {
      await startSearch(screen)
      await screen.click('button', 'Search the paths*')
      await screen.waitForText('UniSat')
    },
  },
  {
    name: 'accounts-restore-pairs',
    path: '/accounts/restore',
    surface: 'tab',
    answers: open({}, { scanAddresses: foundPairs }),
    async act(screen) {
      await startSearch(screen)
      await screen.waitForText('addresses looked at')
    },
  },
  {
    name: 'accounts-restore-pairs-apart',
    path: '/accounts/restore',
    answers: open({}, { scanAddresses: foundPairs }),
    surface: 'tab',
    async act(screen) {
      await startSearch(screen)
      await screen.waitForText('addresses looked at')
      await screen.click('checkbox', 'Payments and ordinals*')
    },
  },
  {
    name: 'accounts-restore-offline',
    path: '/accounts/restore',
    surface: 'tab',
    answers: open(
      {},
      {
        scanAddresses: failing(-32000, 'The server does not answer.', {
          reason: 'BACKEND_UNAVAILABLE',
        }),
      },
    ),
    async act(screen) {
      await startSearch(screen)
      await screen.find('button', 'Try again')
    },
  },
]

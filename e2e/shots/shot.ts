import type {
  AccountView,
  SigningAccountView,
  UnnamedKind,
  UnnamedName,
} from '../../src/background/views/account-views.ts'
import type { NotificationsView, Settings } from '../../src/background/views/settings-views.ts'
import type { UiMethodName, UiMethods, WalletState } from '../../src/background/views/ui-methods.ts'
import type { WireError } from '../../src/provider/errors.ts'
import type { Screen } from '../driver/screen.ts'

/** One state of one screen: what the background answers, and what the person did to get there. */
export type Shot = {
  /** File name of the picture, such as `send-wrong-network`. */
  name: string
  /** Route, such as `/send`; the start screen where it is left out. */
  path?: string
  /** The toolbar popup (360 x 600) unless said. */
  surface?: 'popup' | 'tab' | 'panel' | 'approval'
  /** Of a panel, which people make as wide as they like (360 x 900 unless said), and of a tab (1100 x 800). */
  size?: { width: number; height: number }
  answers: Answers
  /** Presses and types before the picture is taken. */
  act?: (screen: Screen) => Promise<void>
}

/** Windows in which a tab has a layout of its own, from the narrowest on. */
const MIDDLE = { width: 1280, height: 800 }
const WIDTHS = [{ width: 900, height: 800 }, MIDDLE, { width: 1600, height: 900 }]

/**
 * The same state in a window of this size: of the wallet's own surface, but that the toolbar popup, which has one size, is a
 * tab there. With `beside`, what is no approval is shown in the panel beside the page.
 */
export function inWindow(
  shot: Shot,
  size: { width: number; height: number },
  beside = false,
): Shot {
  const { surface = 'popup' } = shot
  if (surface === 'approval') return { ...shot, size }
  return { ...shot, surface: beside || surface === 'panel' ? 'panel' : 'tab', size }
}

/** An approval whose window was made as wide as those. */
export function inWideWindow(shot: Shot): Shot[] {
  return WIDTHS.map(size => ({ ...shot, name: `${shot.name}-${size.width}`, size }))
}

/** The same state in a tab of each of these widths, and in the middle one in German. */
export function atWidths(shot: Shot): Shot[] {
  const { name, answers } = shot
  const widths = WIDTHS.map(size => ({
    ...shot,
    ...{ name: `${name}-${size.width}`, surface: 'tab' as const, size },
  }))
  const german = { ...answers, ...GERMAN }
  return [
    ...widths,
    { ...shot, name: `${name}-1280-german`, surface: 'tab', size: MIDDLE, answers: german },
  ]
}

/**
 * Answers by method, in the types of the real ones: a value at once or later, an error, no answer at all, or a function of the
 * parameters.
 * Functions are sent to the page as source: they see their parameters and nothing else.
 */
export type Answers = { [M in UiMethodName]?: Answer<M> }

type Params<M extends UiMethodName> = Parameters<UiMethods[M]>[0]
type Result<M extends UiMethodName> = ReturnType<UiMethods[M]>

export type Answer<M extends UiMethodName> =
  | { value: Result<M> }
  | { error: WireError }
  | { silent: true }
  | { held: Result<M> }
  | { given: (params: Params<M>) => Result<M> }

/** The background does not answer: the screen as it is while it waits. */
export const silent: { silent: true } = { silent: true }

/** The background answers once the camera lets it. */
export function held<T>(result: T): { held: T } {
  return { held: result }
}

export function value<T>(result: T): { value: T } {
  return { value: result }
}

export function failing(
  code: number,
  message: string,
  data?: WireError['data'],
): { error: WireError } {
  return { error: data === undefined ? { code, message } : { code, message, data } }
}

export const SETTINGS: Settings = {
  autoLockMinutes: 15,
  language: 'auto',
  theme: 'system',
  currency: null,
  hideAmounts: false,
  sortSpam: true,
  disconnectUnusedDays: null,
  feeAlert: null,
  toolbarOpens: 'popup',
  holdRareSats: 'uncommon',
  expert: {
    spendUnconfirmed: false,
    spendUnchecked: false,
    burnAssets: false,
    anySighash: false,
    holdSmallCoins: false,
  },
}

export const NO_NOTIFICATIONS: NotificationsView = {
  ...{ on: false, received: true, confirmed: true, replaced: true, jobs: true, amounts: false },
  state: 'not-allowed',
}

/** The name that nobody gave. */
export function unnamed(kind: UnnamedKind, number: number): UnnamedName {
  return { unnamed: kind, number }
}

/** The wallet that those are of. */
export const PHRASE = {
  id: '5a7c9e1b3d5f60718293a4b5c6d7e8f9',
  name: unnamed('wallet', 1),
  kind: 'bip39' as const,
}

/** The first accounts of the phrase in BIP-86's and BIP-84's vectors. */
export const TAPROOT: SigningAccountView = {
  id: '7b1f0c5d9a3e4482b6d0c1f2e3a45968',
  name: unnamed('account', 1),
  source: 'seed',
  addressType: 'p2tr',
  address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  publicKey: '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
  descriptor: null,
  ordinals: null,
  derivationPath: "m/86'/0'/0'/0/0",
  phraseId: PHRASE.id,
  hidden: false,
}

export const SEGWIT: SigningAccountView = {
  id: 'c4a9e2d7105b4f36a8e9d0b1c2f3a475',
  name: 'Savings',
  source: 'seed',
  addressType: 'p2wpkh',
  address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  publicKey: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
  descriptor: null,
  ordinals: null,
  derivationPath: "m/84'/0'/0'/0/0",
  phraseId: PHRASE.id,
  hidden: false,
}

/** Payments on Native SegWit, ordinals on Taproot. */
export const PAIRED: SigningAccountView = {
  ...SEGWIT,
  name: 'Everyday',
  ordinals: {
    address: TAPROOT.address,
    publicKey: TAPROOT.publicKey,
    derivationPath: "m/86'/0'/0'/0/0",
  },
}

/** The state of an unlocked wallet on mainnet, changed by what is given. */
export function stateWith(changes: Partial<WalletState> = {}): WalletState {
  const accounts: AccountView[] = [TAPROOT, SEGWIT]
  return {
    vault: 'unlocked',
    unlockDelayMs: 0,
    passkey: null,
    network: 'mainnet',
    server: { url: 'https://mempool.space/api', custom: false },
    accounts,
    accountId: TAPROOT.id,
    hasPhrase: true,
    phrases: [PHRASE],
    settings: SETTINGS,
    hasChangedRecords: false,
    pendingApprovals: 0,
    oneTimeNotices: { newsUpTo: '0.1.0', awaitsFirstPayment: false },
    ...changes,
  }
}

/** What the wallet answers where amounts are hidden. */
export const HIDDEN: Answers = {
  getState: value(stateWith({ settings: { ...SETTINGS, hideAmounts: true } })),
}

/** The same wallet in German. */
export const GERMAN: Answers = {
  getState: value(stateWith({ settings: { ...SETTINGS, language: 'de' } })),
}

/** A server that gave nothing of use. */
export const SILENT_SERVER = failing(-32000, 'No usable answer.', { reason: 'BACKEND_UNAVAILABLE' })

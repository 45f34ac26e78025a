import { parseFeeRate } from '../../bitcoin/fee-rate.ts'
import { LANGUAGES } from '../../browser/languages.ts'
import { RARITIES } from '../../ordinals/sats/rarity.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Records } from '../../storage/records.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { Currency, ExpertSwitches, Settings } from '../views/settings-views.ts'

export const SETTINGS_KEY = 'settings'
export const LONGEST_MINUTES = 24 * 60

export const THEMES: readonly Settings['theme'][] = ['system', 'light', 'dark']
export const CURRENCIES: readonly Currency[] = ['USD', 'EUR', 'GBP', 'CAD', 'CHF', 'AUD', 'JPY']

const DEFAULT_EXPERT: ExpertSwitches = {
  spendUnconfirmed: false,
  spendUnchecked: false,
  burnAssets: false,
  anySighash: false,
  holdSmallCoins: false,
}

type Field<T> = { fallback: T; expected: string; accepts(value: unknown): value is T }

const FIELDS: { [K in keyof Settings]: Field<Settings[K]> } = {
  autoLockMinutes: {
    fallback: 15,
    expected: `whole minutes from 1 to ${LONGEST_MINUTES}`,
    accepts: (value): value is number =>
      Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_MINUTES,
  },
  language: oneOf<Settings['language']>('auto', ['auto', ...LANGUAGES]),
  theme: oneOf('system', THEMES),
  currency: oneOf<Currency | null>(null, [null, ...CURRENCIES]),
  hideAmounts: oneOf(false, [false, true]),
  sortSpam: oneOf(true, [false, true]),
  disconnectUnusedDays: oneOf<Settings['disconnectUnusedDays']>(null, [null, 30, 90, 365]),
  feeAlert: {
    fallback: null,
    expected: 'a fee rate from 0.1 to 10000 sat/vB with at most 3 decimals, or null',
    accepts: (value): value is number | null => value === null || isFeeRate(value),
  },
  toolbarOpens: oneOf<Settings['toolbarOpens']>('popup', ['popup', 'panel']),
  holdRareSats: oneOf<Settings['holdRareSats']>('uncommon', [null, ...RARITIES]),
  expert: {
    fallback: DEFAULT_EXPERT,
    expected: `an object with booleans: ${Object.keys(DEFAULT_EXPERT).join(', ')}`,
    accepts: isExpert,
  },
}

/** The person's settings, in local storage. Switches that somebody else changed are off. */
export function createSettings({ records }: { records: Records }) {
  const inTurn = createMutex()
  return {
    load,
    /** Runs a task while nobody else writes here. */
    hold: inTurn,
    /** What storage holds once these are changed. */
    entriesWith: async (patch: Partial<Settings>) => ({
      [SETTINGS_KEY]: { ...(await load()), ...checkPatch(patch) },
    }),
    /** Stores what is given and leaves the rest; throws -32602 that names the first field that cannot be. */
    change: (patch: unknown): Promise<Settings> =>
      inTurn(async () => {
        const next: Settings = { ...(await load()), ...checkPatch(patch) }
        await records.write({ [SETTINGS_KEY]: next })
        return next
      }),
  }

  async function load(): Promise<Settings> {
    const { stored, isChanged } = await records.read(SETTINGS_KEY)
    const settings = parseSettings(stored)
    if (!isChanged) return settings
    return { ...settings, expert: DEFAULT_EXPERT, holdRareSats: FIELDS.holdRareSats.fallback }
  }
}

export type SettingsStore = ReturnType<typeof createSettings>

/** The names of the switches that are stored as on: what is off by default need not be there. */
export function pickExpert(stored: unknown): string[] {
  return Object.entries(Object(Object(stored).expert))
    .filter(([, isOn]) => isOn === true)
    .map(([name]) => name)
    .sort()
}

/** What is stored, each field that is missing or makes no sense replaced by its default. */
export function parseSettings(told: unknown): Settings {
  const stored = { ...Object(told), expert: readExpert(Object(told).expert) }
  const read = <K extends keyof Settings>(key: K): Settings[K] => {
    const value: unknown = stored[key]
    return FIELDS[key].accepts(value) ? value : FIELDS[key].fallback
  }
  return {
    autoLockMinutes: read('autoLockMinutes'),
    language: read('language'),
    theme: read('theme'),
    currency: read('currency'),
    hideAmounts: read('hideAmounts'),
    sortSpam: read('sortSpam'),
    disconnectUnusedDays: read('disconnectUnusedDays'),
    feeAlert: read('feeAlert'),
    toolbarOpens: read('toolbarOpens'),
    holdRareSats: read('holdRareSats'),
    expert: read('expert'),
  }
}

/** A switch that is newer than what is stored is off, and one that there is no more is dropped. */
function readExpert(told: unknown): unknown {
  const known = Object.entries(Object(told)).filter(([key]) => Object.hasOwn(DEFAULT_EXPERT, key))
  return { ...DEFAULT_EXPERT, ...Object.fromEntries(known) }
}

function checkPatch(patch: unknown): Partial<Settings> {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    throw invalidParams('settings', patch, 'an object of settings')
  }
  for (const [key, value] of Object.entries(patch)) {
    if (!isField(key)) throw invalidParams(key, value, `one of ${Object.keys(FIELDS).join(', ')}`)
    if (!FIELDS[key].accepts(value)) throw invalidParams(key, value, FIELDS[key].expected)
  }
  return patch
}

function oneOf<T extends string | number | boolean | null>(
  fallback: T,
  allowed: readonly T[],
): Field<T> {
  return {
    fallback,
    expected: `one of ${allowed.join(', ')}`,
    accepts: (value): value is T => allowed.some(other => other === value),
  }
}

function isField(key: string): key is keyof Settings {
  return Object.hasOwn(FIELDS, key)
}

function isFeeRate(value: unknown): value is number {
  try {
    return typeof value === 'number' && parseFeeRate(value) > 0
  } catch {
    return false
  }
}

function isExpert(value: unknown): value is ExpertSwitches {
  if (typeof value !== 'object' || value === null) return false
  const switches = Object.entries(value)
  return (
    switches.length === Object.keys(DEFAULT_EXPERT).length &&
    switches.every(([key, on]) => Object.hasOwn(DEFAULT_EXPERT, key) && typeof on === 'boolean')
  )
}

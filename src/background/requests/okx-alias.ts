import { invalidParams } from '../../provider/errors.ts'
import { OKX_ALIAS_KEY } from '../../provider/okx-alias.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { OkxAliasView } from '../views/settings-views.ts'
import type { AliasHint } from './alias-hint.ts'
import type { AliasScripts } from './alias-scripts.ts'

const MOST_ORIGINS = 1000

/**
 * The sites where the wallet stands in for others; the name is of the time when that was OKX Wallet alone. The record
 * decides; a hint for content scripts and the scripts that the browser has follow it. Nothing is stored while there are none.
 */
export function createOkxAlias(deps: {
  local: StorageArea
  hint: AliasHint
  scripts: AliasScripts
  report(error: unknown): void
}) {
  const { local, hint, scripts, report } = deps
  const inTurn = createMutex()

  return {
    load,
    /** The answer to a page's content script, which may be lying about everything but its origin. */
    async isFor(address: unknown): Promise<boolean> {
      const { everywhere, origins } = await load()
      const origin = readOrigin(address)
      return origin !== null && (everywhere || origins.includes(origin))
    },
    setEverywhere: (everywhere: unknown): Promise<OkxAliasView> =>
      change(alias => {
        if (typeof everywhere !== 'boolean')
          throw invalidParams('everywhere', everywhere, 'a boolean')
        return { ...alias, everywhere }
      }),
    /** On or off for the site of an http or https address; the newest site is the first. Throws -32602. */
    setSite: (address: unknown, on: unknown): Promise<OkxAliasView> =>
      change(alias => {
        const origin = readOrigin(address)
        if (origin === null) throw invalidParams('origin', address, 'an http or https address')
        if (typeof on !== 'boolean') throw invalidParams('on', on, 'a boolean')
        const others = alias.origins.filter(known => known !== origin)
        if (!on) return { ...alias, origins: others }
        if (others.length >= MOST_ORIGINS)
          throw invalidParams('origin', origin, `one of at most ${MOST_ORIGINS} sites`, {
            mostSites: MOST_ORIGINS,
          })
        return { ...alias, origins: [origin, ...others] }
      }),
    /** To be called at the start, as an earlier worker may have died in between, and when the browser allows more or less. */
    follow: () => inTurn(async () => write(await load())),
    /** What waits for its turn then finds nothing to write. */
    forget: () => inTurn(() => write({ everywhere: false, origins: [] })),
  }

  async function load(): Promise<OkxAliasView> {
    const { everywhere, origins } = Object(await local.get(OKX_ALIAS_KEY))
    return {
      everywhere: everywhere === true,
      origins: Array.isArray(origins) ? keepOrigins(origins) : [],
    }
  }

  function change(next: (alias: OkxAliasView) => OkxAliasView): Promise<OkxAliasView> {
    return inTurn(async () => {
      const alias = next(await load())
      await write(alias)
      return alias
    })
  }

  async function write(alias: OkxAliasView): Promise<void> {
    // First, as a hint at no site costs a question and a site without a hint would be missed.
    await hint.follow(alias)
    await store(alias)
    // Without them pages still have it, only later.
    await scripts.follow(alias).catch(report)
  }

  /** A record that is as it should be is left alone: each write is told to every open page of ours. */
  async function store(alias: OkxAliasView): Promise<void> {
    const stored = await local.get(OKX_ALIAS_KEY)
    if (alias.everywhere || alias.origins.length > 0) {
      if (!isSame(stored, alias)) await local.set({ [OKX_ALIAS_KEY]: alias })
    } else if (stored !== undefined) await local.remove(OKX_ALIAS_KEY)
  }
}

export type OkxAliasStore = ReturnType<typeof createOkxAlias>

/** As content scripts compare it; null for what is no web address. */
function readOrigin(address: unknown): string | null {
  if (typeof address !== 'string') return null
  try {
    const { protocol, origin } = new URL(address)
    return /^https?:$/.test(protocol) ? origin : null
  } catch {
    return null
  }
}

/** Each once, and only what could have been stored by {@link createOkxAlias}. */
function keepOrigins(stored: readonly unknown[]): string[] {
  const origins = stored.filter(value => typeof value === 'string' && readOrigin(value) === value)
  return [...new Set(origins as string[])].slice(0, MOST_ORIGINS)
}

/** Earlier versions stored more, which is dropped. */
function isSame(stored: unknown, { everywhere, origins }: OkxAliasView): boolean {
  return JSON.stringify(stored) === JSON.stringify({ everywhere, origins })
}

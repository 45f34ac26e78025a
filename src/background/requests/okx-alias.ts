import type { Network } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import { OKX_ALIAS_CHILD_OF, OKX_ALIAS_KEY, type OkxAliasChild } from '../../provider/okx-alias.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { OkxAliasView } from '../views/settings-views.ts'

const MOST_ORIGINS = 1000

/** What content scripts read: where `window.okxwallet` is to be, and which sibling of `bitcoin` it has there. */
export type OkxAlias = OkxAliasView & { child: OkxAliasChild }

const CHILDREN: { readonly [network in Network]?: OkxAliasChild } = OKX_ALIAS_CHILD_OF

/** The sites where the wallet answers in the place of OKX Wallet; nothing is stored while there are none. */
export function createOkxAlias(deps: { local: StorageArea; network(): Promise<Network> }) {
  const { local, network } = deps
  const inTurn = createMutex()

  return {
    load,
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
    /** To be called after the network changed, and at the start: an earlier worker may have died in between. */
    follow: () => inTurn(async () => write(await load())),
    /** What waits for its turn then finds nothing to write. */
    forget: () => inTurn(() => local.remove(OKX_ALIAS_KEY)),
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

  /** A record that is as it should be is left alone: each write is told to every open page of ours. */
  async function write(alias: OkxAliasView): Promise<void> {
    const stored = await local.get(OKX_ALIAS_KEY)
    if (!alias.everywhere && alias.origins.length === 0) {
      if (stored !== undefined) await local.remove(OKX_ALIAS_KEY)
      return
    }
    const record: OkxAlias = { ...alias, child: CHILDREN[await network()] ?? null }
    if (!isSame(stored, record)) await local.set({ [OKX_ALIAS_KEY]: record })
  }
}

export type OkxAliasStore = ReturnType<typeof createOkxAlias>

/** As content scripts compare it; null for what is no web address. */
function readOrigin(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return null
  const { protocol, origin } = new URL(address)
  return /^https?:$/.test(protocol) ? origin : null
}

/** Each once, and only what could have been stored by {@link createOkxAlias}. */
function keepOrigins(stored: readonly unknown[]): string[] {
  const origins = stored.filter(value => typeof value === 'string' && readOrigin(value) === value)
  return [...new Set(origins as string[])].slice(0, MOST_ORIGINS)
}

function isSame(stored: unknown, record: OkxAlias): boolean {
  const { everywhere, origins, child } = Object(stored)
  return (
    everywhere === record.everywhere &&
    child === record.child &&
    Array.isArray(origins) &&
    origins.length === record.origins.length &&
    record.origins.every((origin, at) => origins[at] === origin)
  )
}

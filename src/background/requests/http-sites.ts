import { invalidParams } from '../../provider/errors.ts'
import { formatHttpPattern, readChangeableHost } from '../../provider/page-origin.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import { followScripts, keepAllowed, type ScriptRegistry } from './registered-scripts.ts'

const STORAGE_KEY = 'httpSites'
const MOST_HOSTS = 100
const IDS = ['http-inpage', 'http-content']

/** The files of the wallet's two scripts in a page, as the build named them. */
export type PageScripts = { inpage: string[]; content: string[] }

/**
 * The plain http hosts that the person allows although anybody on the way can change their pages. Only there does the
 * browser have the wallet's scripts for plain http; what claims to come from elsewhere is refused as well.
 */
export function createHttpSites(
  deps: ScriptRegistry & {
    local: StorageArea
    pageScripts: PageScripts
    report(error: unknown): void
  },
) {
  const { local, pageScripts, report } = deps
  const inTurn = createMutex()

  return {
    list,
    /** Whether a page of this origin may use the wallet: not on plain http, except on this computer or where it is allowed. */
    async admits(origin: string): Promise<boolean> {
      const host = readChangeableHost(origin)
      return host === null || (await list()).includes(host)
    },
    /** Allows the host of a plain http address, with all its ports, or no more; the newest is the first. Throws -32602. */
    set: (address: unknown, on: unknown): Promise<string[]> =>
      inTurn(async () => {
        const host = typeof address === 'string' ? readChangeableHost(address) : null
        if (host === null || !isHost(host))
          throw invalidParams('origin', address, 'an http address that is not on this computer')
        if (typeof on !== 'boolean') throw invalidParams('on', on, 'a boolean')
        const others = (await list()).filter(other => other !== host)
        if (on && others.length >= MOST_HOSTS)
          throw invalidParams('origin', address, `one of at most ${MOST_HOSTS} sites`, {
            mostSites: MOST_HOSTS,
          })
        return write(on ? [host, ...others] : others)
      }),
    /** To be called at the start, as an earlier worker may have died in between, and when the browser allows more or less. */
    follow: () => inTurn(async () => register(await list())),
    forget: () => inTurn(() => write([])),
  }

  /** Hosts, and only what could have been stored. */
  async function list(): Promise<string[]> {
    const stored = await local.get(STORAGE_KEY)
    if (!Array.isArray(stored)) return []
    return stored.filter(host => typeof host === 'string' && isHost(host)).slice(0, MOST_HOSTS)
  }

  async function write(hosts: string[]): Promise<string[]> {
    if (hosts.length > 0) await local.set({ [STORAGE_KEY]: hosts })
    else await local.remove(STORAGE_KEY)
    await register(hosts)
    return hosts
  }

  /** A host that the browser does not allow yet has no script, which the settings say. */
  async function register(hosts: readonly string[]): Promise<void> {
    const matches = (await keepAllowed(deps, hosts, formatHttpPattern)).map(formatHttpPattern)
    const { inpage, content } = pageScripts
    const scripts =
      matches.length === 0
        ? []
        : [
            { id: 'http-inpage', matches, js: inpage, world: 'MAIN' as const },
            { id: 'http-content', matches, js: content, world: 'ISOLATED' as const },
          ]
    await followScripts(deps, IDS, scripts).catch(report)
  }
}

export type HttpSites = ReturnType<typeof createHttpSites>

/** A star would be a pattern for other hosts. */
function isHost(host: string): boolean {
  return !host.includes('*') && readChangeableHost(`http://${host}`) === host
}

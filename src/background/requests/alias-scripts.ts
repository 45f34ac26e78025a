import { EVERY_SITE, formatHostPattern } from '../../provider/okx-alias.ts'
import { readChangeableHost } from '../../provider/page-origin.ts'
import type { OkxAliasView } from '../views/settings-views.ts'
import {
  followScripts,
  isAllowed,
  keepAllowed,
  type RegisteredScript,
  type ScriptRegistry,
} from './registered-scripts.ts'

const IDS = ['everywhere', 'default-port', 'port']

/**
 * The scripts by which pages have the aliases before their own first script, registered with the browser for the sites
 * where the person wants the aliases and the browser allows it. Plain http sites, where few are allowed at all, get the
 * aliases later.
 */
export function createAliasScripts(registry: ScriptRegistry) {
  return {
    async follow(alias: OkxAliasView): Promise<void> {
      await followScripts(registry, IDS, await listScripts(alias))
    },
  }

  /**
   * Patterns with a port are exact in Chromium and match nothing in Firefox, where a site with a port of its own gets the
   * aliases later. Patterns without one take in every port of the host, so the script looks at the port.
   */
  async function listScripts({ everywhere, origins }: OkxAliasView): Promise<RegisteredScript[]> {
    const world = 'MAIN'
    if (everywhere && (await isAllowed(registry, EVERY_SITE)))
      return [{ id: 'everywhere', matches: [...EVERY_SITE], js: ['aliases.js'], world }]
    const served = origins.filter(origin => readChangeableHost(origin) === null)
    const allowed = await keepAllowed(registry, served, formatHostPattern)
    const withPort = allowed.filter(origin => new URL(origin).port !== '')
    const withoutPort = allowed.filter(origin => !withPort.includes(origin))
    const scripts: RegisteredScript[] = [
      {
        id: 'default-port',
        matches: withoutPort.map(formatHostPattern),
        js: ['aliases-default-port.js'],
        world,
      },
      { id: 'port', matches: withPort.map(origin => `${origin}/*`), js: ['aliases.js'], world },
    ]
    return scripts.filter(({ matches }) => matches.length > 0)
  }
}

export type AliasScripts = ReturnType<typeof createAliasScripts>

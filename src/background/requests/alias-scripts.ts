import type { Permissions, Scripting } from 'webextension-polyfill'
import { EVERY_SITE, formatHostPattern } from '../../provider/okx-alias.ts'
import type { OkxAliasView } from '../views/settings-views.ts'

type Script = { id: string; matches: string[]; js: string[] }

/** What the browser keeps of scripts that an extension adds, and what it allows. */
export type ScriptRegistry = {
  scripting: Pick<
    Scripting.Static,
    'getRegisteredContentScripts' | 'registerContentScripts' | 'unregisterContentScripts'
  >
  permissions: Pick<Permissions.Static, 'contains'>
}

/**
 * The scripts by which pages have the aliases before their own first script, registered with the browser for the sites
 * where the person wants the aliases and the browser allows it. The extension registers no other scripts.
 */
export function createAliasScripts({ scripting, permissions }: ScriptRegistry) {
  return {
    /** Registers what is missing and removes what is too much. Browsers forget all of it when the extension is updated. */
    async follow(alias: OkxAliasView): Promise<void> {
      const wanted = await listScripts(alias)
      const found = await scripting.getRegisteredContentScripts()
      if (describe(found) === describe(wanted)) return
      if (found.length > 0) await scripting.unregisterContentScripts()
      // One at a time: a pattern that a browser does not know would have it refuse all.
      for (const script of wanted) {
        await scripting.registerContentScripts([
          { ...script, runAt: 'document_start', world: 'MAIN', persistAcrossSessions: true },
        ])
      }
    },
  }

  /**
   * Patterns with a port are exact in Chromium and match nothing in Firefox, where a site with a port of its own gets the
   * aliases later. Patterns without one take in every port of the host, so the script looks at the port.
   */
  async function listScripts({ everywhere, origins }: OkxAliasView): Promise<Script[]> {
    if (everywhere && (await isAllowed(EVERY_SITE)))
      return [{ id: 'everywhere', matches: [...EVERY_SITE], js: ['aliases.js'] }]
    const allowed = await keepAllowed(origins)
    const withPort = allowed.filter(origin => new URL(origin).port !== '')
    const withoutPort = allowed.filter(origin => !withPort.includes(origin))
    const scripts = [
      {
        id: 'default-port',
        matches: withoutPort.map(formatHostPattern),
        js: ['aliases-default-port.js'],
      },
      { id: 'port', matches: withPort.map(origin => `${origin}/*`), js: ['aliases.js'] },
    ]
    return scripts.filter(({ matches }) => matches.length > 0)
  }

  async function keepAllowed(origins: readonly string[]): Promise<readonly string[]> {
    if (origins.length === 0 || (await isAllowed(origins.map(formatHostPattern)))) return origins
    const answers = await Promise.all(origins.map(origin => isAllowed([formatHostPattern(origin)])))
    return origins.filter((_, at) => answers[at])
  }

  /** A pattern that the browser does not know is not allowed. */
  function isAllowed(patterns: readonly string[]): Promise<boolean> {
    return permissions.contains({ origins: [...patterns] }).catch(() => false)
  }
}

export type AliasScripts = ReturnType<typeof createAliasScripts>

/** The same text for the same scripts, in whatever order the browser gives them. */
function describe(scripts: readonly { id: string; matches?: string[]; js?: string[] }[]): string {
  return scripts
    .map(({ id, matches = [], js = [] }) => JSON.stringify([id, js, [...matches].sort()]))
    .sort()
    .join()
}

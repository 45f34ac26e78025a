import type { Permissions, Scripting } from 'webextension-polyfill'

export type RegisteredScript = {
  id: string
  matches: string[]
  js: string[]
  world: 'MAIN' | 'ISOLATED'
}

/** What the browser keeps of scripts that an extension adds, and what it allows. */
export type ScriptRegistry = {
  scripting: Pick<
    Scripting.Static,
    'getRegisteredContentScripts' | 'registerContentScripts' | 'unregisterContentScripts'
  >
  permissions: Pick<Permissions.Static, 'contains'>
}

/**
 * Registers what is missing and removes what is too much of the scripts with these ids. Browsers forget all of it when the
 * extension is updated.
 */
export async function followScripts(
  { scripting }: Pick<ScriptRegistry, 'scripting'>,
  ids: readonly string[],
  wanted: readonly RegisteredScript[],
): Promise<void> {
  const registered = await scripting.getRegisteredContentScripts()
  const found = registered.filter(({ id }) => ids.includes(id))
  if (describe(found) === describe(wanted)) return
  if (found.length > 0) await scripting.unregisterContentScripts({ ids: found.map(({ id }) => id) })
  // One at a time: a pattern that a browser does not know would have it refuse all.
  for (const script of wanted) {
    await scripting.registerContentScripts([
      { ...script, runAt: 'document_start', persistAcrossSessions: true },
    ])
  }
}

/** Whether the browser allows these hosts. A pattern that it does not know is not allowed. */
export function isAllowed(
  { permissions }: Pick<ScriptRegistry, 'permissions'>,
  patterns: readonly string[],
): Promise<boolean> {
  return permissions.contains({ origins: [...patterns] }).catch(() => false)
}

/** Those of a list whose host the browser allows. */
export async function keepAllowed<T>(
  registry: Pick<ScriptRegistry, 'permissions'>,
  list: readonly T[],
  formatPattern: (entry: T) => string,
): Promise<readonly T[]> {
  if (list.length === 0 || (await isAllowed(registry, list.map(formatPattern)))) return list
  const answers = await Promise.all(list.map(entry => isAllowed(registry, [formatPattern(entry)])))
  return list.filter((_, at) => answers[at])
}

/** The same text for the same scripts, in whatever order the browser gives them. */
function describe(scripts: readonly { id: string; matches?: string[]; js?: string[] }[]): string {
  return scripts
    .map(({ id, matches = [], js = [] }) => JSON.stringify([id, js, [...matches].sort()]))
    .sort()
    .join()
}

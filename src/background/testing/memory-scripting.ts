import type { ScriptRegistry } from '../requests/registered-scripts.ts'

type Wanted = { origins?: string[]; permissions?: string[] }
type Registered = Parameters<ScriptRegistry['scripting']['registerContentScripts']>[0]

/** The browser's list of registered scripts, and the hosts and permissions that it allows; with `fault` it refuses to register. */
export function createMemoryScripting() {
  let scripts: Registered = []
  const world = {
    allowed: new Set<string>(),
    fault: null as Error | null,
    /** How often something was registered or removed. */
    changes: 0,
    /** As after an update of the extension. */
    forget: () => {
      scripts = []
    },
    /** The patterns of each registered file, sorted. */
    dump: () =>
      Object.fromEntries(
        scripts.map(({ js, matches }) => [js?.join() ?? '', [...(matches ?? [])].sort()]),
      ),
    list: () => scripts,
    /** To be called after `allowed` changed; the worker sets it. */
    onChanged: async () => {},
    scripting: {
      getRegisteredContentScripts: async () => scripts,
      async registerContentScripts(added: Registered) {
        if (world.fault) throw world.fault
        const known = scripts.map(({ id }) => id)
        const double = added.find(({ id }) => known.includes(id))
        if (double) throw new Error(`Duplicate script ID '${double.id}'`)
        world.changes += 1
        scripts = [...scripts, ...added]
      },
      async unregisterContentScripts({ ids }: { ids?: string[] } = {}) {
        world.changes += 1
        scripts = ids ? scripts.filter(({ id }) => !ids.includes(id)) : []
      },
    },
    permissions: {
      async contains({ origins = [], permissions = [] }: Wanted) {
        const unknown = origins.find(pattern => pattern.includes('['))
        if (unknown !== undefined) throw new Error(`Invalid value for origin pattern ${unknown}`)
        if (!permissions.every(name => world.allowed.has(name))) return false
        return origins.every(
          pattern =>
            world.allowed.has(pattern) || world.allowed.has(pattern.replace(/\/\/.*/, '//*/*')),
        )
      },
    },
  }
  return world
}

export type MemoryScripting = ReturnType<typeof createMemoryScripting>

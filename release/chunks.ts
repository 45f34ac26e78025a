import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { groupModules, type SharedModule } from './chunk-groups.ts'

const POPUP = join(import.meta.dirname, '../src/popup/popup.tsx')

/** Loaded before any page's styles, which can rely on coming after. */
const SHARED_STYLES = /\/popup\/ui\/(?!pictures\/).*\.module\.css/

const plans = new WeakMap<Rolldown.ChunkingContext, Map<string, string>>()

/**
 * The name of the file that a module of the screens comes into, or null for that of the page that loads it alone. Few files, as
 * each costs the browser time of its own at every start of a page: what the first screen needs is one file; what later screens
 * share is put together by {@link groupModules}.
 */
export function nameChunk(id: string, graph: Rolldown.ChunkingContext): string | null {
  const plan = plans.get(graph) ?? planChunks(graph)
  plans.set(graph, plan)
  return plan.get(id) ?? null
}

function planChunks(graph: Rolldown.ChunkingContext): Map<string, string> {
  const later = follow(graph, POPUP, ({ importedIds, dynamicallyImportedIds }) => [
    ...importedIds,
    ...dynamicallyImportedIds,
  ])
  const first = follow(graph, POPUP, ({ importedIds }) => importedIds)
  for (const id of later) if (SHARED_STYLES.test(id)) first.add(id)
  const plan = new Map([...first].map(id => [id, 'first']))
  const groups = groupModules(listShared(graph, later, first))
  groups.forEach((ids, at) => {
    for (const id of ids) plan.set(id, `shared-${at + 1}`)
  })
  return plan
}

/** What more than one page loads at its start, without what the first screen has. */
function listShared(
  graph: Rolldown.ChunkingContext,
  later: ReadonlySet<string>,
  first: ReadonlySet<string>,
): Map<string, SharedModule> {
  const pages = new Map<string, Set<string>>()
  for (const page of listPages(graph, later)) {
    for (const id of follow(graph, page, ({ importedIds }) => importedIds)) {
      if (first.has(id)) continue
      pages.set(id, (pages.get(id) ?? new Set()).add(page))
    }
  }
  const shared = [...pages].filter(([, loading]) => loading.size > 1)
  return new Map(
    shared.map(([id, loading]) => {
      const { code = null, importedIds = [] } = graph.getModuleInfo(id) ?? {}
      return [id, { bytes: code?.length ?? 0, imports: importedIds, pages: loading }]
    }),
  )
}

/** What is imported when it is first shown. */
function listPages(graph: Rolldown.ChunkingContext, ids: ReadonlySet<string>): Set<string> {
  return new Set([...ids].flatMap(id => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []))
}

function follow(
  graph: Rolldown.ChunkingContext,
  entry: string,
  next: (info: Rolldown.ModuleInfo) => readonly string[],
): Set<string> {
  const found = new Set([entry])
  for (const id of found) {
    const info = graph.getModuleInfo(id)
    for (const imported of info ? next(info) : []) found.add(imported)
  }
  return found
}

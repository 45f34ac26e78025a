/** A module that several pages load: the bytes of its source, and what it imports at its start. */
export type SharedModule = {
  bytes: number
  imports: readonly string[]
  pages: ReadonlySet<string>
}

/** What will be one file. */
type Group = { ids: string[]; bytes: number; pages: ReadonlySet<string> }

/** What a file more costs a page that loads it, in bytes of source that it could load instead. */
const FILE_BYTES = 20_000

/**
 * Puts modules that several pages load into few files: first those that the same pages load, then two files together for as long as
 * that spares pages more files than it brings them bytes of other pages. No two files ever wait for each other, however many are
 * between them: in such a circle one runs before what it needs, and the page stays blank.
 */
export function groupModules(
  modules: ReadonlyMap<string, SharedModule>,
  fileBytes: number = FILE_BYTES,
): string[][] {
  const groups = groupByPages(modules)
  const apart = new Map<Group, Set<Group>>()
  for (;;) {
    const pair = findBestPair(groups, fileBytes, apart)
    if (pair === null) return groups.map(({ ids }) => ids)
    const [one, other] = pair
    if (isBetween(importsOf(groups, modules), one, other)) {
      apart.set(one, (apart.get(one) ?? new Set()).add(other))
      continue
    }
    groups.splice(groups.indexOf(one), 1)
    groups.splice(groups.indexOf(other), 1, {
      ids: [...other.ids, ...one.ids],
      bytes: one.bytes + other.bytes,
      pages: new Set([...other.pages, ...one.pages]),
    })
  }
}

function groupByPages(modules: ReadonlyMap<string, SharedModule>): Group[] {
  const groups = new Map<string, Group>()
  for (const [id, { bytes, pages }] of modules) {
    const name = [...pages].sort().join()
    const group = groups.get(name) ?? { ids: [], bytes: 0, pages }
    groups.set(name, group)
    group.ids.push(id)
    group.bytes += bytes
  }
  return [...groups.values()]
}

/** The two that save most as one; null where none do. */
function findBestPair(
  groups: readonly Group[],
  fileBytes: number,
  apart: ReadonlyMap<Group, ReadonlySet<Group>>,
): [Group, Group] | null {
  let best: [Group, Group] | null = null
  let most = 0
  groups.forEach((one, at) => {
    for (const other of groups.slice(at + 1)) {
      const both = countBoth(one.pages, other.pages)
      const brought = one.bytes * (other.pages.size - both) + other.bytes * (one.pages.size - both)
      const saved = both * fileBytes - brought
      if (saved <= most || apart.get(one)?.has(other)) continue
      most = saved
      best = [one, other]
    }
  })
  return best
}

function countBoth(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (some.size > others.size) return countBoth(others, some)
  let count = 0
  for (const page of some) if (others.has(page)) count++
  return count
}

function importsOf(
  groups: readonly Group[],
  modules: ReadonlyMap<string, SharedModule>,
): Map<Group, Set<Group>> {
  const owners = new Map(groups.flatMap(group => group.ids.map(id => [id, group] as const)))
  return new Map(
    groups.map(group => {
      const imported = group.ids.flatMap(id => modules.get(id)?.imports ?? [])
      const found = new Set(imported.flatMap(id => owners.get(id) ?? []))
      found.delete(group)
      return [group, found]
    }),
  )
}

/** Whether a third group is imported by one of the two and imports the other, be it through more of them. */
function isBetween(imports: ReadonlyMap<Group, ReadonlySet<Group>>, one: Group, other: Group) {
  const reaches = (from: Group, to: Group) => {
    const direct = [...(imports.get(from) ?? [])].filter(group => group !== to)
    const found = new Set(direct)
    for (const group of found) for (const next of imports.get(group) ?? []) found.add(next)
    return found.has(to)
  }
  return reaches(one, other) || reaches(other, one)
}

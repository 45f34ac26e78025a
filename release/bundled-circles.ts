/**
 * Throws, with their names, where built files import each other in a circle: one of them would run before what it needs, and the
 * page stay blank. By the name of a file, what it imports at its start.
 */
export function assertNoCircles(files: ReadonlyMap<string, readonly string[]>): void {
  const left = new Map(files)
  const isLeft = (name: string) => left.has(name)
  for (;;) {
    const names = [...left.keys()]
    const imported = new Set([...left.values()].flat())
    const done = names.filter(name => !imported.has(name) || !left.get(name)?.some(isLeft))
    if (done.length === 0) break
    for (const name of done) left.delete(name)
  }
  if (left.size > 0)
    throw new Error(`built files wait for each other: ${[...left.keys()].sort().join(', ')}`)
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupModules, type SharedModule } from './chunk-groups.ts'

type Draft = { bytes: number; imports: number[]; isPage: boolean }

/** Modules that import later ones alone, and who of them is a page. */
const drafts = fc.array(
  fc.record({
    bytes: fc.integer({ min: 1, max: 60_000 }),
    imports: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
    isPage: fc.boolean(),
  }),
  { minLength: 2, maxLength: 40 },
)

const shared = (bytes: number, pages: string[], imports: string[] = []): SharedModule => ({
  bytes,
  imports,
  pages: new Set(pages),
})

describe('modules that several pages load', () => {
  it('are one file where the same pages load them', () => {
    const modules = { a: shared(90_000, ['x', 'y']), b: shared(90_000, ['y', 'x']) }
    expect(groupModules(new Map(Object.entries(modules)))).toEqual([['a', 'b']])
  })

  it('are one where they are small and mostly loaded together', () => {
    const modules = { a: shared(100, ['x', 'y', 'z']), b: shared(100, ['x', 'y']) }
    expect(groupModules(new Map(Object.entries(modules)))).toHaveLength(1)
  })

  it('stay apart where pages would load much that they do not need, or have nothing in common', () => {
    const large = { a: shared(50_000, ['x', 'y', 'z']), b: shared(100_000, ['x', 'y']) }
    expect(groupModules(new Map(Object.entries(large)))).toHaveLength(2)
    const others = { a: shared(1, ['x', 'y']), b: shared(1, ['z', 'w']) }
    expect(groupModules(new Map(Object.entries(others)))).toHaveLength(2)
  })

  it('stay apart where a third would wait between the two', () => {
    const modules = {
      above: shared(1, ['x', 'y'], ['between']),
      between: shared(900_000, ['x', 'y', 'z', 'w'], ['below']),
      below: shared(1, ['x', 'y', 'z', 'w', 'v']),
    }
    const groups = groupModules(new Map(Object.entries(modules)))
    expect(groups.find(ids => ids.includes('above'))).not.toContain('below')
  })

  it('come into one file each, and no two files wait for each other', () => {
    fc.assert(
      fc.property(drafts, fc.integer({ min: 0, max: 200_000 }), (drawn, fileBytes) => {
        const modules = toModules(drawn)
        const groups = groupModules(modules, fileBytes)
        expect(groups.flat().sort()).toEqual([...modules.keys()].sort())
        expect(canBeOrdered(groups, modules)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

/** What is reached from two pages or more, as a build has it. */
function toModules(drawn: readonly Draft[]): Map<string, SharedModule> {
  const importsOf = (at: number) =>
    (drawn[at]?.imports ?? []).map(step => at + step).filter(to => to < drawn.length)
  const pages = drawn.map(() => new Set<string>())
  drawn.forEach(({ isPage }, page) => {
    const reached = new Set(isPage ? [page] : [])
    for (const at of reached) for (const to of importsOf(at)) reached.add(to)
    for (const at of reached) pages[at]?.add(String(page))
  })
  const all = drawn.map(({ bytes }, at) => {
    const module = { bytes, imports: importsOf(at).map(String), pages: pages[at] ?? new Set() }
    return [String(at), module] as const
  })
  return new Map(all.filter(([, module]) => module.pages.size > 1))
}

/** Whether the files can be run one after the other, each after what it imports. */
function canBeOrdered(groups: string[][], modules: Map<string, SharedModule>): boolean {
  const waiting = new Set(groups)
  const ran = new Set<string>()
  for (let before = -1; before !== waiting.size && waiting.size > 0; ) {
    before = waiting.size
    for (const ids of waiting) {
      const needs = ids.flatMap(id => modules.get(id)?.imports ?? [])
      const isReady = needs.every(id => ran.has(id) || ids.includes(id) || !modules.has(id))
      if (!isReady) continue
      for (const id of ids) ran.add(id)
      waiting.delete(ids)
    }
  }
  return waiting.size === 0
}

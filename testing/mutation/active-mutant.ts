import { writeFileSync } from 'node:fs'
import { afterAll, inject } from 'vitest'

/**
 * Before a test file: which mutant is active in the code that it is about to import, and afterwards which mutants' places it
 * came by, with how often. The shape of `__stryker__` is that of the code which Stryker's instrumenter makes.
 */
declare module 'vitest' {
  interface ProvidedContext {
    mutant: { active: string | null; hitLimit: number; coveragePath: string | null }
  }
}

type Namespace = {
  activeMutant?: string
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { static: Record<string, number> }
}

const { active, hitLimit, coveragePath } = inject('mutant')
const namespace: Namespace = {}
// An endless loop passes its mutant again and again, and ends in an error.
if (active !== null) Object.assign(namespace, { activeMutant: active, hitCount: 0, hitLimit })
Object.assign(globalThis, { __stryker__: namespace })

if (coveragePath !== null)
  afterAll(() =>
    writeFileSync(coveragePath, JSON.stringify(namespace.mutantCoverage?.static ?? {})),
  )

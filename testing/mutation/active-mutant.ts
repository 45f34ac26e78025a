import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, inject } from 'vitest'

/**
 * Before a test file: which mutant is active in the code that it is about to import, and afterwards which mutants' places it
 * came by, with how often. The shape of `__stryker__` is that of the code which Stryker's instrumenter makes.
 */
declare module 'vitest' {
  interface ProvidedContext {
    mutant: MutantContext
  }
}

export type MutantContext = {
  /** The mutant that the whole file runs with, its imports too. */
  active: string | null
  /** An endless loop passes its mutant again and again, and ends in an error. */
  hitLimit: number
  /** Where {@link Coverage} is written. */
  coveragePath: string | null
  /** The mutants that each test tries, and where the runner writes what became of them. */
  tries: {
    ofTest: Record<string, MutantTry[]>
    /** How long each test takes without a mutant. */
    msOfTest: Record<string, number>
    journalPath: string
  } | null
}

export type MutantTry = { id: string; hitLimit: number }

/** How often mutants were passed: while modules are imported and hooks of a whole file run, and in each test. */
type Hits = {
  static: Record<string, number>
  perTest: Record<string, Record<string, number>>
}

export type Coverage = Hits & { msOfTest: Record<string, number> }

export type Namespace = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: Hits
  msOfTest?: Record<string, number>
}

const { active, hitLimit, coveragePath } = inject('mutant')
const namespace: Namespace = {}
if (active !== null) Object.assign(namespace, { activeMutant: active, hitCount: 0, hitLimit })
Object.assign(globalThis, { __stryker__: namespace })

// The first counterexample is enough.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

if (coveragePath !== null)
  afterAll(() => {
    const { mutantCoverage, msOfTest = {} } = namespace
    const coverage: Coverage = { static: {}, perTest: {}, ...mutantCoverage, msOfTest }
    writeFileSync(coveragePath, JSON.stringify(coverage))
  })

import type { Kit } from './kit.ts'
import type { Answer } from './outcome.ts'

export type Verdict = 'pass' | 'fail' | 'not applicable'

export type Need = 'connected' | 'unconnected' | 'devnet'

/** One sentence of the specification, held against a wallet. */
export type Check = {
  /** `operation.topic…`, such as `sendBitcoin.bad.satoshis.negative`. */
  id: string
  operation: string
  name: string
  /** Heading of the specification, and words below it that are tested; both empty for what is beyond it. */
  section: string
  words: string
  needs: readonly Need[]
  /** Answers that it may ask for, in their order; a check that shares a question with others may need none any more. */
  person: readonly Answer[]
  /** Not in the specification, but used by pages: does not count. */
  beyond: boolean
  /** Resolves what was seen; throws Failed or NotApplicable. */
  run(kit: Kit): Promise<string>
}

export type CheckDraft = Pick<Check, 'id' | 'name' | 'words' | 'run'> &
  Partial<Pick<Check, 'section' | 'needs' | 'person'>>

/** Checks of one operation, which need a connected page unless they say otherwise. */
export function describeOperation(operation: string, drafts: readonly CheckDraft[]): Check[] {
  return drafts.map(({ id, ...draft }) => ({
    section: 'Endpoints',
    needs: ['connected'],
    person: [],
    ...draft,
    id: `${operation}.${id}`,
    operation,
    beyond: false,
  }))
}

type MakeArguments = (kit: Kit) => readonly unknown[] | Promise<readonly unknown[]>

/** Checks that a call which the person rejects fails with code 4001. */
export function describeRejection(
  operation: string,
  makeArgs: MakeArguments,
  needs: readonly Need[] = ['connected'],
): Check[] {
  return describeOperation(operation, [
    {
      id: 'rejected',
      name: 'rejects with code 4001 when the person says no',
      section: 'Errors',
      words: 'A failed call rejects its Promise',
      needs,
      person: ['reject'],
      run: async kit => kit.decline(operation, await makeArgs(kit)),
    },
  ])
}

export type BadArguments = {
  /** Name of the parameter, as the specification has it. */
  parameter: string
  words: string
  section?: string
  needs?: readonly Need[]
  /** Name of the mistake, and the arguments with it. */
  cases: { [mistake: string]: MakeArguments }
}

/** A check for each mistake: the call has to fail at once, with an error that says why and without a question to the person. */
export function describeMistakes(operation: string, mistakes: readonly BadArguments[]): Check[] {
  const drafts = mistakes.flatMap(({ parameter, cases, ...rest }) =>
    Object.entries(cases).map(([mistake, makeArgs]) => ({
      ...rest,
      id: `bad.${parameter}.${mistake.replaceAll(' ', '-')}`,
      name: `refuses ${parameter}: ${mistake}`,
      run: async (kit: Kit) => kit.refuse(operation, await makeArgs(kit)),
    })),
  )
  return describeOperation(operation, drafts)
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { ConsoleListener } from '../engine/machine.ts'
import { MissingStateError } from './missing-state.ts'

/** Runs whose words to the console are told once, however often they are begun. */
export interface SpokenRuns {
  /** Hears what contracts write. */
  readonly listener: ConsoleListener
  /** Tells what is written when the run has ended; nothing of one that breaks off for something that is to be fetched. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createSpokenRuns(tell: ConsoleListener): SpokenRuns {
  const runs = new AsyncLocalStorage<Uint8Array[]>()
  return {
    listener(input) {
      const said = runs.getStore()
      if (said === undefined) tell(input)
      else said.push(input.slice())
    },
    async run(work) {
      const said: Uint8Array[] = []
      try {
        const result = await runs.run(said, work)
        said.forEach(tell)
        return result
      } catch (error) {
        if (!(error instanceof MissingStateError)) said.forEach(tell)
        throw error
      }
    },
  }
}

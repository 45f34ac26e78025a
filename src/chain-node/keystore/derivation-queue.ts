import { KeystoreError } from './keystore.ts'

/** Runs work that takes a processor for a second and a lot of memory: some at a time, some that wait, and no more. */
export interface DerivationQueue {
  /** Throws `KeystoreError` when as many wait as may. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Two at a time, so that two of the four threads of libuv's pool are left to the files; 8 that wait. */
export function createDerivationQueue(mostRunning = 2, mostWaiting = 8): DerivationQueue {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
      if (running >= mostRunning) {
        if (waiting.length >= mostWaiting) {
          throw new KeystoreError('too many key derivations in progress, try again later')
        }
        await new Promise<void>(resolve => waiting.push(resolve))
      } else {
        running++
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}

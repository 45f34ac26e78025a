import { expect, it } from 'vitest'
import { MissingStateError } from './missing-state.ts'
import { refetch } from './refetch.ts'
import { createSpokenRuns } from './spoken-runs.ts'

const fetcher = { fetchMissing: async () => {} }

it('what a contract writes to the console is told once, however often it is run', async () => {
  const told: number[] = []
  const { listener, run } = createSpokenRuns(input => told.push(input[0] ?? 0))
  /** Writes a word, misses something at its first two runs, and writes another. */
  const createWork = (word: number) => {
    let runs = 0
    return async () => {
      listener(Uint8Array.of(word))
      await null
      runs++
      if (runs < 3) throw new MissingStateError({ kind: 'blockHash', number: BigInt(runs) })
      listener(Uint8Array.of(word + 1))
      return word
    }
  }
  const works = [createWork(10), createWork(20)]
  const results = await Promise.all(works.map(work => refetch(fetcher, () => run(work))))
  expect(results).toEqual([10, 20])
  expect(told).toEqual([10, 11, 20, 21])
})

it('what was written before a failure is told', async () => {
  const told: number[] = []
  const { listener, run } = createSpokenRuns(input => told.push(input[0] ?? 0))
  const work = async () => {
    listener(Uint8Array.of(1))
    throw new Error('reverted')
  }
  await expect(run(work)).rejects.toThrow('reverted')
  listener(Uint8Array.of(2))
  expect(told).toEqual([1, 2])
})

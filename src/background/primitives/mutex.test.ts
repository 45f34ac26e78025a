import { describe, expect, it } from 'vitest'
import { createMutex } from './mutex.ts'

describe('createMutex', () => {
  it('runs tasks one after the other in their order, past failures', async () => {
    const inTurn = createMutex()
    const log: string[] = []
    const task = (name: string, ms: number) => async () => {
      log.push(`${name} starts`)
      await new Promise(resolve => setTimeout(resolve, ms))
      log.push(`${name} ends`)
      if (name === 'b') throw new Error('b failed')
      return name
    }
    const results = await Promise.allSettled([
      inTurn(task('a', 10)),
      inTurn(task('b', 1)),
      inTurn(task('c', 1)),
    ])
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})

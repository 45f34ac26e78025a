import { expect, it } from 'vitest'
import { runInTurns } from './turns.ts'

it('long work lets others have their turns, and gives its result', async () => {
  let turns = 0
  let isOver = false
  function* work() {
    for (let step = 0; step < 20; step++) {
      const end = performance.now() + 10
      while (performance.now() < end);
      yield
    }
    return 'done'
  }
  const other = () => {
    turns++
    if (!isOver) setTimeout(other, 0)
  }
  setTimeout(other, 0)
  expect(await runInTurns(work())).toBe('done')
  isOver = true
  // 200 ms of work in turns of 25 ms and one step more.
  expect(turns).toBeGreaterThanOrEqual(5)
})

it('what fails in a later turn rejects', async () => {
  function* work(): Generator<void> {
    yield
    throw new Error('No good')
  }
  await expect(runInTurns(work())).rejects.toThrow('No good')
})

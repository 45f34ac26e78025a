import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createUnlockBackOff } from './unlock-back-off.ts'

function createTestBackOff(entries = {}) {
  const local = createMemoryArea(entries)
  const clock = { now: 1_000_000 }
  return { backOff: createUnlockBackOff(local, () => clock.now), local, clock }
}

async function failTimes(times: number) {
  const made = createTestBackOff()
  for (let i = 0; i < times; i++) await made.backOff.count()
  return made
}

describe('the wait after wrong passwords', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1_000],
    [6, 2_000],
    [7, 4_000],
    [12, 128_000],
    [13, 256_000],
    [14, 300_000],
    [50, 300_000],
  ])('of %i is %i ms', async (failures, delay) => {
    expect(await (await failTimes(failures)).backOff.delayMs()).toBe(delay)
  })

  it('runs down with time and ends with the right password', async () => {
    const { backOff, clock } = await failTimes(8)
    clock.now += 7_000
    expect(await backOff.delayMs()).toBe(1_000)
    clock.now += 60_000
    expect(await backOff.delayMs()).toBe(0)
    await backOff.count()
    expect(await backOff.delayMs()).toBe(16_000)
    await backOff.reset()
    expect(await backOff.delayMs()).toBe(0)
  })

  it('survives a restart', async () => {
    const { local, clock } = await failTimes(10)
    const restarted = createUnlockBackOff(createMemoryArea(local.dump()), () => clock.now + 1_000)
    expect(await restarted.delayMs()).toBe(31_000)
  })

  it('starts anew when the clock is set back: neither shorter nor for ever', async () => {
    const { backOff, clock } = await failTimes(10)
    clock.now -= 500_000
    expect(await backOff.delayMs()).toBe(32_000)
    clock.now += 31_999
    expect(await backOff.delayMs()).toBe(1)
    clock.now += 1
    expect(await backOff.delayMs()).toBe(0)
  })

  it.each([
    [null],
    ['x'],
    [{ failures: -1, lastAt: 0 }],
    [{ failures: 1e9, lastAt: 0 }],
    [{ failures: 2 }],
  ])('is the longest one, once, for a record like %j', async record => {
    const { backOff, clock } = createTestBackOff({ 'vault.backOff': record })
    expect(await backOff.delayMs()).toBe(300_000)
    clock.now += 300_000
    expect(await backOff.delayMs()).toBe(0)
  })
})

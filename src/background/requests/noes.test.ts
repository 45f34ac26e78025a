import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createDeclines } from './declines.ts'

const A = { origin: 'https://a.example', tabId: 1 }
const B = { origin: 'https://b.example', tabId: 2 }

/** The person says no to a site at these times (milliseconds). */
async function say(...times: number[]) {
  const clock = { now: 0 }
  const session = createMemoryArea()
  const declines = createDeclines({ session, now: () => clock.now })
  for (const at of times) {
    clock.now = at
    await declines.add([A])
  }
  /** Whether it rests by what it asked then. */
  const rests = ({ origin }: typeof A, createdAt: number) =>
    declines.isResting({ origin, tabId: 3, createdAt })
  return { clock, declines, session, rests }
}

describe('a site that was told no', () => {
  it('three times in less than a minute rests for a minute from the last time on', async () => {
    const { rests, clock } = await say(0, 10_000, 59_999)
    expect([await rests(A, 59_998), await rests(A, 59_999)]).toEqual([false, true])
    expect(await rests(B, 59_999)).toBe(false)
    clock.now = 59_999 + 59_999
    expect(await rests(A, clock.now)).toBe(true)
    clock.now += 1
    expect(await rests(A, clock.now)).toBe(false)
  })

  it('twice, or three times within a minute or more, does not', async () => {
    expect(await (await say(0, 1)).rests(A, 1)).toBe(false)
    expect(await (await say(0, 30_000, 60_000)).rests(A, 60_000)).toBe(false)
  })

  it('often rests by the last three times alone', async () => {
    const { rests } = await say(0, 50_000, 100_000, 100_001)
    expect([await rests(A, 100_000), await rests(A, 100_001)]).toEqual([false, true])
    expect(await (await say(0, 50_000, 55_000, 111_000)).rests(A, 111_000)).toBe(false)
  })

  it('is one for a minute, or until it is told yes', async () => {
    const { declines, clock, session } = await say(0)
    await declines.add([B, B])
    expect([await declines.isDeclined(A.origin), await declines.isDeclined(B.origin)]).toEqual([
      true,
      true,
    ])
    await declines.forget(A)
    expect([await declines.isDeclined(A.origin), await declines.isDeclined(B.origin)]).toEqual([
      false,
      true,
    ])
    const next = createDeclines({ session, now: () => clock.now })
    expect(await next.isDeclined(B.origin)).toBe(true)
    clock.now = 60_000
    expect(await next.isDeclined(B.origin)).toBe(false)
  })
})

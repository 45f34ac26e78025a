import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createDeclines } from './declines.ts'

const A = 'https://a.example'
const B = 'https://b.example'

/** The person says no to a site at these times (milliseconds). */
async function say(...times: number[]) {
  const clock = { now: 0 }
  const session = createMemoryArea()
  const declines = createDeclines({ session, now: () => clock.now })
  for (const at of times) {
    clock.now = at
    await declines.add([A])
  }
  return { clock, declines, session }
}

describe('a site that was told no', () => {
  it('three times in less than a minute rests for a minute from the last time on', async () => {
    const { declines, clock } = await say(0, 10_000, 59_999)
    expect(await declines.restingSince(A)).toBe(59_999)
    expect(await declines.restingSince(B)).toBeNull()
    clock.now = 59_999 + 59_999
    expect(await declines.restingSince(A)).toBe(59_999)
    clock.now += 1
    expect(await declines.restingSince(A)).toBeNull()
  })

  it('twice, or three times within a minute or more, does not', async () => {
    expect(await (await say(0, 1)).declines.restingSince(A)).toBeNull()
    expect(await (await say(0, 30_000, 60_000)).declines.restingSince(A)).toBeNull()
  })

  it('often rests by the last three times alone', async () => {
    const { declines } = await say(0, 50_000, 100_000, 100_001)
    expect(await declines.restingSince(A)).toBe(100_001)
    expect(await (await say(0, 50_000, 55_000, 111_000)).declines.restingSince(A)).toBeNull()
  })

  it('is one for a minute, or until it is told yes', async () => {
    const { declines, clock, session } = await say(0)
    await declines.add(new Set([B]))
    expect([await declines.isDeclined(A), await declines.isDeclined(B)]).toEqual([true, true])
    await declines.forget(A)
    expect([await declines.isDeclined(A), await declines.isDeclined(B)]).toEqual([false, true])
    const next = createDeclines({ session, now: () => clock.now })
    expect(await next.isDeclined(B)).toBe(true)
    clock.now = 60_000
    expect(await next.isDeclined(B)).toBe(false)
  })
})

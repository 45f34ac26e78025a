import { describe, expect, it } from 'vitest'
import type { Request } from '../../provider/envelope.ts'
import { createRateLimit } from '../primitives/rate-limit.ts'
import { createAdmission } from './admission.ts'
import { createRoom } from './room.ts'

const FULL = expect.objectContaining({ code: -32002 })
const A = 'https://a.example'

describe('room for requests that wait for the person', () => {
  it('is for five of one site, and each is counted once', () => {
    const room = createRoom()
    for (let n = 0; n < 5; n++) room.take(`a${n}`, A)
    expect(() => room.take('a0', A)).not.toThrow()
    expect(() => room.take('a5', A)).toThrow(FULL)
    expect(() => room.take('b0', 'https://b.example')).not.toThrow()
    room.leave('a2')
    expect(() => room.take('a5', A)).not.toThrow()
    expect(() => room.take('a6', A)).toThrow(FULL)
  })

  it('is for twenty of all sites together', () => {
    const room = createRoom()
    for (let n = 0; n < 20; n++) room.take(`${n}`, `https://${n}.example`)
    expect(() => room.take('20', 'https://20.example')).toThrow(FULL)
    room.leave('7')
    expect(() => room.take('20', 'https://20.example')).not.toThrow()
  })

  it('is always there for what an earlier worker had taken in, which counts like the rest', () => {
    const room = createRoom()
    for (let n = 0; n < 6; n++) room.keep(`a${n}`, A)
    room.leave('a5')
    expect(() => room.take('a6', A)).toThrow(FULL)
  })
})

describe('requests that have servers look up much', () => {
  it('are at work for one site twenty at once, and make room when they end, however they end', async () => {
    const room = createRoom()
    const FAILS = 7
    const startTwenty = () =>
      Array.from({ length: 20 }, (_, at) =>
        room.withinLimit(A, async () => {
          await new Promise(resolve => setTimeout(resolve, 20))
          if (at === FAILS) throw new Error('broken')
          return at
        }),
      )
    for (let times = 0; times < 2; times++) {
      const started = Promise.allSettled(startTwenty())
      await expect(room.withinLimit(A, async () => 1)).rejects.toThrow(FULL)
      expect(await room.withinLimit('https://b.example', async () => 2)).toBe(2)
      const ended = await started
      expect(ended.map(({ status }) => status === 'fulfilled')).toEqual(
        ended.map((_, at) => at !== FAILS),
      )
    }
    expect(await room.withinLimit(A, async () => 3)).toBe(3)
  })
})

describe('a rate limit', () => {
  const open = () => {
    const clock = { now: 0 }
    return { clock, take: createRateLimit({ burst: 10, perSecond: 2, now: () => clock.now }) }
  }

  it('lets a burst through, and tells how long the next has to wait', () => {
    const { clock, take } = open()
    for (let n = 0; n < 10; n++) expect(take('a')).toBe(0)
    expect(take('a')).toBe(500)
    expect(take('b')).toBe(0)
    clock.now = 250
    expect(take('a')).toBe(250)
    clock.now = 500
    expect(take('a')).toBe(0)
    expect(take('a')).toBe(500)
  })

  it('fills up no further than to the burst', () => {
    const { clock, take } = open()
    expect(take('a', 10)).toBe(0)
    clock.now = 3_600_000
    expect(take('a', 10)).toBe(0)
    expect(take('a')).toBe(500)
  })

  it('makes nobody wait for a clock that is set back', () => {
    const { clock, take } = open()
    clock.now = 3_600_000
    expect(take('a')).toBe(0)
    clock.now = 0
    expect(take('a')).toBe(0)
    expect(take('a', 10)).toBe(1_000)
  })

  it('takes what a call weighs, at most all that there can be', () => {
    const { clock, take } = open()
    expect(take('a', 7)).toBe(0)
    expect(take('a', 4)).toBe(500)
    expect(take('a', 3)).toBe(0)
    clock.now = 4_000
    expect(take('a', 1_000)).toBe(1_000)
    clock.now = 5_000
    expect(take('a', 1_000)).toBe(0)
  })
})

describe('what a page may ask for', () => {
  const call = (length = 0): Request => ({
    id: '1',
    method: 'connect',
    params: ['a'.repeat(length)],
  })
  const open = (known: boolean, blocked = false) => {
    const clock = { now: 0 }
    const admit = createAdmission({
      now: () => clock.now,
      sites: { isKnown: async () => known },
      blockedSites: { has: async () => blocked },
    })
    const count = async (most: number, params = call()) => {
      for (let n = 0; n < most; n++) {
        const error = await admit(A, params, async () => false).catch((thrown: unknown) => thrown)
        if (error) return { n, error }
      }
      return { n: most, error: null }
    }
    return { count, clock }
  }

  it('is 200 calls at once for a stranger, and 20 a second after it', async () => {
    const { count, clock } = open(false)
    expect(await count(300)).toMatchObject({
      n: 200,
      error: { code: -32005, data: { retryAfter: 1 } },
    })
    clock.now = 1_000
    expect(await count(300)).toMatchObject({ n: 20 })
  })

  it('is 2,000 calls at once for a site that was allowed once, and 100 a second after it', async () => {
    const { count, clock } = open(true)
    expect(await count(3_000)).toMatchObject({ n: 2_000, error: { code: -32005 } })
    clock.now = 1_000
    expect(await count(300)).toMatchObject({ n: 100 })
  })

  it('counts a call once more for each 16,384 characters of its parameters', async () => {
    expect(await open(false).count(300, call(16_384 - 7))).toMatchObject({ n: 200 })
    expect(await open(false).count(300, call(16_384 - 6))).toMatchObject({ n: 100 })
  })

  it('counts what a call says of the network like its parameters', async () => {
    const long = { ...call(), network: 'a'.repeat(16_384) }
    expect(await open(false).count(300, long)).toMatchObject({ n: 100 })
    const endless = { ...call(), network: 'a'.repeat(5_000_000) }
    expect(await open(false).count(1, endless)).toMatchObject({ n: 0, error: { code: -32602 } })
  })

  it('is nothing for a site that the person has blocked', async () => {
    expect(await open(true, true).count(1)).toMatchObject({ n: 0, error: { code: 4001 } })
  })
})

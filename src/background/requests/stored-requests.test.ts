import { describe, expect, it } from 'vitest'
import { crashAfter, createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createRequests, listPlannedOutpoints, type StoredRequest } from './requests.ts'

/** What an extension's session storage holds. */
const QUOTA = 10_485_760

const request = (key: string, origin: string, size: number): StoredRequest => ({
  key,
  origin,
  tabId: 1,
  frameId: 0,
  id: key,
  method: 'signPsbt',
  purpose: 'signPsbt',
  params: ['0'.repeat(size)],
  createdAt: 0,
  accountId: null,
  network: null,
  review: null,
  digest: null,
  approvedDigest: null,
  input: null,
  journal: {},
  outcome: null,
})

const FULL = { code: -32002 }

describe('stored requests', () => {
  function open() {
    const session = createMemoryArea()
    const requests = createRequests({ session, now: () => 0 })
    return { requests, size: () => JSON.stringify(session.dump()).length }
  }

  it('of one origin have room for 5 MB together, and others for theirs', async () => {
    const { requests } = open()
    await requests.add(request('a', 'https://a.example', 4_000_000))
    await expect(requests.add(request('b', 'https://a.example', 1_000_001))).rejects.toMatchObject(
      FULL,
    )
    await requests.add(request('c', 'https://a.example', 900_000))
    await requests.add(request('d', 'https://b.example', 2_000_000))
    await expect(requests.add(request('e', 'https://b.example', 2_000_000))).rejects.toMatchObject(
      FULL,
    )
    expect((await requests.load()).map(({ key }) => key)).toEqual(['a', 'c', 'd'])
  })

  it('are measured in the bytes that letters of other alphabets take', async () => {
    const { requests } = open()
    const wide = { ...request('a', 'https://a.example', 0), params: ['漢'.repeat(2_000_000)] }
    await expect(requests.add(wide)).rejects.toMatchObject(FULL)
  })

  it('give way to new ones once they are answered, the oldest first', async () => {
    const { requests, size } = open()
    for (const key of ['a', 'b', 'c', 'd']) {
      await requests.add(request(key, 'https://a.example', 3_000_000))
      await requests.update(key, { outcome: { result: '0'.repeat(3_100_000) } })
      expect(size()).toBeLessThan(QUOTA)
    }
    expect((await requests.load()).map(({ key }) => key)).toEqual(['c', 'd'])
    await requests.add(request('e', 'https://a.example', 4_000_000))
    expect((await requests.load()).map(({ key }) => key)).toEqual(['d', 'e'])
  })

  it('get their answer stored, however full it is', async () => {
    const { requests, size } = open()
    await requests.add(request('a', 'https://a.example', 4_000_000))
    await requests.add(request('b', 'https://b.example', 3_900_000))
    await requests.update('a', { outcome: { result: '0'.repeat(4_200_000) } })
    expect((await requests.find('a'))?.outcome).not.toBeNull()
    expect(size()).toBeLessThan(QUOTA)
  })

  it('that have no way back keep their journal, however full it is', async () => {
    const { requests } = open()
    await requests.add(request('a', 'https://a.example', 4_000_000))
    await requests.update('a', { journal: { signed: 'r' } })
    await requests.add(request('b', 'https://b.example', 3_990_000))
    const journal = { signed: 'r', sent: '0'.repeat(20_000) }
    await requests.update('a', { journal })
    expect((await requests.find('a'))?.journal).toEqual(journal)
  })

  it('give way to an answer that needs their room', async () => {
    const { requests } = open()
    await requests.add(request('a', 'https://a.example', 1))
    await requests.add(request('b', 'https://b.example', 1))
    await requests.update('a', { outcome: { result: '0'.repeat(3_900_000) } })
    await requests.update('b', { outcome: { result: '0'.repeat(4_200_000) } })
    expect((await requests.load()).map(({ key }) => key)).toEqual(['b'])
  })

  it('have exactly 5 MB of one site, and 8 MB in all', async () => {
    const { requests } = open()
    // Two brackets and two quotes stand around what is sent.
    await requests.add(request('a', 'https://a.example', 5_000_000 - 4))
    const { requests: others } = open()
    await expect(
      others.add(request('a', 'https://a.example', 5_000_000 - 3)),
    ).rejects.toMatchObject(FULL)
    const sizeOf = (of: unknown) => JSON.stringify(of).length
    const left = 8_000_000 - sizeOf(await requests.find('a'))
    const empty = sizeOf(request('b', 'https://b.example', 0))
    await expect(
      requests.add(request('b', 'https://b.example', left - empty + 1)),
    ).rejects.toMatchObject(FULL)
    await requests.add(request('b', 'https://b.example', left - empty))
    // Full as it is, it can be said that the person has approved.
    expect(await requests.update('b', { approvedDigest: 'd' })).toMatchObject({
      approvedDigest: 'd',
    })
  })

  it('are refused a journal that has no room, and keep what they had', async () => {
    const { requests } = open()
    await requests.add(request('a', 'https://a.example', 4_500_000))
    const journal = { review: '0'.repeat(4_000_000) }
    await expect(requests.update('a', { journal })).rejects.toMatchObject(FULL)
    expect((await requests.find('a'))?.journal).toEqual({})
    await requests.update('a', { approvedDigest: 'd' })
  })

  it('that cannot be found are not changed', async () => {
    const { requests } = open()
    await requests.add(request('a', 'https://a.example', 1))
    await expect(requests.update('b', { digest: 'd' })).rejects.toMatchObject({ code: 4001 })
    expect(await requests.find('b')).toBeUndefined()
    expect(await requests.update('a', { digest: 'd' })).toMatchObject({ key: 'a', digest: 'd' })
  })

  it('that are answered let go of all but the answer, and change no more', async () => {
    const { requests } = open()
    await requests.add(request('a', 'https://a.example', 1))
    await requests.add(request('b', 'https://a.example', 1))
    const asked = { review: { kind: 'unlock', method: 'connect' }, digest: 'd', journal: { x: 1 } }
    await requests.update('a', asked as Partial<StoredRequest>)
    const outcome = { result: 'yes' }
    const answered = { params: [], review: null, digest: null, journal: {}, outcome }
    expect(await requests.update('a', { outcome })).toMatchObject(answered)
    const late = await requests.update('a', { outcome: { result: 'no' }, digest: 'e' })
    expect(late).toMatchObject(answered)
    expect((await requests.find('b'))?.outcome).toBeNull()
  })

  it('are forgotten one by one, or all', async () => {
    const { requests } = open()
    for (const key of ['a', 'b', 'c']) await requests.add(request(key, 'https://a.example', 1))
    await requests.forget('b')
    expect((await requests.load()).map(({ key }) => key)).toEqual(['a', 'c'])
    await requests.clear()
    expect(await requests.load()).toEqual([])
  })

  it('are kept ten minutes once they are answered, the newest 50, and as long as it takes before', async () => {
    const clock = { now: 0 }
    const requests = createRequests({ session: createMemoryArea(), now: () => clock.now })
    for (let n = 0; n < 52; n++) {
      await requests.add({ ...request(`${n}`, 'https://a.example', 1), createdAt: n })
      if (n > 0) await requests.update(`${n}`, { outcome: { result: n } })
    }
    const keys = async () => (await requests.load()).map(({ key }) => Number(key))
    await requests.purge()
    expect(await keys()).toEqual([0, ...Array.from({ length: 50 }, (_, n) => n + 2)])
    clock.now = 600_000 + 10
    await requests.purge()
    expect(await keys()).toEqual([0, ...Array.from({ length: 41 }, (_, n) => n + 11)])
    await requests.add({ ...request('99', 'https://a.example', 1), createdAt: clock.now })
    clock.now = 1_200_000
    await requests.purge()
    expect(await keys()).toEqual([0, 99])
  })

  it('give no account away once it is removed: answers that name one are forgotten', async () => {
    const { requests } = open()
    const methods = ['connect', 'requestAccounts', 'signPsbt'] as const
    for (const method of methods) {
      await requests.add({ ...request(method, 'https://a.example', 1), method })
      await requests.add({ ...request(`${method} open`, 'https://a.example', 1), method })
      await requests.update(method, { outcome: { result: 1 } })
    }
    await requests.add({ ...request('ended', 'https://a.example', 1), method: 'connect' })
    await requests.update('ended', { outcome: { error: { code: 4100, message: 'Changed.' } } })
    await requests.forgetAccounts()
    expect((await requests.load()).map(({ key }) => key)).toEqual([
      'connect open',
      'requestAccounts open',
      'signPsbt',
      'signPsbt open',
      'ended',
    ])
  })

  it('are what the next worker finds, and nothing where storage holds something else', async () => {
    const session = createMemoryArea()
    await createRequests({ session, now: () => 0 }).add(request('a', 'https://a.example', 1))
    const again = createRequests({ session, now: () => 0 })
    expect(await again.find('a')).toEqual(request('a', 'https://a.example', 1))
    const broken = createMemoryArea({ requests: { length: 1 } })
    expect(await createRequests({ session: broken, now: () => 0 }).load()).toEqual([])
  })

  it('are written alone, however many there are', async () => {
    const written: string[][] = []
    const session = createMemoryArea({}, key => written.at(-1)?.push(key))
    const requests = createRequests({ session, now: () => 0 })
    const keys = ['a', 'b', 'c', 'd']
    for (const key of keys) await requests.add(request(key, 'https://a.example', 1_000))
    for (const key of keys) {
      written.push([])
      await requests.update(key, { digest: 'd' })
    }
    expect(written.map(places => places.length)).toEqual([1, 1, 1, 1])
    expect(new Set(written.flat()).size).toBe(4)
  })

  it('write what is large once, and let go of it with the answer', async () => {
    const written: { [key: string]: number } = {}
    const session = createMemoryArea({}, key => {
      written[key] = (written[key] ?? 0) + 1
    })
    const requests = createRequests({ session, now: () => 0 })
    await requests.add(request('a', 'x', 50_000))
    const plan = { leaf: '1'.repeat(60_000) }
    const review = {
      kind: 'unlock',
      text: '2'.repeat(70_000),
    } as unknown as StoredRequest['review']
    await requests.update('a', { journal: { plan } })
    await requests.update('a', { journal: { plan, step: 1 }, review, digest: 'd' })
    await requests.update('a', { approvedDigest: 'd', input: '4'.repeat(90_000) })
    const signed = '3'.repeat(80_000)
    const journal = { plan, step: 1, signed }
    const kept = await requests.update('a', { journal })
    expect(await createRequests({ session, now: () => 0 }).find('a')).toEqual(kept)
    expect(kept).toMatchObject({ journal, review, params: ['0'.repeat(50_000)] })
    const { requests: list, ...places } = written
    expect(list).toBe(1)
    const of = (part: string) => places[`requests.0${part}`]
    const parts = ['.params', '.review', '.input', '.journal.plan', '.journal.signed']
    expect(['', ...parts].map(of)).toEqual([5, 1, 1, 1, 1, 1])

    await requests.update('a', { outcome: { result: 1 } })
    expect(JSON.stringify(session.dump()).length).toBeLessThan(1_000)
    const next = createRequests({ session, now: () => 0 })
    expect(await next.find('a')).toMatchObject({ params: [], review: null, journal: {} })
    await next.forget('a')
    expect(Object.keys(session.dump())).toEqual(['requests'])
  })

  it('replace what is large by something else that is, or by something small', async () => {
    const session = createMemoryArea()
    const requests = createRequests({ session, now: () => 0 })
    await requests.add(request('a', 'x', 1))
    for (const step of [
      '1'.repeat(20_000),
      '2'.repeat(20_000),
      'small',
      '3'.repeat(20_000),
      null,
    ]) {
      const kept = await requests.update('a', { journal: { step } })
      expect(kept.journal).toEqual({ step })
      expect(await createRequests({ session, now: () => 0 }).find('a')).toEqual(kept)
    }
  })

  it('take the places of those that are gone, and leave nothing behind', async () => {
    const session = createMemoryArea()
    const requests = createRequests({ session, now: () => 0 })
    for (let round = 0; round < 20; round++) {
      for (const key of ['a', 'b', 'c']) await requests.add(request(`${round}${key}`, 'x', 1))
      await requests.forget(`${round}b`)
      await requests.forget(`${round}a`)
      await requests.add(request(`${round}d`, 'x', 1))
      const keys = [`${round}c`, `${round}d`]
      expect((await requests.load()).map(({ key }) => key)).toEqual(keys)
      const next = createRequests({ session, now: () => 0 })
      expect((await next.load()).map(({ key }) => key)).toEqual(keys)
      for (const key of keys) await requests.forget(key)
      expect(Object.keys(session.dump())).toEqual(['requests'])
    }
  })

  it.each([
    [0, ['a 1900000', 'b 1900000', 'c 1900000']],
    [1, ['b 1900000', 'c 1900000']],
    [2, ['b 1900000', 'c 1900000']],
    [3, ['b 1900000', 'c 1900000']],
    [4, ['b 1900000', 'c 1900000']],
    [5, ['b 1900000', 'c 1900000', 'd 4000000']],
  ])(
    'are whole for the next worker where one dies after %i writes of a change',
    async (writes, left) => {
      let isDying = false
      const die = crashAfter(writes)
      const session = createMemoryArea({}, () => isDying && die())
      const requests = createRequests({ session, now: () => 0 })
      for (const key of ['a', 'b', 'c']) {
        await requests.add(request(key, 'x', 1))
        await requests.update(key, { outcome: { result: '0'.repeat(1_900_000) } })
      }
      isDying = true
      // The oldest answer has to go for it.
      await requests.add(request('d', 'x', 4_000_000)).catch(() => {})
      const next = await createRequests({ session, now: () => 0 }).load()
      const sizes = next.map(({ key, params, outcome }) => {
        const text = outcome && 'result' in outcome ? outcome.result : params[0]
        return `${key} ${String(text).length}`
      })
      expect(sizes).toEqual(left)
    },
  )

  it('that cannot be written change nothing', async () => {
    const session = createMemoryArea()
    const requests = createRequests({ session, now: () => 0 })
    await requests.add(request('a', 'https://a.example', 1))
    session.set = () => Promise.reject(new Error('The disk is full'))
    await expect(requests.update('a', { digest: 'd' })).rejects.toThrow('The disk is full')
    expect((await requests.find('a'))?.digest).toBeNull()
    // Nothing is to be written where nothing changes.
    await requests.purge()
    await requests.forget('b')
  })
})

describe('the coins of planned payments', () => {
  it('are those of all requests that have no answer yet', async () => {
    const plans = [
      { plan: { spends: ['a:0', 'b:1'] } },
      { plan: null },
      { plan: 'text' },
      { plan: {} },
      { plan: { spends: 'c:0' } },
      {},
      { plan: { spends: ['d:0'] } },
    ]
    const records = plans.map((journal, n) => ({
      ...request(`${n}`, 'https://a.example', 1),
      journal,
    }))
    const answered = { ...request('x', 'https://a.example', 1), outcome: { result: 1 } }
    const stored = [...records, { ...answered, journal: { plan: { spends: ['e:0'] } } }]
    expect(await listPlannedOutpoints({ load: async () => stored })).toEqual(['a:0', 'b:1', 'd:0'])
  })
})

import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createOutpointNotes } from './outpoint-notes.ts'

const DAY = 24 * 3_600_000

function open(
  most = 100,
  stored: { [key: string]: unknown } = {},
  whenFull: 'drop-oldest' | 'drop-newest' = 'drop-oldest',
) {
  const clock = { now: 1_000 }
  let writes = 0
  const local = createMemoryArea(stored, () => void writes++)
  const notes = createOutpointNotes<{ text: string }>({
    ...{ local, now: () => clock.now, storageKey: 'notes', most, whenFull },
  })
  const put = (outpoint: string, text: string | null, accountId = 'one') =>
    notes.put('signet', accountId, new Map([[outpoint, text === null ? null : { text }]]))
  const texts = async () =>
    [...(await notes.load('signet'))].map(([outpoint, { text }]) => `${outpoint} ${text}`)
  return { notes, clock, put, texts, local, writes: () => writes }
}

describe('a note about a coin', () => {
  it('is of one network, is changed and is taken away', async () => {
    const { notes, put, texts } = open()
    await put('a', 'first')
    await put('b', 'other')
    await put('a', 'second')
    expect(await texts()).toEqual(['a second', 'b other'])
    expect([...(await notes.load('mainnet'))]).toEqual([])
    await notes.put('mainnet', 'one', new Map([['a', { text: 'main' }]]))
    await put('b', null)
    expect(await texts()).toEqual(['a second'])
    expect([...(await notes.load('mainnet')).keys()]).toEqual(['a'])
  })

  it('costs a write only where it changes something', async () => {
    const { put, writes, notes } = open()
    await put('a', 'first')
    const before = writes()
    await put('a', 'first')
    await put('b', null)
    await notes.tidy('signet', 'one', new Set(['a']))
    expect(writes()).toBe(before)
  })

  it('goes with its account, on every network', async () => {
    const { notes, put, texts } = open()
    await put('a', 'mine')
    await put('b', 'theirs', 'two')
    await notes.put('mainnet', 'one', new Map([['c', { text: 'main' }]]))
    await notes.forget('signet', 'one')
    expect(await texts()).toEqual(['b theirs'])
    expect([...(await notes.load('mainnet')).keys()]).toEqual(['c'])
    await notes.forgetAccount('one')
    expect([...(await notes.load('mainnet')).keys()]).toEqual([])
    expect(await texts()).toEqual(['b theirs'])
  })
})

describe('a note about a coin that is gone', () => {
  it('is kept for thirty days, in case the coin comes back', async () => {
    const { notes, put, texts, clock } = open()
    await put('a', 'mine')
    await put('b', 'theirs', 'two')
    await notes.tidy('signet', 'one', new Set())
    clock.now += 30 * DAY - 1
    await notes.tidy('signet', 'one', new Set())
    expect(await texts()).toEqual(['a mine', 'b theirs'])
    clock.now += 1
    await notes.tidy('signet', 'one', new Set())
    expect(await texts()).toEqual(['b theirs'])
  })

  it('counts anew once the coin was back', async () => {
    const { notes, put, texts, clock } = open()
    await put('a', 'mine')
    await notes.tidy('signet', 'one', new Set())
    clock.now += 29 * DAY
    await notes.tidy('signet', 'one', new Set(['a']))
    await notes.tidy('signet', 'one', new Set())
    clock.now += 29 * DAY
    await notes.tidy('signet', 'one', new Set())
    expect(await texts()).toEqual(['a mine'])
  })
})

describe('too many notes', () => {
  it('lose the oldest of coins that are gone first, then the oldest of all', async () => {
    const { notes, put, texts } = open(3)
    for (const outpoint of ['a', 'b', 'c']) await put(outpoint, 'x')
    await notes.tidy('signet', 'one', new Set(['a', 'c']))
    await put('d', 'x')
    expect(await texts()).toEqual(['a x', 'c x', 'd x'])
    await put('e', 'x')
    expect(await texts()).toEqual(['c x', 'd x', 'e x'])
  })

  it('lose those of coins that are gone first, then the newest where the oldest are to stay, without a write for what is not kept', async () => {
    const { notes, put, texts, writes } = open(3, {}, 'drop-newest')
    for (const outpoint of ['a', 'b', 'c']) await put(outpoint, 'x')
    await notes.tidy('signet', 'one', new Set(['a', 'c']))
    await put('d', 'x')
    expect(await texts()).toEqual(['a x', 'c x', 'd x'])
    const before = writes()
    await put('e', 'x')
    await put('e', 'x')
    expect(await texts()).toEqual(['a x', 'c x', 'd x'])
    expect(writes()).toBe(before)
    await put('c', 'y')
    expect(await texts()).toEqual(['a x', 'c y', 'd x'])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActivityEntry } from '../../../background/views/activity-views.ts'
import { groupEntries, mergePage } from './merge-page.ts'

describe('a list that is read page by page', () => {
  const list = (ids: string[]) => ids.map(id => entry(id))
  const ids = (entries: ActivityEntry[]) => entries.map(({ txid }) => txid)

  it('grows at its end', () => {
    expect(ids(mergePage(list(['a', 'b']), list(['c', 'd']), 2))).toEqual(['a', 'b', 'c', 'd'])
  })
  it('shows news at its head and keeps what was read before', () => {
    expect(ids(mergePage(list(['a', 'b', 'c']), list(['n', 'a']), 0))).toEqual(['n', 'a', 'b', 'c'])
  })
  it('shows an entry as it was last read', () => {
    const confirmed = { ...entry('a'), status: 'confirmed' as const }
    expect(mergePage(list(['a', 'b']), [confirmed], 0)[0]?.status).toBe('confirmed')
  })
  it('keeps the object of an entry that did not change', () => {
    const [known] = list(['a'])
    expect(mergePage(known ? [known] : [], list(['a']), 0)[0]).toBe(known)
  })
  it('lists no transaction twice and loses none, however pages overlap', () => {
    const some = fc.uniqueArray(fc.constantFrom(...'abcdefghij'))
    fc.assert(
      fc.property(some, some, fc.nat(10), (known, page, offset) => {
        const merged = ids(mergePage(list(known), list(page), offset))
        expect(new Set(merged).size).toBe(merged.length)
        expect(new Set(merged)).toEqual(new Set([...known, ...page]))
      }),
    )
  })
})

describe('the months of a list', () => {
  it('follow those that were not sent and those that wait for a block, and each is one group', () => {
    const at = (year: number, month: number) => new Date(year, month - 1, 15, 12).getTime()
    const groups = groupEntries([
      { ...entry('a'), status: 'pending', at: at(2026, 3) },
      { ...entry('b'), status: 'reorganised', at: at(2026, 1) },
      { ...entry('f'), status: 'unsent', at: at(2026, 1) },
      { ...entry('c'), status: 'confirmed', at: at(2026, 3) },
      { ...entry('d'), status: 'failed', at: at(2026, 3) },
      { ...entry('e'), status: 'replaced', at: at(2025, 3) },
    ])
    expect(groups.map(({ key, entries }) => [key, entries.map(({ txid }) => txid)])).toEqual([
      ['unsent', ['f']],
      ['waiting', ['a', 'b']],
      ['2026-3', ['c', 'd']],
      ['2025-3', ['e']],
    ])
  })
})

function entry(txid: string): ActivityEntry {
  return {
    txid,
    network: 'mainnet',
    accountId: 'account',
    kind: 'sent',
    status: 'pending',
    net: '-1000',
    counterparty: null,
    counterpartyName: null,
    fee: null,
    origin: null,
    label: '',
    at: 0,
    height: null,
    replacedBy: null,
    about: null,
  }
}

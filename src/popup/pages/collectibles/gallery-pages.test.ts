import { describe, expect, it } from 'vitest'
import type { InscriptionPage } from '../../../background/views/asset-views.ts'
import {
  countOn,
  countPages,
  type Gallery,
  NO_GALLERY,
  PAGE_SIZE,
  putPage,
} from './gallery-pages.ts'

const pageOf = (total: number): InscriptionPage => ({
  total,
  hidden: 0,
  spam: 0,
  inscriptions: [],
  unchecked: { count: 0, why: null },
  runes: 0,
})

const readAll = (total: number, order: number[]): Gallery =>
  order.reduce((gallery, index) => putPage(gallery, index, pageOf(total)), NO_GALLERY)

describe('the pages of the gallery', () => {
  it('hold every inscription once, the last page the rest', () => {
    for (const total of [0, 1, 59, 60, 61, 10_000]) {
      const counts = Array.from({ length: countPages(total) }, (_, at) => countOn(at, total))
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total)
      expect(counts.every(count => count > 0 && count <= PAGE_SIZE)).toBe(true)
    }
    expect(countOn(5, 60)).toBe(0)
  })

  it('are not all kept of ten thousand: those around the one that was read last stay', () => {
    const order = Array.from({ length: countPages(10_000) }, (_, at) => at)
    const { pages } = readAll(10_000, order)
    expect([...pages.keys()].sort((a, b) => a - b)).toEqual(order.slice(-12))
    const back = putPage({ ...NO_GALLERY, pages }, 0, pageOf(10_000))
    expect(back.pages.size).toBe(12)
    expect(back.pages.has(0)).toBe(true)
    expect(back.pages.has(166)).toBe(false)
  })

  it('go when the list has become shorter', () => {
    const long = readAll(200, [0, 1, 2, 3])
    const short = putPage(long, 0, pageOf(61))
    expect(short.total).toBe(61)
    expect([...short.pages.keys()].sort()).toEqual([0, 1])
  })
})

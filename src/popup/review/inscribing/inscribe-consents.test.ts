import { describe, expect, it } from 'vitest'
import type { Brc20Obstacle } from '../../../background/views/brc20-views.ts'
import type { InscribeItemView, InscribeReview } from '../../../background/views/inscribe-views.ts'
import { listObstacleConsents } from './inscribe-consents.ts'

const mint = (...obstacles: Brc20Obstacle[]): InscribeItemView => ({
  kind: 'brc-20',
  contentType: 'text/plain;charset=utf-8',
  contentLength: 40,
  encoding: null,
  metadata: null,
  preview: { kind: 'text', text: '{}', cut: false },
  delegate: null,
  brc20: {
    operation: { op: 'mint', tick: 'ordi', amt: '1000' },
    checked: true,
    obstacles,
    gets: null,
    before: null,
    after: null,
  },
  fee: '973',
  vsize: 139,
})

const consentsOf = (items: InscribeItemView[], purpose: InscribeReview['purpose'] = 'inscribe') =>
  listObstacleConsents({ items, purpose })

describe('inscribing what no index would count', () => {
  it('needs a box of its own', () => {
    expect(consentsOf([mint('minted-out')])).toEqual([
      { kind: 'brc20-obstacles', text: expect.stringContaining('no index will count') },
    ])
  })
  it('says how many of several it is about, in one box', () => {
    const [consent, ...others] = consentsOf([mint(), mint(), mint('over-limit', 'too-precise')])
    expect(others).toEqual([])
    expect(consent?.text).toContain('all 3, and 1 of them')
  })
  it('needs another one where the order of blocks decides, which claims no more than that', () => {
    expect(consentsOf([mint('order'), mint('order')])).toEqual([
      { kind: 'brc20-order', text: expect.stringContaining('may not count') },
    ])
    const kinds = consentsOf([mint(), mint('order'), mint('minted-out')]).map(({ kind }) => kind)
    expect(kinds).toEqual(['brc20-obstacles', 'brc20-order'])
  })
  it('needs none where all would count, or nobody said that they would not', () => {
    expect(consentsOf([mint(), { ...mint(), brc20: null }])).toEqual([])
  })
  it('is not asked again when it is sped up or taken back', () => {
    expect(consentsOf([mint('minted-out')], 'bump')).toEqual([])
    expect(consentsOf([mint('minted-out')], 'refund')).toEqual([])
  })
})

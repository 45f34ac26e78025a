import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Brc20Effect } from '../../../background/views/brc20-views.ts'
import type { InscribeItemView, InscribeReview } from '../../../background/views/inscribe-views.ts'
import type { Brc20Operation } from '../../../ordinals/brc20/brc20-operation.ts'
import { InscribeBody } from './inscribe-body.tsx'
import { describeInscribing } from './inscribe-effect.tsx'

const page = (text = 'gm'): InscribeItemView => ({
  kind: 'text',
  contentType: 'text/plain;charset=utf-8',
  contentLength: text.length,
  encoding: null,
  metadata: null,
  preview: { kind: 'text', text, cut: false },
  delegate: null,
  brc20: null,
  fee: '973',
  vsize: 139,
})

const token = (
  operation: Brc20Operation,
  { text = JSON.stringify(operation), ...effect }: Partial<Brc20Effect> & { text?: string } = {},
): InscribeItemView => ({
  ...page(text),
  kind: 'brc-20',
  brc20: {
    operation,
    checked: true,
    obstacles: [],
    gets: null,
    before: { available: '1000', transferable: '0' },
    after: { available: '0', transferable: '1000' },
    ...effect,
  },
})

const transfer = (tick: string, amt: string): Brc20Operation => ({ op: 'transfer', tick, amt })

const reviewOf = (items: InscribeItemView[]): InscribeReview => ({
  kind: 'inscribe',
  purpose: 'inscribe',
  jobId: null,
  items,
  parent: null,
  etching: null,
  delivery: null,
  receiver: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  postage: '546',
  feeRate: 7,
  recentFeeRate: null,
  commit: null,
  totalFee: '3051',
  previousFee: null,
  cost: '4143',
  balanceAfter: '1000',
  warnings: [],
})

/** The text of elements as a person reads it. */
const textOf = (element: Parameters<typeof renderToStaticMarkup>[0]) =>
  renderToStaticMarkup(element)
    .replace(/<wbr\/>/g, '')
    .replace(/<[^>]*>/g, '|')
    .replace(/\|+/g, '|')

const titleOf = (items: InscribeItemView[]) =>
  textOf(describeInscribing(reviewOf(items))).replaceAll('|', '')
const bodyOf = (items: InscribeItemView[]) =>
  textOf(createElement(InscribeBody, { review: reviewOf(items) }))

const PAGES = Array.from({ length: 23 }, () => page())

describe('the money of a commit that is taken back', () => {
  it('is shown although nothing is inscribed and no postage stays', () => {
    const review = { ...reviewOf([]), purpose: 'refund' as const, postage: '0', cost: '-600' }
    const html = renderToStaticMarkup(createElement(InscribeBody, { review }))
    expect(html).toContain('600')
  })
})

describe('the title of an inscribing', () => {
  it('names a transfer beside 23 texts', () => {
    expect(titleOf([...PAGES, token(transfer('ordi', '1000'))])).toBe(
      'You inscribe 23 inscriptions and a transfer of 1,000 ordi for 4,143 sats',
    )
  })
  it('counts operations that differ, and never takes one for all of them', () => {
    const [one, all] = [token(transfer('ordi', '1')), token(transfer('ordi', '977'))]
    expect(titleOf([one, one, all])).toContain('3 token operations')
    expect(titleOf([page(), one, all])).toContain('1 inscription and 2 token operations')
    const deploy = { op: 'deploy', tick: 'nope', max: '1', lim: null, dec: null } as const
    const deploys = [1, 2].map(() => token({ ...deploy, selfMint: false }))
    expect(titleOf(deploys)).toContain('2 token operations')
  })
  it('spells out what a ticker hides', () => {
    expect(titleOf([token(transfer('\u202eab', '5'))])).toContain('U+202E')
    expect(titleOf([token(transfer('    ', '5'))])).toContain('U+0020 ×4')
  })
})

describe('the review of an inscribing', () => {
  it('shows every one of 24 items by its place in the batch, with its fee', () => {
    const items = [...PAGES.slice(1), token(transfer('ordi', '1000')), page()]
    const text = bodyOf(items)
    for (const place of items.keys())
      if (place !== 22) expect(text).toContain(`|${place + 1}. Text|`)
    expect(text).not.toContain('|23. Text|')
    expect(text).toContain('|#23 · 973 sats fee|')
  })
  it('says when they take all of a token together', () => {
    const last = token(transfer('ordi', '1000'))
    expect(bodyOf([...PAGES, last])).toContain('All you have available: 1,000 ordi')
    const some = token(transfer('ordi', '999'), { after: { available: '1', transferable: '999' } })
    expect(bodyOf([...PAGES, some])).not.toContain('All you have available')
  })
  it('has what takes all of a token before the other tokens', () => {
    const kept = { before: { available: '9', transferable: '0' }, after: null }
    const others = ['aaaa', 'bbbb'].map(tick => token(transfer(tick, '1'), kept))
    const text = bodyOf([...others, token(transfer('ordi', '1000'))])
    expect(text.indexOf('|ordi|')).toBeLessThan(text.indexOf('|aaaa|'))
    expect(text.indexOf('|aaaa|')).toBeLessThan(text.indexOf('|bbbb|'))
  })
  it('says of what the order of blocks decides no more than that', () => {
    const text = bodyOf([token(transfer('ordi', '5'), { obstacles: ['order'], after: null })])
    expect(text).toContain('This may not count')
    expect(text).toContain('miners decide')
    expect(text).not.toContain('would not count')
  })
  it('says which items would not count, each with its reason', () => {
    const mint: Brc20Operation = { op: 'mint', tick: 'pepe', amt: '5' }
    const text = bodyOf([
      token(mint),
      token(mint, { obstacles: ['minted-out'] }),
      token(mint, { obstacles: ['minted-out', 'over-limit'] }),
    ])
    expect(text).toContain('2 of 3 would not count')
    expect(text).toContain('#2 to #3: Nothing is left of pepe')
    expect(text).toContain('#3: It is more than a single mint of pepe may take')
  })
  it('lets no ticker turn a warning of ours around', () => {
    const over = token(transfer('\u202eab', '5'), { obstacles: ['insufficient'] })
    const text = bodyOf([over])
    expect(text).toContain('It is more [U+202E]ab than you have available.')
    expect(text).not.toContain('\u202e')
  })
})

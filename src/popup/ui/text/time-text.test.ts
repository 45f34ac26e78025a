import { describe, expect, it } from 'vitest'
import { takeMessages } from '../../platform/words.ts'
import { formatAgo, formatDay, formatMoment, formatMonth } from './time-text.ts'

const NOW = Date.UTC(2026, 0, 10, 12)
const MINUTE = 60_000

describe('a time', () => {
  it.each([
    [0, 'just now'],
    [-5 * MINUTE, 'just now'],
    [59_999, 'just now'],
    [MINUTE, '1 min ago'],
    [59 * MINUTE, '59 min ago'],
    [60 * MINUTE, '1 h ago'],
    [23.9 * 60 * MINUTE, '23 h ago'],
  ])('%i ms ago reads "%s"', (ago, text) => {
    expect(formatAgo(NOW - ago, NOW)).toBe(text)
  })
  it('becomes a date after a day', () => {
    expect(formatAgo(NOW - 30 * 24 * 60 * MINUTE, NOW)).toMatch(/2025/)
  })
  it('becomes a day and a month in the same year, as there is little room', () => {
    expect(formatAgo(NOW, Date.UTC(2026, 10, 27, 12))).toBe('Jan 10')
    expect(formatAgo(NOW, Date.UTC(2027, 10, 27, 12))).toBe('Jan 10, 2026')
  })

  it('is written in the language in use, also after that was changed', () => {
    takeMessages('de', {})
    expect([formatDay(NOW), formatMoment(NOW), formatMonth(NOW)]).toEqual([
      '10.01.2026',
      expect.stringMatching(/^10\.01\.2026, \d\d:00$/),
      'Januar 2026',
    ])
    takeMessages('en', {})
    expect([formatDay(NOW), formatMonth(NOW)]).toEqual(['Jan 10, 2026', 'January 2026'])
  })
})

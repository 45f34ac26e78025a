import { describe, expect, it } from 'vitest'
import { formatAgo } from './time-text.ts'

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
})

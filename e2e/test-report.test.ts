import { describe, expect, it } from 'vitest'
import { describeSkipped, describeSlowest } from './test-report.ts'

describe('the report of skipped tests', () => {
  it('counts them, and lists them below their reasons', () => {
    const skipped = [
      { name: 'a.test.ts > one', reason: 'anvil is missing' },
      { name: 'b.test.ts > two', reason: 'no reason given' },
      { name: 'c.test.ts > three', reason: 'anvil is missing' },
    ]
    expect(describeSkipped(skipped)).toEqual([
      'Skipped tests: 3',
      '  2: anvil is missing',
      '    a.test.ts > one',
      '    c.test.ts > three',
      '  1: no reason given',
      '    b.test.ts > two',
    ])
  })

  it('says so when there are none', () => {
    expect(describeSkipped([])).toEqual(['Skipped tests: 0'])
  })
})

describe('the report of slow files', () => {
  it('has the ten slowest, the slowest first, in seconds', () => {
    const files = Array.from({ length: 12 }, (_, at) => ({ file: `${at}`, duration: at * 1000 }))
    const lines = describeSlowest([...files, { file: 'slow', duration: 123_456 }])
    expect(lines).toHaveLength(11)
    expect(lines.slice(0, 3)).toEqual(['Slowest files:', '   123.5 s  slow', '    11.0 s  11'])
  })
})

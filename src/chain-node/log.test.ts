import { expect, it } from 'vitest'
import { createLog } from './log.ts'

const NOON = new Date('2026-11-22T12:00:00.000Z')

it('writes a JSON object a line, with large integers as text', () => {
  const lines: string[] = []
  const log = createLog(
    { level: 'info', json: true },
    line => lines.push(line),
    () => NOON,
  )
  log.info('block', { number: 2n ** 60n, gas: 21_000, reason: 'a "b"\nc', none: null })
  log.debug('not this')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    {
      time: '2026-11-22T12:00:00.000Z',
      level: 'info',
      event: 'block',
      number: '1152921504606846976',
      gas: 21_000,
      reason: 'a "b"\nc',
      none: null,
    },
  ])
  expect(lines.every(line => line.endsWith('\n'))).toBe(true)
})

it('writes words for people, one line an event whatever is in it', () => {
  const lines: string[] = []
  const log = createLog(
    { level: 'debug', json: false },
    line => lines.push(line),
    () => NOON,
  )
  log.error('block failed', { number: 7n, reason: 'line one\nline two' })
  expect(lines).toEqual(['12:00:00.000 ERROR block failed number=7 reason="line one\\nline two"\n'])
})

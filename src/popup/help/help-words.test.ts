import { afterEach, describe, expect, it } from 'vitest'
import english from '../../../public/_locales/en/messages.json'
import { takeMessages } from '../platform/words.ts'
import { isolateNumbers } from './help-words.ts'

describe('numbers in the help', () => {
  afterEach(() => takeMessages('en', english))

  it('leave the mark behind them to the sentence that runs to the left', () => {
    takeMessages('ar', {})
    expect(isolateNumbers('من 300 إلى 700.')).toBe('من \u2068300\u2069 إلى \u2068700\u2069.')
    expect(isolateNumbers('5, 7')).toBe('\u20685\u2069, \u20687\u2069')
  })

  it('keep their points, their groups and their unit', () => {
    takeMessages('ar', {})
    expect(isolateNumbers('0.01 BTC.')).toBe('\u20680.01 BTC\u2069.')
    expect(isolateNumbers('1,200\u00a0vB')).toBe('\u20681,200\u00a0vB\u2069')
    expect(isolateNumbers('10\u202f000 sat/vB')).toBe('\u206810\u202f000 sat/vB\u2069')
  })

  it('stand as they are where a text runs to the right', () => {
    expect(isolateNumbers('From 300 to 700.')).toBe('From 300 to 700.')
  })
})

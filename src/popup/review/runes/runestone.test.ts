import { createElement } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import arabic from '../../../../public/_locales/ar/messages.json'
import english from '../../../../public/_locales/en/messages.json'
import type { RunestoneView } from '../../../background/views/runestone-views.ts'
import { takeMessages } from '../../platform/words.ts'
import { textOf } from '../../testing/text-of.ts'
import { RunestonePart } from './runestone.tsx'

afterEach(() => takeMessages('en', english))

const ETCHING: RunestoneView = {
  output: 0,
  flaw: null,
  isOpen: false,
  edicts: [
    { id: '840000:3', name: 'DOG•GO•TO', amount: { text: '5', isUnits: false }, output: 1 },
    { id: '840000:4', name: null, amount: null, output: null },
  ],
  edictCount: 2,
  rest: 1,
  mint: { id: '840000:5', name: 'SE\u200bEN', amount: '7', landings: [] },
  etching: {
    name: 'MOON\u202eLIGHT',
    symbol: '\u3164',
    divisibility: 2,
    premine: '0',
    landings: [],
    terms: null,
    turbo: false,
  },
}

const read = (runestone: RunestoneView) =>
  textOf(createElement(RunestonePart, { runestone, outputs: [{ own: false }, { own: true }] }))

describe('what a runestone says', () => {
  it('has no name in which something cannot be seen', () => {
    expect(read(ETCHING)).toMatch(/MOON\[U\+202E\]LIGHT.*\[U\+3164\].*SE\[U\+200B\]EN/)
  })

  it('shows in Arabic none of the marks that keep its names in order', () => {
    takeMessages('ar', { ...english, ...arabic })
    const told = read(ETCHING)
    expect(told).toContain('\u2068DOG•GO•TO\u2069')
    expect(told).not.toMatch(/U\+206[89]/)
    expect(told).toMatch(/MOON\[U\+202E\]LIGHT.*\[U\+3164\].*SE\[U\+200B\]EN/)
  })
})

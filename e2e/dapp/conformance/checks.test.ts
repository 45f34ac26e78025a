import { describe, expect, it } from 'vitest'
import { rowsOf, SPECIFICATION, textsOf } from '../../fixtures/specification/specification.ts'
import { CHECKS } from './checks.ts'
import { SHAPES } from './shapes.ts'

const quoting = CHECKS.filter(({ beyond }) => !beyond)

/** Headings of the specification that differ from the names of our shapes. */
const HEADINGS: { readonly [shape: string]: string } = {
  'Mint result': 'Mint result object',
  'UTXO record': 'UTXO record (result of splitUtxo)',
}

describe('the checks of the conformance page', () => {
  it('have ids of their own', () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length)
  })

  it('quote the specification, below the headings that they name', () => {
    const misquoting = quoting.filter(
      ({ section, words }) => words === '' || !textsOf(section).some(text => text.includes(words)),
    )
    expect(misquoting.map(({ id, section, words }) => ({ id, section, words }))).toEqual([])
  })

  it('quote every sentence that is kept of the specification', () => {
    const unquoted = SPECIFICATION.flatMap(({ sentences = [] }) => sentences).filter(
      sentence => !quoting.some(({ words }) => sentence.includes(words)),
    )
    expect(unquoted).toEqual([])
  })

  it('hold results to the fields of its tables', () => {
    for (const [name, shape] of Object.entries(SHAPES)) {
      const documented = Object.entries(shape).map(([field, type]) => [field, type.documented])
      const rows = rowsOf(HEADINGS[name] ?? name)
      expect(documented, name).toEqual(rows.map(([field, type]) => [field, type]))
    }
  })
})

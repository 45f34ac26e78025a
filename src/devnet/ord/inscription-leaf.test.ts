import { parseWitness } from 'micro-ordinals'
import { describe, expect, it } from 'vitest'
import { parseScript } from '../../bitcoin/script.ts'
import { type Envelope, parseEnvelopes } from '../../ordinals/inscriptions/envelope.ts'
import { buildLeaf, type EnvelopeFlaw } from './inscription-leaf.ts'

const CONTENT = { contentType: 'text/plain', body: new TextEncoder().encode('hello') }
const CONTROL_BLOCK = Uint8Array.from([0xc0, ...new Uint8Array(32)])
const CLEAN = {
  pushnum: false,
  stutter: false,
  duplicateField: false,
  incompleteField: false,
  unrecognizedEvenField: false,
}

function read(flaw: EnvelopeFlaw | null): Envelope | undefined {
  const leaf = buildLeaf([{ content: CONTENT, flaw }])
  return parseEnvelopes([[new Uint8Array(64), leaf, CONTROL_BLOCK]])[0]
}

describe('a leaf', () => {
  it.each([
    [null, {}],
    ['not-first', {}],
    ['pushnum', { pushnum: true }],
    ['stutter', { stutter: true }],
    ['duplicate', { duplicateField: true }],
    ['incomplete', { incompleteField: true }],
    ['even-field', { unrecognizedEvenField: true }],
  ] as const)('with the flaw %s has that flaw and no other', (flaw, flags) => {
    const envelope = read(flaw)
    expect(envelope).toMatchObject({ ...CLEAN, ...flags })
    expect(Buffer.from(envelope?.fields.contentType ?? []).toString()).toBe('text/plain')
    const body = envelope?.fields.body
    expect(body && Buffer.from(body).toString()).toBe(flaw === 'incomplete' ? null : 'hello')
  })

  it('closes every branch that it opens', () => {
    for (const flaw of ['stutter', 'incomplete', null] as const) {
      const operations = parseScript(buildLeaf([{ content: CONTENT, flaw }])) ?? []
      const count = (code: number) => operations.filter(({ opcode }) => opcode === code).length
      expect(count(0x63)).toBe(count(0x68))
    }
  })

  it('of several envelopes is read by another parser as well', () => {
    const second = { ...CONTENT, body: new TextEncoder().encode('world') }
    const leaf = buildLeaf([
      { content: CONTENT, flaw: null },
      { content: second, flaw: null },
    ])
    const found = parseWitness([new Uint8Array(64), leaf, CONTROL_BLOCK]) ?? []
    expect(found.map(({ body }) => Buffer.from(body).toString())).toEqual(['hello', 'world'])
  })
})

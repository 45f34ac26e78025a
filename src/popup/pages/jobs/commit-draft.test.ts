import { describe, expect, it } from 'vitest'
import { parseCommitForm } from './commit-draft.ts'

const HASH = 'ab'.repeat(32)
const EMPTY = { txid: '', text: '', items: [], hashes: '', parent: '', metadata: '', rune: '' }
const RIGHT = {
  ...{ ...EMPTY, txid: ` ${HASH.toUpperCase()}\n`, text: 'hello', hashes: `${HASH},\n${HASH}` },
  ...{ parent: `${HASH}i0`, metadata: '{"year": 2026}', rune: 'SOME•RUNE' },
}

describe('what was in a commit', () => {
  it('is looked for as it was typed, but for what surrounds it', () => {
    const { draft, errors, isEmpty } = parseCommitForm(RIGHT)
    expect(new Set(Object.values(errors))).toEqual(new Set([null]))
    expect(isEmpty).toBe(false)
    expect(draft).toMatchObject({ txid: HASH, leafHashes: [HASH, HASH], rune: 'SOME•RUNE' })
  })

  it.each([
    ['txid', 'abc', /64 characters/],
    ['hashes', `${HASH} xyz`, /64 characters/],
    ['parent', HASH, /inscription ID/],
    ['metadata', '{year: 2026}', /JSON/],
    ['rune', 'RUNE 1', /A to Z/],
  ] as const)('is wrong where its %s is, beside that field alone', (field, typed, said) => {
    const { errors } = parseCommitForm({ ...RIGHT, [field]: typed })
    const { [field]: wrong, ...others } = errors
    expect(wrong).toMatch(said)
    expect(new Set(Object.values(others))).toEqual(new Set([null]))
  })

  it('is nothing to look for without text, file, hash or rune', () => {
    expect(parseCommitForm({ ...EMPTY, txid: HASH }).isEmpty).toBe(true)
  })
})

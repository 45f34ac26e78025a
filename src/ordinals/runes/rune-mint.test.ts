import { encodeRunestone } from '@magiceden-oss/runestone-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { encipherMint, findMintStanding, type MintFacts } from './rune-mint.ts'
import type { MintTerms } from './runestone.ts'

const NONE = { start: null, end: null }

function termsOf({
  height,
  offset,
  ...rest
}: Partial<Omit<MintTerms, 'height' | 'offset'>> & {
  height?: Partial<MintTerms['height']>
  offset?: Partial<MintTerms['offset']>
}): MintTerms {
  return {
    amount: null,
    cap: null,
    ...rest,
    height: { ...NONE, ...height },
    offset: { ...NONE, ...offset },
  }
}

function rune(terms: Parameters<typeof termsOf>[0] | null, rest: Partial<MintFacts> = {}) {
  return { terms: terms && termsOf(terms), height: 1, mints: 0n, ...rest }
}

/** What `RuneEntry::mintable` gives: an amount, or the name of the error. */
function mintable(facts: MintFacts, height: bigint): bigint | string {
  const standing = findMintStanding(facts, height)
  return standing.is === 'open' ? standing.amount : standing.why
}

describe('whether a rune can be minted', () => {
  // The cases of `mintable` and its neighbours in ord's own tests (src/index/entry.rs).
  it('is what ord says of the default entry, and of terms without a cap', () => {
    expect(mintable(rune(null), 0n)).toBe('unmintable')
    expect(mintable(rune({ amount: 1_000n }), 0n)).toBe('cap')
    expect(mintable(rune({ cap: 1n, amount: 1_000n }), 0n)).toBe(1_000n)
  })

  it.each([
    ['height start', { height: { start: 10n } }, 9n, 'start', 10n],
    ['offset start', { offset: { start: 1n } }, 1n, 'start', 2n],
  ] as const)('begins at the %s', (_, when, before, error, at) => {
    const facts = rune({ cap: 1n, amount: 1_000n, ...when })
    expect(mintable(facts, before)).toBe(error)
    expect(mintable(facts, at)).toBe(1_000n)
  })

  it.each([
    ['height end', { height: { end: 10n } }, 9n, 10n],
    ['offset end', { offset: { end: 1n } }, 1n, 2n],
  ] as const)('is over from the %s on', (_, when, last, at) => {
    const facts = rune({ cap: 1n, amount: 1_000n, ...when })
    expect(mintable(facts, last)).toBe(1_000n)
    expect(mintable(facts, at)).toBe('end')
  })

  it('begins at the later of the two', () => {
    for (const [height, offset, start] of [
      [7n, 7n, 8n],
      [9n, 7n, 9n],
      [8n, 7n, 8n],
    ] as const) {
      const facts = rune({ cap: 1n, height: { start: height }, offset: { start: offset } })
      expect(findMintStanding(facts, 0n)).toMatchObject({ why: 'start', start })
    }
  })

  it('ends at the earlier of the two', () => {
    for (const [height, offset, end] of [
      [7n, 6n, 7n],
      [9n, 6n, 7n],
      [6n, 6n, 6n],
    ] as const) {
      const facts = rune({ cap: 1n, height: { end: height }, offset: { end: offset } })
      expect(findMintStanding(facts, 0n)).toMatchObject({ is: 'open', end })
    }
  })

  it('ends with the cap, and what is left until then is told', () => {
    const left = (mints: bigint) => findMintStanding(rune({ cap: 3n, amount: 5n }, { mints }), 100n)
    expect(left(0n)).toEqual({ is: 'open', amount: 5n, remaining: 3n, ...NONE })
    expect(left(2n)).toEqual({ is: 'open', amount: 5n, remaining: 1n, ...NONE })
    expect(left(3n)).toEqual({ is: 'closed', why: 'cap', ...NONE })
  })

  it('says that it has not begun, or is over, before it says that the cap is reached', () => {
    const facts = rune({ cap: 1n, height: { start: 5n, end: 8n } }, { mints: 1n })
    expect([4n, 5n, 7n, 8n].map(height => mintable(facts, height))).toEqual([
      'start',
      'cap',
      'cap',
      'end',
    ])
  })

  it('holds no amount for less than it is: 128 bits times 128 bits', () => {
    const most = 2n ** 128n - 1n
    const standing = findMintStanding(rune({ cap: most, amount: most }), 5n)
    expect(standing).toMatchObject({ is: 'open', amount: most, remaining: most })
  })
})

describe('the script of a mint', () => {
  it('is that of runestone-lib, byte for byte', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
        fc.nat({ max: 2 ** 32 - 1 }),
        (block, tx) => {
          const { encodedRunestone } = encodeRunestone({ mint: { block, tx } })
          expect(toHex(encipherMint(`${block}:${tx}`))).toBe(encodedRunestone.toString('hex'))
        },
      ),
    )
  })

  // https://docs.ordinals.com/runes/specification.html: tag 20, twice; UNCOMMON•GOODS is 1:0.
  it('of UNCOMMON•GOODS is tag 20 with 1, and tag 20 with 0', () => {
    expect(toHex(encipherMint('1:0'))).toBe('6a5d0414011400')
  })
})

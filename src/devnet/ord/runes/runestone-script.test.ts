import { encodeRunestone } from '@magiceden-oss/runestone-lib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSpacedName } from './rune-name.ts'
import { etchingScript, mintScript } from './runestone-script.ts'

const U64 = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
const RANGE = fc.record({ start: U64, end: U64 })
/** Small enough that the supply fits 128 bits. */
const SOME = fc.bigInt({ min: 0n, max: 2n ** 60n })

const withoutNulls = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

describe('the script of an etching', () => {
  it('is that of another library, byte for byte, with all terms and turbo', () => {
    fc.assert(
      fc.property(
        fc.record({
          rune: fc.bigInt({ min: 26n ** 14n, max: 2n ** 100n }),
          premine: SOME,
          divisibility: fc.nat({ max: 38 }),
          symbol: fc.option(fc.constantFrom('¢', 'G', '♞', '🧡')),
          terms: fc.option(
            fc.record({
              amount: fc.option(SOME),
              cap: fc.option(SOME),
              height: RANGE,
              offset: RANGE,
            }),
          ),
          turbo: fc.boolean(),
        }),
        ({ terms, symbol, ...etching }) => {
          const spacers = 0b101
          const script = etchingScript({ ...etching, spacers, symbol, terms })
          const { rune, ...rest } = etching
          const { encodedRunestone } = encodeRunestone({
            etching: {
              ...rest,
              runeName: formatSpacedName(rune, spacers),
              ...(symbol === null ? {} : { symbol }),
              ...(terms && {
                terms: {
                  ...withoutNulls({ amount: terms.amount, cap: terms.cap }),
                  height: withoutNulls(terms.height),
                  offset: withoutNulls(terms.offset),
                },
              }),
            },
          })
          expect(Buffer.from(script).toString('hex')).toBe(encodedRunestone.toString('hex'))
        },
      ),
    )
  })

  it('of a mint is that of another library', () => {
    const { encodedRunestone } = encodeRunestone({ mint: { block: 840_000n, tx: 3 } })
    expect(Buffer.from(mintScript('840000:3'))).toEqual(encodedRunestone)
  })
})

import { u32, u64, u128 } from '@magiceden-oss/runestone-lib/dist/src/integer/index.js'
import { None, Some } from '@magiceden-oss/runestone-lib/dist/src/monads.js'
import { RuneId as OracleId } from '@magiceden-oss/runestone-lib/dist/src/runeid.js'
import { Runestone as OracleRunestone } from '@magiceden-oss/runestone-lib/dist/src/runestone.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { decipherRunestone } from './runestone.ts'
import { encipherRunestone } from './runestone-script.ts'

const U128 = 2n ** 128n - 1n

function oracleId(id: string): OracleId {
  const [block = '', tx = ''] = id.split(':')
  return new OracleId(u64(BigInt(block)), u32(BigInt(tx)))
}

const anId = fc
  .tuple(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }))
  .map(([block, tx]) => `${block}:${tx}`)
const aNearId = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 }))
  .map(([b, t]) => `${840_000 + b}:${t}`)

describe('the script of a runestone', () => {
  it('is that of runestone-lib, byte for byte, and is read as what it was made of', () => {
    const anEdict = fc.record({
      rune: fc.oneof(anId, aNearId),
      amount: fc.bigInt({ min: 0n, max: U128 }),
      output: fc.nat({ max: 5 }),
    })
    fc.assert(
      fc.property(
        fc.array(anEdict, { maxLength: 5 }),
        fc.option(anId),
        fc.option(fc.nat({ max: 4 })),
        (edicts, mint, pointer) => {
          const script = encipherRunestone({ edicts, mint, pointer })
          const oracle = new OracleRunestone(
            mint === null ? None : Some(oracleId(mint)),
            pointer === null ? None : Some(u32(pointer)),
            edicts.map(({ rune, amount, output }) => ({
              id: oracleId(rune),
              amount: u128(amount),
              output: u32(output),
            })),
            None,
          )
          expect(toHex(script)).toBe(oracle.encipher().toString('hex'))
          const outputs = [...Array(4).fill(Uint8Array.of(0x51)), script]
          const read = decipherRunestone(outputs)
          expect(read).toMatchObject({ kind: 'runestone', mint, pointer, etching: null })
          const sort = (list: readonly object[]) =>
            list.map(one => Object.values(one).join()).toSorted()
          expect(sort(read.kind === 'runestone' ? read.edicts : [])).toEqual(sort(edicts))
        },
      ),
    )
  })

  it('is as short as its parts allow', () => {
    const script = encipherRunestone({
      edicts: [{ rune: '840000:1', amount: 100n, output: 1 }],
      mint: null,
      pointer: null,
    })
    // OP_RETURN, OP_13, a push of seven bytes: body, 840,000 in three, 1, 100, 1.
    expect(toHex(script)).toBe('6a5d0700c0a233016401')
  })
})

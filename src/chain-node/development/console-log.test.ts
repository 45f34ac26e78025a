import { Interface } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConsoleLog } from './console-log.ts'

/** What ethers makes of a call of the console. */
function encode(types: readonly string[], values: readonly unknown[]): Uint8Array {
  const name = `log(${types.join(',')})`
  const data = new Interface([`function ${name}`]).encodeFunctionData(name, values)
  return new Uint8Array(Buffer.from(data.slice(2), 'hex'))
}

const ADDRESS = '0x00000000000000000000000000000000000000aa'

describe('readConsoleLog', () => {
  it.each([
    [[], [], ''],
    [['string'], ['grüezi'], 'grüezi'],
    [['string', 'uint256'], ['value', 2n ** 200n], `value ${2n ** 200n}`],
    [['string', 'uint256', 'bool'], ['%d and %s', 5, true], '5 and true'],
    [
      ['address', 'string', 'address', 'bool'],
      [ADDRESS, 'to', ADDRESS, false],
      `${ADDRESS} to ${ADDRESS} false`,
    ],
    [['int256'], [-7], '-7'],
    [['bytes'], ['0x0102'], '0x0102'],
    [['bytes4'], ['0xa9059cbb'], '0xa9059cbb'],
    [['bytes32'], [`0x${'ab'.repeat(32)}`], `0x${'ab'.repeat(32)}`],
  ] as const)('reads %s', (types, values, line) => {
    expect(readConsoleLog(encode(types, values))).toBe(line)
  })

  it('reads whatever there is of up to four values, as ethers encodes them', () => {
    const value = fc.oneof(
      fc
        .bigInt({ min: 0n, max: 2n ** 256n - 1n })
        .map(number => ['uint256', number, `${number}`] as const),
      fc.string({ unit: 'grapheme' }).map(text => ['string', text, text] as const),
      fc.boolean().map(bool => ['bool', bool, String(bool)] as const),
    )
    // A text that comes second is no format.
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), values => {
        const all = [['bool', true, 'true'] as const, ...values]
        const input = encode(
          all.map(([type]) => type),
          all.map(([, value]) => value),
        )
        expect(readConsoleLog(input)).toBe(all.map(([, , text]) => text).join(' '))
      }),
    )
  })

  it('says nothing of what is something else, or ends early', () => {
    const input = encode(['string', 'uint256'], ['value', 1])
    expect(readConsoleLog(new Uint8Array())).toBeNull()
    expect(readConsoleLog(Uint8Array.of(1, 2, 3, 4))).toBeNull()
    for (let length = 0; length < 4 + 32 * 3; length++) {
      expect(readConsoleLog(input.subarray(0, length))).toBeNull()
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), rest => {
        readConsoleLog(new Uint8Array([...input.subarray(0, 4), ...rest]))
      }),
    )
  })
})

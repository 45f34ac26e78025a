import { describe, expect, it } from 'vitest'
import { ArgumentError, RpcError } from '../rpc/rpc-error.ts'
import { readCallObject, readStateOverrides } from './call-object.ts'

const TO = `0x${'Ab'.repeat(20)}`
const WORD = `0x${'01'.repeat(32)}`

describe('readCallObject', () => {
  it('reads all fields, passes over others and takes null for missing', () => {
    const call = readCallObject({
      from: TO,
      to: TO,
      gas: '0x5208',
      gasPrice: '0x1',
      value: '0x2',
      data: '0x0102',
      nonce: 'whatever',
      maxFeePerGas: null,
      accessList: [{ address: TO, storageKeys: [WORD] }],
    })
    expect(call).toEqual({
      from: TO.toLowerCase(),
      to: TO.toLowerCase(),
      gas: 21_000n,
      gasPrice: 1n,
      value: 2n,
      input: Uint8Array.of(1, 2),
      accessList: [{ address: TO.toLowerCase(), storageKeys: [WORD] }],
    })
    expect(readCallObject({})).toEqual({
      from: `0x${'0'.repeat(40)}`,
      to: null,
      value: 0n,
      input: new Uint8Array(0),
    })
  })

  it('takes names of fields in any case, as geth', () => {
    expect(readCallObject({ TO, gasprice: '0x1', Data: '0x01' })).toMatchObject({
      to: TO.toLowerCase(),
      gasPrice: 1n,
      input: Uint8Array.of(1),
    })
  })

  it('takes `data` and `input` for the same', () => {
    expect(readCallObject({ data: '0x01', input: '0x01' }).input).toEqual(Uint8Array.of(1))
    expect(readCallObject({ input: '0x01' }).input).toEqual(Uint8Array.of(1))
    const error = catchError(() => readCallObject({ data: '0x01', input: '0x02' }))
    expect(error).toMatchObject({
      code: -32000,
      message:
        'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    })
  })

  it('names the field that cannot be read, as geth', () => {
    expect(() => readCallObject('0x')).toThrow(
      'json: cannot unmarshal string into Go value of type ethapi.TransactionArgs',
    )
    expect(() => readCallObject({ gas: '21000' })).toThrow(
      'json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.gas of type hexutil.Uint64',
    )
    expect(() => readCallObject({ to: '0x12' })).toThrow(
      'field to: hex string has length 2, want 40 for common.Address',
    )
    expect(() => readCallObject({ accessList: [{ address: TO }] })).toThrow(
      "missing required field 'storageKeys' for AccessTuple",
    )
    expect(() => readCallObject({ gasPrice: '0x1', maxFeePerGas: '0x1' })).toThrow(
      'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
    )
  })
})

describe('readStateOverrides', () => {
  it('takes names of fields in any case, as geth', () => {
    const overrides = readStateOverrides({ [TO]: { Balance: '0x1', statediff: { [WORD]: WORD } } })
    expect([...overrides.values()]).toEqual([{ balance: 1n, stateDiff: new Map([[WORD, WORD]]) }])
  })

  it('reads accounts', () => {
    const overrides = readStateOverrides({
      [TO]: { balance: '0x1', nonce: '0x2', code: '0x60', stateDiff: { [WORD]: WORD }, other: 1 },
      [`0x${'cd'.repeat(20)}`]: { state: {} },
    })
    expect([...overrides]).toEqual([
      [
        TO.toLowerCase(),
        { balance: 1n, nonce: 2n, code: Uint8Array.of(0x60), stateDiff: new Map([[WORD, WORD]]) },
      ],
      [`0x${'cd'.repeat(20)}`, { state: new Map() }],
    ])
  })

  it('refuses short slots, and both kinds of storage', () => {
    expect(
      catchError(() => readStateOverrides({ [TO]: { state: { '0x1': WORD } } })),
    ).toBeInstanceOf(ArgumentError)
    expect(
      catchError(() => readStateOverrides({ [TO]: { stateDiff: { [WORD]: '0x01' } } })),
    ).toBeInstanceOf(ArgumentError)
    const error = catchError(() => readStateOverrides({ [TO]: { state: {}, stateDiff: {} } }))
    expect(error).toBeInstanceOf(RpcError)
    expect(error).toMatchObject({ code: -32000 })
    expect(String(error)).toMatch(/account 0x(ab){20} has both 'state' and 'stateDiff'/i)
  })
})

function catchError(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArgumentError, RpcError } from '../rpc/rpc-error.ts'
import type { Hex } from './hex.ts'
import { createLogMatcher, readLogFilter } from './log-filter.ts'

const LATEST = { tag: 'latest' }
// The values of geth's TestUnmarshalJSONNewFilterArgs.
const ADDRESS0 = '0x70c87d191324e6712a591f304b4eedef6ad9bb9d'
const ADDRESS1 = '0x9b2055d370f73ec7d8a03e965129118dc8f5bf83'
const TOPIC0 = '0x3ac225168df54212a25c1c01fd35bebfea408fdac2e31ddd6f80a4bbf9a5f1ca'
const TOPIC1 = '0x9084a792d2f8b16a62b882fd56f7860c07bf5fa91dd8a2ae7e809e5180fef0b3'
const TOPIC2 = '0x6ccae1c4af4152f460ff510e573399795dfab5dcf1fa60d1f33ac8fdc1e480ce'

describe('readLogFilter', () => {
  it.each([
    ['nothing', {}, { from: LATEST, to: LATEST, addresses: [], topics: [] }],
    [
      'null in every field',
      { blockHash: null, fromBlock: null, toBlock: null, address: null, topics: null },
      { from: LATEST, to: LATEST, addresses: [], topics: [] },
    ],
    [
      'a range',
      { fromBlock: '0x0', toBlock: '0x1' },
      { from: { number: 0n }, to: { number: 1n }, addresses: [], topics: [] },
    ],
    [
      'tags',
      { fromBlock: 'earliest', toBlock: 'pending' },
      { from: { tag: 'earliest' }, to: { tag: 'pending' }, addresses: [], topics: [] },
    ],
    ['a block hash', { blockHash: TOPIC0 }, { blockHash: TOPIC0, addresses: [], topics: [] }],
    [
      'one address',
      { address: ADDRESS0.toUpperCase().replace('X', 'x') },
      { from: LATEST, to: LATEST, addresses: [ADDRESS0], topics: [] },
    ],
    [
      'addresses',
      { address: [ADDRESS0, ADDRESS1] },
      { from: LATEST, to: LATEST, addresses: [ADDRESS0, ADDRESS1], topics: [] },
    ],
    [
      'a topic by position',
      { topics: [TOPIC0, null, TOPIC2] },
      { from: LATEST, to: LATEST, addresses: [], topics: [[TOPIC0], [], [TOPIC2]] },
    ],
    [
      'alternatives',
      { topics: [[TOPIC0, TOPIC1], [], [TOPIC2]] },
      { from: LATEST, to: LATEST, addresses: [], topics: [[TOPIC0, TOPIC1], [], [TOPIC2]] },
    ],
    [
      'null among alternatives, which stands for all and ends them',
      { topics: [[TOPIC0, null, 'never read']] },
      { from: LATEST, to: LATEST, addresses: [], topics: [[]] },
    ],
    [
      'fields that it does not know',
      { limit: 5, __proto__: null },
      { from: LATEST, to: LATEST, addresses: [], topics: [] },
    ],
  ])('reads %s', (_name, value, expected) => {
    expect(readLogFilter(value)).toEqual(expected)
  })

  it.each(['blockhash', 'blockHash', 'BLOCKHASH'])('reads %s, and the last of two', name => {
    expect(readLogFilter({ [name]: TOPIC0 })).toMatchObject({ blockHash: TOPIC0 })
    const twice = JSON.parse(`{"blockHash":"${TOPIC1}","${name}":"${TOPIC0}"}`)
    expect(readLogFilter(twice)).toMatchObject({ blockHash: TOPIC0 })
  })

  it.each([
    ['fromBlock', 'FROMBLOCK'],
    ['toBlock', 'toblock'],
  ])('refuses %s beside a block hash', (...names) => {
    for (const name of names) {
      expect(() => readLogFilter({ blockhash: TOPIC0, [name]: '0x1' })).toThrow(
        new ArgumentError(
          'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
        ),
      )
    }
    expect(readLogFilter({ blockhash: TOPIC0, [names[0]]: null })).toHaveProperty('blockHash')
  })

  it.each([
    ['latest', 'json: cannot unmarshal string into Go value of type filters.input'],
    [[], 'json: cannot unmarshal array into Go value of type filters.input'],
    [7, 'json: cannot unmarshal number into Go value of type filters.input'],
    [true, 'json: cannot unmarshal bool into Go value of type filters.input'],
    [{ fromBlock: '1' }, 'hex string without 0x prefix'],
    [{ toBlock: '0x01' }, 'hex number with leading zero digits'],
    [{ blockHash: '0x12' }, 'hex string has length 2, want 64 for common.Hash'],
    [{ address: 5 }, 'invalid addresses in query'],
    [{ address: {} }, 'invalid addresses in query'],
    [{ address: '' }, 'invalid address: empty hex string'],
    [{ address: ADDRESS0.slice(2) }, 'invalid address: hex string without 0x prefix'],
    [{ address: `${ADDRESS0}0` }, 'invalid address: hex string of odd length'],
    [{ address: '0xzz' }, 'invalid address: invalid hex string'],
    [
      { address: '0x' },
      'invalid address: hex has invalid length 0 after decoding; expected 20 for address',
    ],
    [{ address: [ADDRESS0, 1] }, 'non-string address at index 1'],
    [
      { address: [ADDRESS0, '0x1234'] },
      'invalid address at index 1: hex has invalid length 2 after decoding; expected 20 for address',
    ],
    [
      { topics: TOPIC0 },
      'json: cannot unmarshal string into Go struct field input.topics of type []interface {}',
    ],
    [
      { topics: { 0: TOPIC0 } },
      'json: cannot unmarshal object into Go struct field input.topics of type []interface {}',
    ],
    [{ topics: [1] }, 'invalid topic(s)'],
    [{ topics: [[TOPIC0, false]] }, 'invalid topic(s)'],
    [{ topics: [[[TOPIC0]]] }, 'invalid topic(s)'],
    [
      { topics: [['0x12', null]] },
      'hex has invalid length 1 after decoding; expected 32 for topic',
    ],
    [{ topics: [TOPIC0.slice(2)] }, 'hex string without 0x prefix'],
  ])('refuses %j', (value, text) => {
    expect(() => readLogFilter(value)).toThrow(new ArgumentError(text))
  })

  it('refuses more topics, alternatives and addresses than the limits', () => {
    const addresses = Array(1000).fill(ADDRESS0)
    const topics = Array(1000).fill(TOPIC0)
    expect(readLogFilter({ address: addresses, topics: [topics, topics, topics, topics] })).toEqual(
      { from: LATEST, to: LATEST, addresses, topics: [topics, topics, topics, topics] },
    )
    const tooMany = 'exceed max addresses or topics per search position'
    expect(findRefusal({ topics: [null, null, null, null, null] })).toEqual([
      -32000,
      'exceed max topics',
    ])
    expect(findRefusal({ topics: [[...topics, TOPIC0]] })).toEqual([-32005, tooMany])
    expect(findRefusal({ address: [...addresses, ADDRESS0] })).toEqual([-32005, tooMany])
  })

  it('gives a filter or a refusal for any JSON', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            address: fc.jsonValue(),
            topics: fc.jsonValue(),
            blockHash: fc.jsonValue(),
            fromBlock: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
        value => {
          try {
            expect(readLogFilter(value).topics.length).toBeLessThanOrEqual(4)
          } catch (error) {
            expect(error instanceof ArgumentError || error instanceof RpcError).toBe(true)
          }
        },
      ),
    )
  })
})

describe('createLogMatcher', () => {
  const A = ADDRESS0
  const log = (address: Hex, ...topics: Hex[]) => ({ address, topics })

  // The table in geth's documentation of `ethereum.FilterQuery`, and its filter tests.
  it.each([
    ['everything', {}, log(A), true],
    ['one of the addresses', { address: [ADDRESS1, A] }, log(A), true],
    ['no other address', { address: [ADDRESS1] }, log(A), false],
    ['A first', { topics: [TOPIC0] }, log(A, TOPIC0, TOPIC1), true],
    ['not B first', { topics: [TOPIC0] }, log(A, TOPIC1, TOPIC0), false],
    ['anything first and B second', { topics: [null, TOPIC1] }, log(A, TOPIC0, TOPIC1), true],
    ['A first and B second', { topics: [TOPIC0, TOPIC1] }, log(A, TOPIC0, TOPIC1), true],
    ['A first and not B second', { topics: [TOPIC0, TOPIC1] }, log(A, TOPIC0, TOPIC2), false],
    [
      'A or B at both',
      {
        topics: [
          [TOPIC0, TOPIC1],
          [TOPIC0, TOPIC1],
        ],
      },
      log(A, TOPIC1, TOPIC0),
      true,
    ],
    ['no log that is shorter', { topics: [TOPIC0, null] }, log(A, TOPIC0), false],
    ['no log without topics', { topics: [[]] }, log(A), false],
    ['address and topic', { address: A, topics: [TOPIC0] }, log(ADDRESS1, TOPIC0), false],
  ])('takes %s', (_name, filter, entry, expected) => {
    expect(createLogMatcher(readLogFilter(filter))(entry)).toBe(expected)
  })
})

function findRefusal(value: unknown): [number, string] | null {
  try {
    readLogFilter(value)
    return null
  } catch (error) {
    if (error instanceof RpcError) return [error.code, error.message]
    throw error
  }
}

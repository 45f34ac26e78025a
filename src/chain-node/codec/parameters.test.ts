import { describe, expect, it } from 'vitest'
import { ArgumentError, RpcError } from '../rpc/rpc-error.ts'
import {
  readAddress,
  readBlockId,
  readBlockNumber,
  readBoolean,
  readData,
  readHash,
  readIndex,
  readQuantity,
  readStorageSlot,
  readString,
  readUint64,
} from './parameters.ts'

const HASH = `0x${'Ab'.repeat(32)}`
const go = (fault: string, type: string) =>
  `json: cannot unmarshal ${fault} into Go value of type ${type}`

describe('what can be read', () => {
  it.each([
    [
      readAddress,
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      '0xdac17f958d2ee523a2206206994597c13d831ec7',
    ],
    [
      readAddress,
      '0X000000000000000000000000000000000000000A',
      '0x000000000000000000000000000000000000000a',
    ],
    [readHash, HASH, `0x${'ab'.repeat(32)}`],
    [readData, '0x', Uint8Array.of()],
    [readData, '', Uint8Array.of()],
    [readData, '0x00fF10', Uint8Array.of(0, 255, 16)],
    [readQuantity, '0x0', 0n],
    [readQuantity, '0x41', 65n],
    [readQuantity, `0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
    [readUint64, '0xffffffffffffffff', 2n ** 64n - 1n],
    [readIndex, '0x1a', 26],
    [readBoolean, false, false],
    [readString, '', ''],
    [readStorageSlot, '0x0', new Uint8Array(32)],
    [readStorageSlot, '', new Uint8Array(32)],
    // Without `0x` too the digits are hexadecimal: geth reads "10" as position 16.
    [readStorageSlot, '10', Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 16 : 0))],
    [readStorageSlot, '0x123', Uint8Array.from({ length: 32 }, (_, i) => [1, 0x23][i - 30] ?? 0)],
    [readStorageSlot, HASH, new Uint8Array(32).fill(0xab)],
    [readBlockNumber, 'earliest', { tag: 'earliest' }],
    [readBlockNumber, 'latest', { tag: 'latest' }],
    [readBlockNumber, 'pending', { tag: 'pending' }],
    [readBlockNumber, 'safe', { tag: 'latest' }],
    [readBlockNumber, 'finalized', { tag: 'latest' }],
    [readBlockNumber, '0x0', { number: 0n }],
    [readBlockNumber, '0x7fffffffffffffff', { number: 2n ** 63n - 1n }],
    [readBlockId, 'pending', { tag: 'pending' }],
    [readBlockId, '0x1b4', { number: 436n }],
    [readBlockId, HASH, { hash: HASH.toLowerCase() }],
    [readBlockId, { blockNumber: '0x1b4' }, { number: 436n }],
    [readBlockId, { blockNumber: 'latest', blockHash: null }, { tag: 'latest' }],
    [readBlockId, { blockHash: HASH, requireCanonical: true }, { hash: HASH.toLowerCase() }],
    [readBlockId, { blockhash: HASH }, { hash: HASH.toLowerCase() }],
  ] as [(value: unknown) => unknown, unknown, unknown][])('%o of %o', (read, value, expected) => {
    expect(read(value)).toStrictEqual(expected)
  })
})

describe('what cannot be read has the text of geth', () => {
  it.each([
    [readAddress, '0xdead', 'hex string has length 4, want 40 for common.Address'],
    [readAddress, '', 'hex string has length 0, want 40 for common.Address'],
    [readAddress, 'dead', go('hex string without 0x prefix', 'common.Address')],
    [readAddress, '0xabc', go('hex string of odd length', 'common.Address')],
    [readAddress, `0x${'zz'.repeat(20)}`, go('invalid hex string', 'common.Address')],
    [readAddress, 5, go('non-string', 'common.Address')],
    [readAddress, [HASH], go('non-string', 'common.Address')],
    [readAddress, { toString: '0x' }, go('non-string', 'common.Address')],
    [readHash, '0x12', 'hex string has length 2, want 64 for common.Hash'],
    [readHash, `${HASH}00`, 'hex string has length 66, want 64 for common.Hash'],
    [readHash, true, go('non-string', 'common.Hash')],
    [readData, '0x1', go('hex string of odd length', 'hexutil.Bytes')],
    [readData, 'ab', go('hex string without 0x prefix', 'hexutil.Bytes')],
    [readData, '0xg0', go('invalid hex string', 'hexutil.Bytes')],
    [readData, '0x0\n', go('invalid hex string', 'hexutil.Bytes')],
    [readData, 1, go('non-string', 'hexutil.Bytes')],
    [readQuantity, '0x', go('hex string "0x"', '*hexutil.Big')],
    [readQuantity, '0x01', go('hex number with leading zero digits', '*hexutil.Big')],
    [readQuantity, '10', go('hex string without 0x prefix', '*hexutil.Big')],
    [readQuantity, '0x-1', go('invalid hex string', '*hexutil.Big')],
    [readQuantity, '0x1_0', go('invalid hex string', '*hexutil.Big')],
    [readQuantity, '0x1 ', go('invalid hex string', '*hexutil.Big')],
    [readQuantity, '0x1\n', go('invalid hex string', '*hexutil.Big')],
    [readQuantity, `0x1${'0'.repeat(64)}`, go('hex number > 256 bits', '*hexutil.Big')],
    [readQuantity, 16, go('non-string', '*hexutil.Big')],
    [readUint64, '0x10000000000000000', go('hex number > 64 bits', 'hexutil.Uint64')],
    [readIndex, '0x10000000000000000', go('hex number > 64 bits', 'hexutil.Uint')],
    [readBoolean, 'true', go('string', 'bool')],
    [readBoolean, 1, go('number', 'bool')],
    [readString, true, go('bool', 'string')],
    [readString, {}, go('object', 'string')],
    [readString, [], go('array', 'string')],
    [readStorageSlot, 0, go('number', 'string')],
    [readBlockNumber, 'foo', 'hex string without 0x prefix'],
    [readBlockNumber, 'Latest', 'hex string without 0x prefix'],
    [readBlockNumber, '', 'empty hex string'],
    [readBlockNumber, 5, 'hex string without 0x prefix'],
    [readBlockNumber, {}, 'hex string without 0x prefix'],
    [readBlockNumber, '0x', 'hex string "0x"'],
    [readBlockNumber, '0x01', 'hex number with leading zero digits'],
    [readBlockNumber, '0x8000000000000000', 'block number larger than int64'],
    [readBlockNumber, '0x10000000000000000', 'hex number > 64 bits'],
    [readBlockNumber, HASH, 'hex number > 64 bits'],
    [readBlockId, '0x8000000000000000', 'blocknumber too high'],
    [readBlockId, 5, go('number', 'string')],
    [readBlockId, [], go('array', 'string')],
    [readBlockId, `0x${'g'.repeat(64)}`, 'invalid hex string'],
    [readBlockId, 'x'.repeat(66), 'hex string without 0x prefix'],
    [readBlockId, { blockHash: '0x12' }, 'hex string has length 2, want 64 for common.Hash'],
    [readBlockId, { blockNumber: 'foo' }, 'hex string without 0x prefix'],
    [
      readBlockId,
      { blockHash: HASH, blockNumber: '0x1' },
      'cannot specify both BlockHash and BlockNumber, choose one or the other',
    ],
    [readBlockId, {}, 'invalid arguments; neither block nor hash specified'],
    [
      readBlockId,
      JSON.parse('{"__proto__":{"blockNumber":"0x1"}}'),
      'invalid arguments; neither block nor hash specified',
    ],
  ] as [(value: unknown) => unknown, unknown, string][])('%o of %o', (read, value, text) => {
    expect(() => read(value)).toThrow(new ArgumentError(text))
  })

  // ethereum/execution-apis, tests/eth_getStorageAt.
  it.each([
    ['0xasdf', 'invalid hex in storage key: "0xasdf"'],
    [`0x${'0'.repeat(65)}`, `storage key too long (want at most 32 bytes): "0x${'0'.repeat(65)}"`],
  ])('the storage position %s', (value, text) => {
    expect(() => readStorageSlot(value)).toThrow(new RpcError(-32602, text))
  })

  it('repeats only the start of a storage position of a megabyte', () => {
    expect(() => readStorageSlot('0'.repeat(1e6))).toThrow(/^.{140,160}$/)
  })
})

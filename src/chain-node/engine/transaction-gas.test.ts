import type { TransactionLike } from 'ethers'
import { describe, expect, it } from 'vitest'
import { decodeHex } from '../codec/hex.ts'
import {
  type Fields,
  legacy,
  modern,
  OTHER,
  PRIVATE_KEY,
  signAuthorization,
  signWithEthers,
} from '../testing/sample-transactions.ts'
import type { Header } from './block.ts'
import { decodeTransaction, intrinsicGas, signTransaction } from './encoding/transaction-codec.ts'
import { TransactionError } from './engine.ts'

describe('the gas that is paid before anything runs', () => {
  const parent = (timestamp: bigint) => ({ number: 5n, timestamp }) as Header
  const decode = async (transaction: TransactionLike) =>
    decodeTransaction(modern, decodeHex(await signWithEthers({ chainId: 66, ...transaction })))
  const DYNAMIC = { type: 2, maxFeePerGas: 1, maxPriorityFeePerGas: 1, to: OTHER }

  // Figures from the EIPs: 2028, 2930, 3860, 7623, 7702.
  it.each<[string, TransactionLike, bigint]>([
    ['a transfer', { ...DYNAMIC }, 21_000n],
    ['one byte that is not zero', { ...DYNAMIC, data: '0x01' }, 21_040n],
    ['a zero', { ...DYNAMIC, data: '0x00' }, 21_010n],
    [
      'a creation of one byte',
      { ...DYNAMIC, to: null, data: '0x60' },
      21_000n + 32_000n + 16n + 2n,
    ],
    [
      'an access list',
      {
        ...DYNAMIC,
        accessList: [
          { address: OTHER, storageKeys: [`0x${'00'.repeat(32)}`, `0x${'01'.repeat(32)}`] },
        ],
      },
      21_000n + 2_400n + 2n * 1_900n,
    ],
    [
      'an authorization',
      {
        ...DYNAMIC,
        type: 4,
        authorizationList: [
          signAuthorization({ delegate: OTHER, authorizationNonce: 0n } as Fields),
        ],
      },
      46_000n,
    ],
  ])('of %s', async (_, transaction, expected) => {
    expect(intrinsicGas(modern, parent(0n), await decode(transaction))).toBe(expected)
  })

  it('is 68 a byte before Istanbul and 16 after, without a floor before Prague', () => {
    const raw = signTransaction(
      legacy,
      { nonce: 0n, to: OTHER, value: 0n, gas: 1n, gasPrice: 1n, input: Uint8Array.of(0, 1) },
      decodeHex(PRIVATE_KEY),
    )
    expect(intrinsicGas(legacy, parent(0n), raw)).toBe(21_020n)
  })

  it('is not asked for where the block takes none like it', async () => {
    const large = await decode({ ...DYNAMIC, to: null, data: `0x${'00'.repeat(49_153)}` })
    expect(() => intrinsicGas(modern, parent(0n), large)).toThrow(
      new TransactionError('max initcode size exceeded: code size 49153, limit 49152'),
    )
    const thirsty = await decode({ ...DYNAMIC, gasLimit: 16_777_217 })
    expect(intrinsicGas(modern, parent(0n), thirsty)).toBe(21_000n)
    expect(() => intrinsicGas(modern, parent(999n), thirsty)).toThrow(
      new TransactionError('transaction gas limit too high (cap: 16777216, tx: 16777217)'),
    )
    const blobs = await decode({
      ...DYNAMIC,
      type: 3,
      maxFeePerBlobGas: 1,
      blobVersionedHashes: Array.from({ length: 7 }, () => `0x01${'00'.repeat(31)}`),
    })
    expect(intrinsicGas(modern, parent(0n), blobs)).toBe(21_000n)
    expect(() => intrinsicGas(modern, parent(999n), blobs)).toThrow(
      new TransactionError('too many blobs in transaction: have 7, permitted 6'),
    )
  })
})

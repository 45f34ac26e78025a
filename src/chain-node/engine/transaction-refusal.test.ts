import {
  Transaction as EthersTransaction,
  encodeRlp,
  keccak256,
  SigningKey,
  type TransactionLike,
} from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { decodeHex, type Hex } from '../codec/hex.ts'
import {
  type Fields,
  istanbul,
  legacy,
  modern,
  OTHER,
  PRIVATE_KEY,
  SENDER,
  signAuthorization,
  signWithEthers,
} from '../testing/sample-transactions.ts'
import { keyRecovery } from './encoding/key-recovery.ts'
import {
  decodeBodyTransaction,
  decodeTransaction,
  decodeTransactionAside,
} from './encoding/transaction-codec.ts'
import { TransactionError } from './engine.ts'

const { count: RUNS } = campaign('transactions that are refused')

function catchError(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return null
}

describe('a transaction that is refused', () => {
  const BASE = {
    type: 0,
    chainId: 66,
    nonce: 1,
    gasLimit: 21_000,
    gasPrice: 5,
    to: OTHER,
    value: 1,
  }
  const DYNAMIC = { ...BASE, type: 2, gasPrice: null, maxFeePerGas: 5, maxPriorityFeePerGas: 1 }

  it.each<[string, TransactionLike, string]>(
    [
      ['another chain', { ...BASE, chainId: 65 }, 'invalid sender'],
      ['another chain, with a type', { ...DYNAMIC, chainId: 1 }, 'invalid sender'],
      [
        'more for gas than there can be',
        { ...BASE, gasPrice: 2n ** 250n },
        'insufficient funds for gas * price + value',
      ],
      [
        'no blobs',
        { ...DYNAMIC, type: 3, maxFeePerBlobGas: 1, blobVersionedHashes: [] },
        'blobless blob transaction',
      ],
      [
        'blobs of another kind',
        {
          ...DYNAMIC,
          type: 3,
          maxFeePerBlobGas: 1,
          blobVersionedHashes: [`0x02${'00'.repeat(31)}`],
        },
        'blob 0 has invalid hash version',
      ],
      [
        'no authorizations',
        { ...DYNAMIC, type: 4, authorizationList: [] },
        'EIP-7702 transaction with empty auth list',
      ],
    ].filter(([, , message]) => message !== '') as [string, TransactionLike, string][],
  )('has %s', async (_, transaction, message) => {
    const raw = decodeHex(await signWithEthers(transaction))
    const error = new TransactionError(message)
    expect(() => decodeTransaction(modern, raw)).toThrow(error)
    await expect(decodeTransactionAside(modern, raw, keyRecovery)).rejects.toThrow(error)
  })

  it.each([1, 2, 3, 4])('has type %i, which the chain does not know', async type => {
    const raw = decodeHex(
      await signWithEthers({
        ...(type === 1 ? BASE : DYNAMIC),
        type,
        ...(type === 3 && { maxFeePerBlobGas: 1, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] }),
      }),
    )
    const message = 'transaction type not supported'
    expect(() => decodeTransaction(istanbul, raw)).toThrow(new TransactionError(message))
    if (type > 1) {
      expect(() => decodeTransaction(legacy, raw)).toThrow(new TransactionError(message))
    }
  })

  const fixed = EthersTransaction.from({ ...BASE, data: '0x' })
  const signature = new SigningKey(PRIVATE_KEY).sign(fixed.unsignedHash)
  const list = (changes: Record<number, Hex>, count = 9): Hex => {
    const items: Hex[] = ['0x01', '0x05', '0x825208', `0x94${OTHER.slice(2)}`, '0x01', '0x80']
    items.push(`0x81${signature.networkV === null ? (167 + signature.yParity).toString(16) : 'a7'}`)
    items.push(`0xa0${signature.r.slice(2)}`, `0xa0${signature.s.slice(2)}`)
    const body = items
      .map((item, index) => (changes[index] ?? item).slice(2))
      .slice(0, count)
      .join('')
    const length = body.length / 2
    return length < 56
      ? `0x${(0xc0 + length).toString(16)}${body}`
      : `0xf8${length.toString(16).padStart(2, '0')}${body}`
  }
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const word = (value: bigint): Hex => `0xa0${value.toString(16).padStart(64, '0')}`

  it('is otherwise taken', () => {
    expect(
      decodeTransaction(
        legacy,
        decodeHex(list({ 6: `0x81${(167 + signature.yParity).toString(16)}` })),
      ).from,
    ).toBe(SENDER)
  })

  // Texts of go-ethereum.
  it.each<[string, Hex, string]>([
    ['no bytes', '0x', 'typed transaction too short'],
    ['a type alone', '0x01', 'typed transaction too short'],
    ['an unknown type', '0x05c0', 'transaction type not supported'],
    ['a byte that begins nothing', '0x7fc0', 'transaction type not supported'],
    ['a string', '0x83616263', 'rlp: expected input list for types.LegacyTx'],
    ['a cut list', list({}).slice(0, -2) as Hex, 'rlp: value size exceeds available input length'],
    ['bytes behind it', `${list({})}00`, 'rlp: input contains more than one value'],
    ['too few values', list({}, 8), 'rlp: too few elements for types.LegacyTx'],
    ['no signature', list({}, 6), 'rlp: too few elements for types.LegacyTx'],
    [
      'too many values',
      list({ 8: `${word(1n)}80` }),
      'rlp: input list has too many elements for types.LegacyTx',
    ],
    [
      'a nonce with zeros before it',
      list({ 0: '0x820001' }),
      'rlp: non-canonical integer (leading zero bytes) for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    [
      'a nonce of nine bytes',
      list({ 0: '0x89010000000000000000' }),
      'rlp: input string too long for uint64, decoding into (types.LegacyTx).Nonce',
    ],
    ['the last nonce', list({ 0: '0x88ffffffffffffffff' }), 'nonce has max value'],
    [
      'a value of 33 bytes',
      list({ 4: `0xa1${'01'.repeat(33)}` }),
      'rlp: value too large for uint256, decoding into (types.LegacyTx).Value',
    ],
    [
      'a list for a value',
      list({ 4: '0xc0' }),
      'rlp: expected input string or byte for uint256.Int, decoding into (types.LegacyTx).Value',
    ],
    [
      'a short address',
      list({ 3: `0x93${'35'.repeat(19)}` }),
      'rlp: input string too short for common.Address, decoding into (types.LegacyTx).To',
    ],
    [
      'a long address',
      list({ 3: `0x95${'35'.repeat(21)}` }),
      'rlp: input string too long for common.Address, decoding into (types.LegacyTx).To',
    ],
    ['v of nothing', list({ 6: '0x80' }), 'invalid sender'],
    ['v of 29', list({ 6: '0x1d' }), 'invalid sender'],
    ['v of 34', list({ 6: '0x22' }), 'invalid sender'],
    ['a huge v', list({ 6: word(2n ** 255n) }), 'invalid sender'],
    ['r of zero', list({ 7: '0x80' }), 'invalid sender'],
    ['r above the order', list({ 7: word(order) }), 'invalid sender'],
    ['r of no point', list({ 7: '0x05' }), 'invalid sender'],
    ['the higher s', list({ 8: word(order - BigInt(signature.s)) }), 'invalid sender'],
    ['s of zero', list({ 8: '0x80' }), 'invalid sender'],
  ])('has %s', async (_, raw, message) => {
    const error = new TransactionError(message)
    const bytes = decodeHex(raw)
    expect(() => decodeTransaction(legacy, bytes)).toThrow(error)
    await expect(decodeTransactionAside(legacy, bytes, keyRecovery)).rejects.toThrow(error)
  })

  it('has a tip above the fee', () => {
    // ethers refuses to sign it.
    const values = ['0x42', '0x', '0x06', '0x05', '0x5208', OTHER, '0x', '0x', []]
    const key = new SigningKey(PRIVATE_KEY)
    const { r, s, yParity } = key.sign(keccak256(`0x02${encodeRlp(values).slice(2)}`))
    const raw = `0x02${encodeRlp([...values, yParity ? '0x01' : '0x', r, s]).slice(2)}` as Hex
    expect(() => decodeTransaction(modern, decodeHex(raw))).toThrow(
      new TransactionError('max priority fee per gas higher than max fee per gas'),
    )
  })

  it('throws nothing but TransactionError for random and for changed bytes', async () => {
    const raws = [
      decodeHex(await signWithEthers(BASE)),
      decodeHex(await signWithEthers(DYNAMIC)),
      decodeHex(
        await signWithEthers({
          ...DYNAMIC,
          type: 4,
          authorizationList: [
            signAuthorization({ delegate: OTHER, authorizationNonce: 1n } as Fields),
          ],
        }),
      ),
    ]
    const random = fc.uint8Array({ maxLength: 120 })
    const typed = fc.tuple(fc.nat(5), random).map(([type, rest]) => Uint8Array.of(type, ...rest))
    const changed = fc
      .tuple(fc.constantFrom(...raws), fc.nat(), fc.nat(255))
      .map(([raw, at, value]) => {
        const copy = Uint8Array.from(raw)
        copy[at % copy.length] = value
        return copy
      })
    fc.assert(
      fc.property(fc.oneof(random, typed, changed), raw => {
        for (const rules of [legacy, modern]) {
          const error = catchError(() => decodeTransaction(rules, raw))
          if (error !== null) expect(error).toBeInstanceOf(TransactionError)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('is the network form within a block', () => {
    const item = decodeHex('0x03c4c0c0c0c0')
    expect(() => decodeBodyTransaction(modern, modern.commonAt(1n, 1n), item)).toThrow(
      new TransactionError('rlp: too few elements for types.BlobTx'),
    )
  })
})

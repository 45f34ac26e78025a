import { createHash } from 'node:crypto'
import { decodeRlp as decodeTree, encodeRlp as encodeTree } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeHex, encodeHex, type Hex } from '../../codec/hex.ts'
import { readExecutionApisCall, readExecutionApisGenesis } from '../../testing/execution-apis.ts'
import { modern, OTHER, SENDER, signWithEthers } from '../../testing/sample-transactions.ts'
import { TransactionError } from '../engine.ts'
import { readGenesis } from '../genesis/genesis.ts'
import { createRules, type Rules } from '../rules.ts'
import { decodeTransaction } from './transaction-codec.ts'

type Tree = string | Tree[]

/** The blob of zeros: its commitment and all its proofs are the point at infinity. */
const BLOB: Hex = `0x${'00'.repeat(131_072)}`
const INFINITY: Hex = `0xc0${'00'.repeat(47)}`

function hashCommitment(commitment: Hex): Hex {
  const digest = createHash('sha256').update(decodeHex(commitment)).digest('hex')
  return `0x01${digest.slice(2)}`
}

/** Signs a transaction with as many blobs of zeros, and puts what it is sent with around it. */
async function signNetworkForm(count: number, around: (payload: Tree) => Tree): Promise<Hex> {
  const raw = await signWithEthers({
    type: 3,
    chainId: 66,
    nonce: 0,
    gasLimit: 21_000,
    maxFeePerGas: 1,
    maxPriorityFeePerGas: 1,
    maxFeePerBlobGas: 1,
    to: OTHER,
    blobVersionedHashes: Array.from({ length: count }, () => hashCommitment(INFINITY)),
  })
  const payload = decodeTree(`0x${raw.slice(4)}`) as Tree
  return `0x03${encodeTree(around(payload)).slice(2)}`
}

function repeat<T>(value: T, count: number): T[] {
  return Array.from({ length: count }, () => value)
}

describe('a transaction with its blobs', () => {
  it('is taken with a proof for each blob (EIP-4844), and loses the blobs', async () => {
    const raw = await signNetworkForm(2, payload => [
      payload,
      repeat(BLOB, 2),
      repeat(INFINITY, 2),
      repeat(INFINITY, 2),
    ])
    const decoded = decodeTransaction(modern, decodeHex(raw))
    expect(decoded.from).toBe(SENDER)
    expect(decoded.raw.length).toBeLessThan(300)
    const again = decodeTransaction(modern, decoded.raw)
    expect([again.hash, again.from]).toEqual([decoded.hash, SENDER])
    expect(again.blobVersionedHashes).toEqual(repeat(hashCommitment(INFINITY), 2))
  })

  it('is taken with a proof for each cell (EIP-7594)', async () => {
    const raw = await signNetworkForm(1, payload => [
      payload,
      '0x01',
      [BLOB],
      [INFINITY],
      repeat(INFINITY, 128),
    ])
    expect(decodeTransaction(modern, decodeHex(raw)).from).toBe(SENDER)
  })

  /** The generator of the curve: a point, but not the one. */
  const WRONG: Hex =
    '0x97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'

  it.each<[string, number, (payload: Tree) => Tree, string]>([
    ['a wrong proof', 1, payload => [payload, [BLOB], [INFINITY], [WRONG]], 'invalid blob proof'],
    [
      'a wrong proof of a cell',
      1,
      payload => [payload, '0x01', [BLOB], [INFINITY], [WRONG, ...repeat(INFINITY, 127)]],
      'invalid blob proof',
    ],
    [
      'a proof that is no point',
      1,
      payload => [payload, [BLOB], [INFINITY], [`0x${'ff'.repeat(48)}`]],
      'invalid blob proof',
    ],
    [
      'numbers above the field',
      1,
      payload => [payload, [`0x${'ff'.repeat(131_072)}`], [INFINITY], [INFINITY]],
      'invalid blob proof',
    ],
    [
      'another commitment',
      1,
      payload => [payload, [BLOB], [WRONG], [INFINITY]],
      `blob 0: computed hash ${hashCommitment(WRONG)} mismatches transaction one ${hashCommitment(INFINITY)}`,
    ],
    [
      'a blob too few',
      2,
      payload => [payload, [BLOB], repeat(INFINITY, 2), repeat(INFINITY, 2)],
      'invalid number of 1 blobs compared to 2 that the blob hashes need',
    ],
    [
      'a proof too few',
      1,
      payload => [payload, '0x01', [BLOB], [INFINITY], repeat(INFINITY, 127)],
      'invalid number of 127 blob proofs compared to 128 that the blob hashes need',
    ],
    [
      'more blobs than a block has',
      10,
      payload => [payload, [], [], []],
      'too many blobs in transaction: have 10, permitted 9',
    ],
    [
      'another version',
      1,
      payload => [payload, '0x02', [BLOB], [INFINITY], [INFINITY]],
      'invalid sidecar version 0x02',
    ],
    [
      'a short blob',
      1,
      payload => [payload, ['0x00'], [INFINITY], [INFINITY]],
      'rlp: input string too short for kzg4844.Blob, decoding into (types.BlobTxSidecar).Blobs',
    ],
    ['no proofs', 1, payload => [payload, [], []], 'rlp: too few elements for types.BlobTxSidecar'],
  ])('is refused with %s', async (_, count, around, message) => {
    const raw = decodeHex(await signNetworkForm(count, around))
    expect(() => decodeTransaction(modern, raw)).toThrow(new TransactionError(message))
  })
})

describe('the blob transaction of execution-apis', () => {
  let rules: Rules
  const { request, response } = readExecutionApisCall('eth_sendRawTransaction/send-blob-tx')
  const raw = decodeHex(request.params?.[0] as Hex)

  beforeAll(async () => {
    rules = await createRules(readGenesis(readExecutionApisGenesis()))
  })

  it('has the published hash without its blobs', () => {
    const decoded = decodeTransaction(rules, raw)
    expect(decoded.hash).toBe(response.result)
    expect(decoded.type).toBe(3)
  })

  it('is refused with another blob', () => {
    const changed = Uint8Array.from(raw)
    const at = Math.floor(changed.length / 2)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => decodeTransaction(rules, changed)).toThrow(
      new TransactionError('invalid blob proof'),
    )
    expect(encodeHex(changed.subarray(0, 20))).toBe(encodeHex(raw.subarray(0, 20)))
  })
})

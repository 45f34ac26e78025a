import { createMerkleProof, createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { beforeAll, expect, it } from 'vitest'
import { encodeHex, formatQuantity, type Hex } from '../codec/hex.ts'
import { keccak256, loadCrypto } from '../engine/crypto.ts'
import { verifyAccount, verifySlots } from './proof.ts'

/** Tries of EthereumJS's, and proofs of it. */
const COUNT = 300
const addressOf = (index: number): Hex =>
  encodeHex(keccak256(Uint8Array.of(index >> 8, index)).subarray(12))
const slotOf = (index: number): Hex => `0x${index.toString(16).padStart(64, '0')}`
const CODE_HASH: Hex = `0x${'c0'.repeat(32)}`
const bytes = (hex: Hex) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))

let stateRoot: Hex
let storageRoot: Hex
let prove: (index: number, slots: readonly number[]) => Promise<Record<string, unknown>>

beforeAll(async () => {
  await loadCrypto({ blobs: false })
  const storage = await createMPT({ useKeyHashing: true })
  for (let i = 0; i < COUNT; i++) {
    await storage.put(bytes(slotOf(i)), RLP.encode(i === 0 ? 1n : 2n ** BigInt(i % 250)))
  }
  storageRoot = encodeHex(storage.root())
  const state = await createMPT({ useKeyHashing: true })
  for (let i = 0; i < COUNT; i++) {
    const account = [BigInt(i), 10n ** 18n + BigInt(i), storage.root(), bytes(CODE_HASH)]
    await state.put(bytes(addressOf(i)), RLP.encode(account))
  }
  stateRoot = encodeHex(state.root())
  prove = async (index, slots) => ({
    accountProof: (await createMerkleProof(state, bytes(addressOf(index)))).map(encodeHex),
    balance: index < COUNT ? formatQuantity(10n ** 18n + BigInt(index)) : '0x0',
    nonce: index < COUNT ? formatQuantity(index) : '0x0',
    codeHash: index < COUNT ? CODE_HASH : `0x${'00'.repeat(32)}`,
    storageHash: index < COUNT ? storageRoot : `0x${'00'.repeat(32)}`,
    storageProof: await Promise.all(
      slots.map(async slot => ({
        key: slotOf(slot),
        value: slot < COUNT ? formatQuantity(slot === 0 ? 1n : 2n ** BigInt(slot % 250)) : '0x0',
        proof: (await createMerkleProof(storage, bytes(slotOf(slot)))).map(encodeHex),
      })),
    ),
  })
})

const block = () => ({ number: 9n, stateRoot })

it('accounts and slots are proven that are there, and that are not', async () => {
  for (const index of [0, 1, 17, 299, 300, 1_000]) {
    const account = verifyAccount(block(), addressOf(index), await prove(index, []))
    expect(account.balance).toBe(index < COUNT ? 10n ** 18n + BigInt(index) : 0n)
    expect(account.nonce).toBe(index < COUNT ? BigInt(index) : 0n)
  }
  const slots = [0, 1, 17, 299, 300, 5_000]
  const values = verifySlots(block(), addressOf(3), slots.map(slotOf), await prove(3, slots))
  expect(values.map(encodeHex)).toEqual([
    '0x01',
    '0x02',
    '0x020000',
    `0x02${'00'.repeat(6)}`,
    '0x',
    '0x',
  ])
})

it('a proof of another account, of another slot or in another state is refused', async () => {
  const proof = await prove(3, [5])
  expect(() => verifyAccount(block(), addressOf(4), proof)).toThrow(/does not lead|is not what/)
  const other = { number: 9n, stateRoot: storageRoot }
  expect(() => verifyAccount(other, addressOf(3), proof)).toThrow('does not lead there')
  expect(() => verifySlots(block(), addressOf(3), [slotOf(6)], proof)).toThrow(
    /does not lead|is not what/,
  )
  expect(() => verifySlots(block(), addressOf(3), [slotOf(5), slotOf(6)], proof)).toThrow(
    'eth_getProof.storageProof has 1 slots of 2',
  )
})

it('no byte of a proof can be another', async () => {
  const proof = await prove(3, [5])
  const nodes = proof.accountProof as Hex[]
  for (const [index, node] of nodes.entries()) {
    for (let at = 2; at < node.length; at += 97) {
      const digit = node[at] === '0' ? '1' : '0'
      const changed = [...nodes]
      changed[index] = `${node.slice(0, at)}${digit}${node.slice(at + 1)}` as Hex
      expect(() =>
        verifyAccount(block(), addressOf(3), { ...proof, accountProof: changed }),
      ).toThrow('does not lead there')
    }
  }
})

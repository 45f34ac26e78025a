import { createMPT, MerklePatriciaTrie, verifyMerkleProof } from '@ethereumjs/mpt'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Account, type Address, createAddressFromBigInt } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../../testing/campaigns.ts'
import { createStateMemory } from '../../testing/state-memory.ts'
import type { StateWrite } from '../block.ts'
import { keccak256 } from '../crypto.ts'
import { createState, type State } from './state.ts'
import { createStateManager } from './state-manager.ts'
import { createStateReader, EMPTY_CODE_HASH, EMPTY_ROOT } from './state-reader.ts'
import { isStored } from './stored-state.ts'
import { updateTrie } from './trie-update.ts'

/** Amounts of random sequences: more with CHAIN_NODE_FUZZ set. */
const { count: RUNS } = campaign('changes of a trie')

describe('updateTrie', () => {
  const key = fc.integer({ min: 0, max: 60 })
  const change = fc.record({
    key,
    value: fc.option(fc.uint8Array({ minLength: 1, maxLength: 70 })),
  })

  it('gives the root of @ethereumjs/mpt after puts and deletions, block after block', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 8 }),
        fc.boolean(),
        async (blocks, isNarrow) => {
          const trie = new MerklePatriciaTrie({ useKeyHashing: false })
          const memory = createStateMemory()
          let root: Uint8Array | null = null
          for (const block of blocks) {
            const writes: StateWrite[] = []
            const reader = createStateReader(memory.source, keccak256)
            const changes = []
            for (const { key, value } of block) {
              const bytes = isNarrow
                ? Uint8Array.of(key >> 3, key & 7)
                : keccak256(Uint8Array.of(key))
              if (value === null) await trie.del(bytes)
              else await trie.put(bytes, value)
              changes.push({ path: nibbles(bytes), value })
            }
            root = updateTrie(reader, root, changes, writes)
            memory.store(writes)
            expect(root ?? EMPTY_ROOT).toEqual(trie.root())
          }
        },
      ),
      { numRuns: RUNS },
    )
  })
})

describe('isStored', () => {
  it('is true of a state alone that has all its nodes and all its code', async () => {
    const memory = createStateMemory()
    const state = createState(createStateReader(memory.source, keccak256), EMPTY_ROOT)
    for (let i = 1; i < 30; i++) {
      const address = createAddressFromBigInt(BigInt(i)).bytes
      state.writeAccount(address, 1n, BigInt(i), EMPTY_CODE_HASH)
      if (i % 3 === 0) state.writeCode(address, Uint8Array.of(1, i))
      for (let slot = 0; slot < i; slot++) state.writeSlot(address, word(slot), Uint8Array.of(i))
    }
    const writes: StateWrite[] = []
    const root = state.computeRoot(writes)
    memory.store(writes)
    expect(isStored(memory.source, root)).toBe(true)
    expect(isStored(memory.source, EMPTY_ROOT)).toBe(true)
    for (const { hash } of writes) {
      const isOther = (asked: Uint8Array) => Buffer.compare(asked, hash) !== 0
      const without = {
        get: (asked: Uint8Array) => (isOther(asked) ? memory.source.get(asked) : undefined),
      }
      expect(isStored(without, root)).toBe(false)
    }
  })
})

describe('createStateReader', () => {
  it('proves to @ethereumjs/mpt what is in a trie and what is not', async () => {
    const memory = createStateMemory()
    const reader = createStateReader(memory.source, keccak256)
    const key = fc.integer({ min: 0, max: 40 }).map(number => Uint8Array.of(number))
    const value = fc.uint8Array({ minLength: 1, maxLength: 70 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(key, value), { maxLength: 30 }),
        key,
        async (all, asked) => {
          const writes: StateWrite[] = []
          const known = new Map(all.map(([key, value]) => [key[0], { key, value }]))
          const changes = [...known.values()].map(({ key, value }) => ({
            path: reader.path(key),
            value,
          }))
          const root = updateTrie(reader, null, changes, writes)
          memory.store(writes)
          const proof = reader.prove(root ?? EMPTY_ROOT, asked)
          if (root === null) expect(proof).toEqual([])
          else {
            const options = { useKeyHashing: true, root }
            const found = await verifyMerkleProof(asked, proof, options)
            expect(found).toEqual(known.get(asked[0])?.value ?? null)
          }
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('reads what @ethereumjs/statemanager wrote', async () => {
    const trie = await createMPT({ useKeyHashing: true })
    const theirs = new MerkleStateManager({ trie, prefixCodeHashes: false })
    for (let i = 1n; i < 40n; i++) {
      const address = createAddressFromBigInt(i)
      await theirs.putAccount(address, new Account(i, i * 10n ** 18n))
      if (i % 3n === 0n) await theirs.putCode(address, Uint8Array.of(1, Number(i)))
      for (let slot = 0; slot < Number(i % 20n); slot++) {
        await theirs.putStorage(address, word(slot), Uint8Array.of(slot + 1, Number(i)))
      }
    }
    await theirs.flush()
    const root = await theirs.getStateRoot()
    const database = trie.database()
    const found = new Map<string, Uint8Array>()
    for (const [hash, bytes] of (
      database.db as unknown as { _database: Map<string, Uint8Array | string> }
    )._database) {
      found.set(hash, typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bytes)
    }
    const reader = createStateReader(
      { get: hash => found.get(Buffer.from(hash).toString('hex')) },
      keccak256,
    )
    for (let i = 0n; i < 45n; i++) {
      const address = createAddressFromBigInt(i)
      const expected = await theirs.getAccount(address)
      const account = reader.readAccount(root, address.bytes)
      if (expected === undefined) {
        expect(account).toBeNull()
        continue
      }
      expect(account).toEqual({
        nonce: expected.nonce,
        balance: expected.balance,
        storageRoot: expected.storageRoot,
        codeHash: expected.codeHash,
      })
      expect(reader.readCode(expected.codeHash)).toEqual(await theirs.getCode(address))
      for (let slot = 0; slot < 21; slot++) {
        const value = reader.readStorage(expected.storageRoot, word(slot))
        expect(value).toEqual(await theirs.getStorage(address, word(slot)))
      }
    }
  })

  it('says what is missing', () => {
    const reader = createStateReader({ get: () => undefined }, keccak256)
    const root = new Uint8Array(32).fill(7)
    expect(() => reader.readAccount(root, new Uint8Array(20))).toThrow(
      `The state has no node of a trie ${'07'.repeat(32)}`,
    )
  })
})

type Operation =
  | { kind: 'put'; who: number; nonce: number; balance: number }
  | { kind: 'delete'; who: number }
  | { kind: 'code'; who: number; code: Uint8Array }
  | { kind: 'store'; who: number; slot: number; value: Uint8Array }
  | { kind: 'clear'; who: number }
  | { kind: 'checkpoint' }
  | { kind: 'commit' }
  | { kind: 'revert' }

describe('createState', () => {
  const who = fc.integer({ min: 1, max: 6 })
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    fc.record({ kind: fc.constant('put' as const), who, nonce: fc.nat(3), balance: fc.nat(300) }),
    fc.record({ kind: fc.constant('delete' as const), who }),
    fc.record({ kind: fc.constant('code' as const), who, code: fc.uint8Array({ maxLength: 40 }) }),
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('store' as const),
        who,
        slot: fc.nat(5),
        value: fc.uint8Array({ maxLength: 32 }),
      }),
    },
    fc.record({ kind: fc.constant('clear' as const), who }),
    fc.constant({ kind: 'checkpoint' as const }),
    fc.constant({ kind: 'commit' as const }),
    fc.constant({ kind: 'revert' as const }),
  )

  it('comes to the roots of MerkleStateManager, block after block', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { maxLength: 30 }), { maxLength: 5 }),
        async blocks => {
          const theirs = new MerkleStateManager()
          const memory = createStateMemory()
          let root = EMPTY_ROOT
          for (const block of blocks) {
            const reader = createStateReader(memory.source, keccak256)
            const ours = createState(reader, root)
            await runBoth(ours, theirs, block)
            const writes: StateWrite[] = []
            root = ours.computeRoot(writes)
            memory.store(writes)
            expect(root).toEqual(await theirs.getStateRoot())
          }
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('reads the root of a block again, with the code that came', () => {
    const memory = createStateMemory()
    const state = createState(createStateReader(memory.source, keccak256), EMPTY_ROOT)
    const address = createAddressFromBigInt(9n).bytes
    state.writeAccount(address, 1n, 2n, keccak256(new Uint8Array(0)))
    state.writeCode(address, Uint8Array.of(0x60, 0x00))
    state.writeSlot(address, word(1), Uint8Array.of(5))
    const writes: StateWrite[] = []
    const root = state.computeRoot(writes)
    memory.store(writes)
    const again = createState(createStateReader(memory.source, keccak256), root)
    expect(again.readCode(address)).toEqual(Uint8Array.of(0x60, 0x00))
    expect(again.readSlot(address, word(1))).toEqual(Uint8Array.of(5))
    expect(again.readSlot(address, word(2))).toEqual(new Uint8Array(0))
    expect(again.computeRoot([])).toEqual(root)
  })
})

async function runBoth(ours: State, theirs: MerkleStateManager, operations: Operation[]) {
  const manager = createStateManager(ours)
  let depth = 0
  for (const operation of operations) {
    if (operation.kind === 'checkpoint') {
      depth++
      await Promise.all([manager.checkpoint(), theirs.checkpoint()])
    } else if (operation.kind === 'commit' || operation.kind === 'revert') {
      if (depth === 0) continue
      depth--
      await Promise.all([manager[operation.kind](), theirs[operation.kind]()])
    } else {
      const address = createAddressFromBigInt(BigInt(operation.who))
      for (const side of [manager, theirs]) await change(side, address, operation)
      const expected = await theirs.getAccount(address)
      const account = await manager.getAccount(address)
      expect(account?.balance).toBe(expected?.balance)
      expect(account?.codeHash).toEqual(expected?.codeHash)
      if (expected === undefined) continue
      for (let slot = 0; slot < 6; slot++) {
        expect(await manager.getStorage(address, word(slot))).toEqual(
          await theirs.getStorage(address, word(slot)),
        )
      }
    }
  }
  for (; depth > 0; depth--) await Promise.all([manager.commit(), theirs.commit()])
}

async function change(
  side: ReturnType<typeof createStateManager>,
  address: Address,
  operation: Extract<Operation, { who: number }>,
) {
  const account = await side.getAccount(address)
  switch (operation.kind) {
    case 'put': {
      const { nonce, balance } = operation
      const put = account ?? new Account()
      put.nonce = BigInt(nonce)
      put.balance = BigInt(balance)
      return side.putAccount(address, put)
    }
    case 'delete':
      if (account !== undefined) await side.clearStorage(address)
      return side.deleteAccount(address)
    case 'code':
      return side.putCode(address, operation.code)
    case 'store':
      if (account === undefined) return
      return side.putStorage(address, word(operation.slot), operation.value)
    case 'clear':
      if (account === undefined) return
      return side.clearStorage(address)
  }
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(32)
  bytes[31] = value
  return bytes
}

function nibbles(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes].flatMap(byte => [byte >> 4, byte & 15]))
}

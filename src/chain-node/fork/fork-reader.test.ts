import { beforeAll, describe, expect, it } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import type { StateWrite } from '../engine/block.ts'
import { toBytes } from '../engine/block-environment.ts'
import { keccak256, loadCrypto } from '../engine/crypto.ts'
import { createState, type State } from '../engine/state/state.ts'
import {
  createStateReader,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  type StateReader,
} from '../engine/state/state-reader.ts'
import { stateKey } from '../store/keys.ts'
import { createMemoryStore, type MemoryStore } from '../testing/memory-store.ts'
import { createForkReader } from './fork-reader.ts'
import { MissingStateError } from './missing-state.ts'
import { createRemoteValues, type RemoteValues } from './remote-values.ts'

const TOKEN: Hex = `0x${'70'.repeat(20)}`
const NOBODY: Hex = `0x${'0b'.repeat(20)}`
const CODE = Uint8Array.of(0x60, 0x01)
const slotOf = (index: number): Hex => `0x${index.toString(16).padStart(64, '0')}`

let store: MemoryStore
let values: RemoteValues
let reader: StateReader

/** The remote has a contract with 0 to 9 in its first ten slots, and nobody at another address. */
beforeAll(async () => {
  await loadCrypto({ blobs: false })
  store = createMemoryStore()
  values = createRemoteValues(store)
  reader = openReader()
  const nothing = { nonce: 0n, balance: 0n, code: new Uint8Array(), hasStorage: false }
  await values.keep({
    accounts: [
      { address: TOKEN, nonce: 1n, balance: 5n, code: CODE, hasStorage: true },
      { address: NOBODY, ...nothing },
    ],
    slots: Array.from({ length: 10 }, (_, index) => ({
      address: TOKEN,
      slot: slotOf(index),
      value: index === 0 ? new Uint8Array() : Uint8Array.of(index),
    })),
  })
})

function openReader(): StateReader {
  const source = { get: (hash: Uint8Array) => store.get(stateKey(hash)) }
  return createForkReader(createStateReader(source, keccak256), createRemoteValues(store))
}

/** The state after each of the changes, every one of which is written and read anew. */
async function apply(...changes: ((state: State) => void)[]): Promise<State> {
  let root = EMPTY_ROOT
  for (const change of changes) {
    const state = createState(openReader(), root)
    change(state)
    const writes: StateWrite[] = []
    root = state.computeRoot(writes)
    await store.write(writes.map(({ hash, bytes }) => ({ key: stateKey(hash), value: bytes })))
  }
  return createState(openReader(), root)
}

const token = () => toBytes(TOKEN)
const slot = (index: number) => toBytes(slotOf(index))
const readSlots = (state: State) =>
  [0, 1, 2, 3].map(index => Number(state.readSlot(token(), slot(index))[0] ?? 0))

describe('a state over that of a remote chain', () => {
  it('is the remote’s as long as nothing was written', async () => {
    const state = await apply()
    expect(state.readAccount(token())).toMatchObject({ nonce: 1n, balance: 5n })
    expect(state.readCode(token())).toEqual(CODE)
    expect(readSlots(state)).toEqual([0, 1, 2, 3])
    expect(state.readAccount(toBytes(NOBODY))).toBeNull()
  })

  it('says what is not fetched yet', async () => {
    const state = await apply()
    const address: Hex = `0x${'99'.repeat(20)}`
    const catchMissing = (read: () => unknown) => {
      try {
        return read()
      } catch (error) {
        return error instanceof MissingStateError && error.missing
      }
    }
    expect(catchMissing(() => state.readAccount(toBytes(address)))).toEqual({
      kind: 'account',
      address,
    })
    expect(catchMissing(() => state.readSlot(token(), slot(99)))).toEqual({
      kind: 'slot',
      address: TOKEN,
      slot: slotOf(99),
    })
  })

  it('keeps slots that were written, and cleared, and has the remote’s others', async () => {
    const state = await apply(
      one => one.writeSlot(token(), slot(1), Uint8Array.of(7)),
      one => one.writeSlot(token(), slot(2), new Uint8Array()),
      // One that was never read is not fetched to be written.
      one => one.writeSlot(token(), slot(99), Uint8Array.of(1)),
    )
    expect(readSlots(state)).toEqual([0, 7, 0, 3])
    expect(state.readAccount(token())).toMatchObject({ nonce: 1n, balance: 5n })
  })

  it('has nothing of a storage that was cleared', async () => {
    const state = await apply(
      one => one.writeSlot(token(), slot(1), Uint8Array.of(7)),
      one => one.clearStorage(token()),
      one => one.writeSlot(token(), slot(3), Uint8Array.of(8)),
    )
    expect(readSlots(state)).toEqual([0, 0, 0, 8])
    expect(state.readSlot(token(), slot(99))).toEqual(new Uint8Array())
    expect(state.readCode(token())).toEqual(CODE)
  })

  it('has no account that was deleted, and a new one in its place has nothing of it', async () => {
    const remove = (one: State) => one.deleteAccount(token())
    const create = (one: State) => one.writeAccount(token(), 1n, 2n, EMPTY_CODE_HASH)
    const gone = await apply(remove)
    expect(gone.readAccount(token())).toBeNull()
    expect(gone.readCode(token())).toEqual(new Uint8Array())
    expect(readSlots(gone)).toEqual([0, 0, 0, 0])
    for (const changes of [
      [remove, create],
      [(one: State) => [remove, create].map(go => go(one))],
    ]) {
      const state = await apply(...changes)
      expect(state.readAccount(token())).toMatchObject({ nonce: 1n, balance: 2n })
      expect(state.readCode(token())).toEqual(new Uint8Array())
      expect(readSlots(state)).toEqual([0, 0, 0, 0])
    }
  })

  it('takes a deletion back', async () => {
    const state = createState(reader, EMPTY_ROOT)
    state.checkpoint()
    state.deleteAccount(token())
    expect(readSlots(state)).toEqual([0, 0, 0, 0])
    state.revert()
    expect(readSlots(state)).toEqual([0, 1, 2, 3])
    expect(state.computeRoot([])).toEqual(EMPTY_ROOT)
  })
})

import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { StateWrite } from '../block.ts'
import { toBytes } from '../block-environment.ts'
import type { AccountChange, StateChange } from '../engine.ts'
import { createState } from './state.ts'
import { EMPTY_CODE_HASH, type StateReader } from './state-reader.ts'

/** The state of a root with one account changed. An account that is empty afterwards is there all the same, as after a genesis. */
export function changeAccount(
  reader: StateReader,
  stateRoot: Hex,
  account: Hex,
  change: AccountChange,
): StateChange {
  const state = createState(reader, toBytes(stateRoot))
  const address = toBytes(account)
  const before = state.readAccount(address)
  state.writeAccount(
    address,
    change.nonce ?? before?.nonce ?? 0n,
    change.balance ?? before?.balance ?? 0n,
    before?.codeHash ?? EMPTY_CODE_HASH,
  )
  if (change.code !== undefined) state.writeCode(address, change.code)
  if (change.slot !== undefined) {
    const { key, value } = change.slot
    const start = value.findIndex(byte => byte !== 0)
    state.writeSlot(address, key, start < 0 ? new Uint8Array() : value.subarray(start))
  }
  const writes: StateWrite[] = []
  return { stateRoot: encodeHex(state.computeRoot(writes)), writes }
}

import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { StateWrite } from '../block.ts'
import { toBytes } from '../block-environment.ts'
import type { StateChange, StateOverrides } from '../engine.ts'
import { createState, type State } from './state.ts'
import { EMPTY_CODE_HASH, type StateReader } from './state-reader.ts'

/** Puts the overrides over the state. */
export function applyOverrides(state: State, overrides: StateOverrides): void {
  for (const [hex, override] of overrides) {
    const address = toBytes(hex)
    const account = state.readAccount(address)
    state.writeAccount(
      address,
      override.nonce ?? account?.nonce ?? 0n,
      override.balance ?? account?.balance ?? 0n,
      account?.codeHash ?? EMPTY_CODE_HASH,
    )
    if (override.code !== undefined) state.writeCode(address, override.code)
    if (override.state !== undefined) state.clearStorage(address)
    for (const [slot, value] of override.state ?? override.stateDiff ?? []) {
      const bytes = toBytes(value)
      const start = bytes.findIndex(byte => byte !== 0)
      state.writeSlot(address, toBytes(slot), start < 0 ? new Uint8Array(0) : bytes.subarray(start))
    }
  }
}

/** The state of a root with overrides in it. An account that is empty then is there all the same, as after a genesis. */
export function changeState(
  reader: StateReader,
  stateRoot: Hex,
  overrides: StateOverrides,
): StateChange {
  const state = createState(reader, toBytes(stateRoot))
  applyOverrides(state, overrides)
  const writes: StateWrite[] = []
  return { stateRoot: encodeHex(state.computeRoot(writes)), writes }
}

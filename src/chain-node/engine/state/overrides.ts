import { toChecksumAddress } from '@ethereumjs/util'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import type { StateWrite } from '../block.ts'
import { toBytes } from '../block-environment.ts'
import { CallError, type StateChange, type StateOverrides } from '../engine.ts'
import type { Machine } from '../machine.ts'
import { createState, type State } from './state.ts'
import { EMPTY_CODE_HASH, type StateReader } from './state-reader.ts'

/** Puts the overrides over the state of a machine, and takes precompiled contracts away from where they are overridden. */
export function applyOverrides(machine: Machine, overrides: StateOverrides): void {
  movePrecompiles(machine, overrides)
  overrideState(machine.state, overrides)
}

/** As geth does it: in the order of the addresses. Throws `CallError` where one cannot be moved. */
function movePrecompiles(machine: Machine, overrides: StateOverrides): void {
  const { precompiles } = machine.evm
  const targets = new Set<Hex>()
  for (const address of [...overrides.keys()].sort()) {
    if (targets.has(address)) {
      const who = toChecksumAddress(address)
      throw new CallError(`account ${who} has already been overridden by a precompile`, null)
    }
    const target = overrides.get(address)?.movePrecompileTo
    const precompile = precompiles.get(address.slice(2))
    if (target !== undefined) {
      if (precompile === undefined) {
        throw new CallError(`account ${toChecksumAddress(address)} is not a precompile`, null)
      }
      if (overrides.has(target)) {
        throw new CallError(`account ${toChecksumAddress(target)} is already overridden`, null)
      }
      machine.hasOwnPrecompiles = false
      precompiles.set(target.slice(2), precompile)
      targets.add(target)
    }
    if (precompile === undefined) continue
    machine.hasOwnPrecompiles = false
    precompiles.delete(address.slice(2))
  }
}

function overrideState(state: State, overrides: StateOverrides): void {
  for (const [hex, override] of overrides) {
    const { balance, nonce, code, state: slots, stateDiff } = override
    if ((balance ?? nonce ?? code ?? slots ?? stateDiff) === undefined) continue
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
  overrideState(state, overrides)
  const writes: StateWrite[] = []
  return { stateRoot: encodeHex(state.computeRoot(writes)), writes }
}

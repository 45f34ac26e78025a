import { EVMError } from '@ethereumjs/evm'
import { GasError, OpcodeError } from '../call-error.ts'
import type { OpcodeTable } from '../opcode-table.ts'
import { equalBytes } from '../state/state-reader.ts'
import type { RunState } from './frame.ts'

const { errorMessages } = EVMError

/**
 * Stores a value and gives what that costs, by EIP-2200 with the changes of EIP-2929 and EIP-3529. Throws in a static frame, and
 * where too little gas is left for it whatever is stored.
 *
 * @param slot - 32 bytes
 * @param value - without leading zeros
 */
export function storeSlot(
  state: RunState,
  table: OpcodeTable,
  gasLeft: number,
  slot: Uint8Array,
  value: Uint8Array,
): number {
  const { store: prices, hasColdAccess, coldSload } = table
  if (prices === null) throw new Error('SSTORE has other prices before Istanbul')
  // geth looks at both while it reckons the gas.
  if (state.env.isStatic) {
    throw new OpcodeError(errorMessages.STATIC_STATE_CHANGE, 'out of gas: write protection')
  }
  if (gasLeft <= prices.sentry) {
    throw new GasError('out of gas: not enough gas for reentrancy sentry')
  }
  const { address } = state.env
  // The state manager is ours, and does not wait.
  const manager = state.stateManager as unknown as SyncStorage
  const current = manager.getStorage(address, slot)
  const original = manager.originalStorageCache.get(address, slot)
  let gas = 0
  if (hasColdAccess) {
    const { journal } = state.interpreter
    if (!journal.isWarmedStorage(address.bytes, slot)) {
      journal.addWarmedStorage(address.bytes, slot)
      gas = coldSload
    }
  }
  if (equalBytes(current, value)) return gas + prices.noop
  manager.putStorage(address, slot, value)
  if (equalBytes(original, current)) {
    if (original.length === 0) return gas + prices.init
    if (value.length === 0) state.gasRefund += prices.clearRefund
    return gas + prices.clean
  }
  if (original.length > 0) {
    if (current.length === 0) takeRefund(state, prices.clearRefund)
    else if (value.length === 0) state.gasRefund += prices.clearRefund
  }
  if (equalBytes(original, value)) {
    state.gasRefund += original.length === 0 ? prices.initRefund : prices.cleanRefund
  }
  return gas + prices.dirty
}

function takeRefund(state: RunState, amount: bigint): void {
  if (state.gasRefund < amount) throw new EVMError(errorMessages.REFUND_EXHAUSTED)
  state.gasRefund -= amount
}

type Place = RunState['env']['address']

interface SyncStorage {
  getStorage(address: Place, slot: Uint8Array): Uint8Array
  putStorage(address: Place, slot: Uint8Array, value: Uint8Array): void
  readonly originalStorageCache: { get(address: Place, slot: Uint8Array): Uint8Array }
}

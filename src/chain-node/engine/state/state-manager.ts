import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address } from '@ethereumjs/util'
import type { State } from './state.ts'
import { EMPTY_CODE_HASH } from './state-reader.ts'

/**
 * The state as EthereumJS takes it. Nothing here waits: what EthereumJS awaits is there at once, and making promises of it
 * would be a third of the time of a call.
 */
export function createStateManager(state: State): StateManagerInterface {
  function getAccount(address: Address): Account | undefined {
    const record = state.readAccount(address.bytes)
    if (record === null) return undefined
    return new Account(record.nonce, record.balance, record.storageRoot, record.codeHash)
  }

  function putAccount(address: Address, account: Account | undefined): void {
    if (account === undefined) state.deleteAccount(address.bytes)
    else state.writeAccount(address.bytes, account.nonce, account.balance, account.codeHash)
  }

  const manager = {
    getAccount,
    putAccount,
    deleteAccount: (address: Address) => state.deleteAccount(address.bytes),
    modifyAccountFields(address: Address, fields: AccountFields): void {
      const record = state.readAccount(address.bytes)
      state.writeAccount(
        address.bytes,
        fields.nonce ?? record?.nonce ?? 0n,
        fields.balance ?? record?.balance ?? 0n,
        fields.codeHash ?? record?.codeHash ?? EMPTY_CODE_HASH,
      )
    },
    putCode: (address: Address, code: Uint8Array) => state.writeCode(address.bytes, code),
    getCode: (address: Address) => state.readCode(address.bytes),
    getCodeSize: (address: Address) => state.readCode(address.bytes).length,
    getStorage: (address: Address, slot: Uint8Array) => state.readSlot(address.bytes, slot),
    putStorage: (address: Address, slot: Uint8Array, value: Uint8Array) =>
      state.writeSlot(address.bytes, slot, trim(value)),
    clearStorage: (address: Address) => state.clearStorage(address.bytes),
    checkpoint: () => state.checkpoint(),
    commit: () => state.commit(),
    revert: () => state.revert(),
    getStateRoot: () => state.computeRoot([]),
    setStateRoot: (root: Uint8Array) => state.reset(root),
    hasStateRoot: () => true,
    originalStorageCache: {
      get: (address: Address, slot: Uint8Array) => state.readOriginalSlot(address.bytes, slot),
      clear: () => state.clearOriginals(),
    },
    clearCaches: () => {},
    shallowCopy(): never {
      throw new Error('The state of a machine cannot be copied')
    },
  }
  return manager as unknown as StateManagerInterface
}

function trim(value: Uint8Array): Uint8Array {
  let start = 0
  while (start < value.length && value[start] === 0) start++
  return start === 0 ? value : value.subarray(start)
}

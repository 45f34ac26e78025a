import type { Chain } from '../chain/chain.ts'
import { encodeHex, type Hex } from '../codec/hex.ts'
import {
  readAddress,
  readBoolean,
  readData,
  readHash,
  readQuantity,
  readStorageSlot,
  readUint64,
} from '../codec/parameters.ts'
import type { AccountOverride, Engine } from '../engine/engine.ts'
import type { Producer } from '../producer/producer.ts'
import { defineMethod, type MethodTable, required } from '../rpc/method.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import type { Impersonation } from './impersonation.ts'
import { nameTwice } from './two-names.ts'

export interface AccountServices {
  readonly chain: Pick<Chain, 'head' | 'changeState'>
  readonly engine: Pick<Engine, 'changeState' | 'readAccount'>
  readonly producer: Pick<Producer, 'betweenBlocks' | 'setMiner'>
  readonly impersonation: Impersonation
}

/** What changes accounts at the head without a transaction, and sends from those whose key nobody has. */
export function listAccountMethods(services: AccountServices): MethodTable {
  const { chain, engine, producer, impersonation } = services

  function change(address: Hex, choose: (stateRoot: Hex) => AccountOverride): Promise<void> {
    return producer.betweenBlocks(() => {
      const { stateRoot } = chain.head()
      const overrides = new Map([[address, choose(stateRoot)]])
      return chain.changeState(engine.changeState(stateRoot, overrides))
    })
  }

  function assertNotUsed(stateRoot: Hex, address: Hex, nonce: bigint): void {
    const current = engine.readAccount(stateRoot, address)?.nonce ?? 0n
    if (nonce >= current) return
    throw new RpcError(
      SERVER_ERROR,
      `the nonce ${nonce} is less than that of the account, ${current}, and would be used twice`,
    )
  }

  const setBalance = defineMethod(
    [required(readAddress), required(readQuantity)],
    ([address, balance]) => change(address, () => ({ balance })),
  )
  const setNonce = defineMethod([required(readAddress), required(readUint64)], ([address, nonce]) =>
    change(address, stateRoot => {
      assertNotUsed(stateRoot, address, nonce)
      return { nonce }
    }),
  )
  const setCode = defineMethod([required(readAddress), required(readData)], ([address, code]) =>
    change(address, () => ({ code })),
  )
  const setStorageAt = defineMethod(
    [required(readAddress), required(readStorageSlot), required(readHash)],
    ([address, slot, value]) =>
      change(address, () => ({ stateDiff: new Map([[encodeHex(slot), value]]) })),
  )
  const setCoinbase = defineMethod([required(readAddress)], ([address]) =>
    producer.setMiner(address),
  )
  const impersonateAccount = defineMethod([required(readAddress)], ([address]) =>
    impersonation.add(address),
  )

  return {
    ...nameTwice('setBalance', setBalance),
    ...nameTwice('setNonce', setNonce),
    ...nameTwice('setCode', setCode),
    ...nameTwice('setStorageAt', setStorageAt, true),
    ...nameTwice('setCoinbase', setCoinbase),
    ...nameTwice('impersonateAccount', impersonateAccount),
    hardhat_stopImpersonatingAccount: defineMethod([required(readAddress)], ([address]) =>
      impersonation.remove(address),
    ),
    anvil_stopImpersonatingAccount: defineMethod([required(readAddress)], ([address]) => {
      impersonation.remove(address)
      return null
    }),
    anvil_autoImpersonateAccount: defineMethod([required(readBoolean)], ([isOn]) => {
      impersonation.setAll(isOn)
      return null
    }),
  }
}

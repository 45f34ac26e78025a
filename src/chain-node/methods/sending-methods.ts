import type { Chain } from '../chain/chain.ts'
import { formatQuantity, type Hex } from '../codec/hex.ts'
import { readData, readString } from '../codec/parameters.ts'
import { readSendObject, type SendObject } from '../codec/send-object.ts'
import type { Engine } from '../engine/engine.ts'
import type { Keystore } from '../keystore/keystore.ts'
import type { Pool } from '../pool/pool.ts'
import type { Producer } from '../producer/producer.ts'
import { defineMethod, type MethodTable, required } from '../rpc/method.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import type { GasPriceOracle } from '../sending/gas-price.ts'
import { createSending, type FullSendObject, type SendingEngine } from '../sending/sending.ts'

export interface SendingServices {
  readonly chain: Pick<Chain, 'head'>
  readonly engine: SendingEngine & Pick<Engine, 'decodeTransactionAside'>
  readonly pool: Pick<Pool, 'add' | 'nextNonce'>
  readonly producer: Pick<Producer, 'settle' | 'describeNext'>
  readonly keystore: Pick<Keystore, 'withUnlocked' | 'withPassphrase'>
  readonly oracle: GasPriceOracle
  /** Whether a node for development sends for this account without a signature. */
  readonly isImpersonated: (address: Hex) => boolean
  /** Whether signatures are taken that hold on every chain (before EIP-155). */
  readonly unprotected: boolean
}

/**
 * Transactions in. Those of this node's accounts are local to the pool, signed ones from anywhere are remote. What reverts is
 * taken and mined as any other, with status 0.
 */
export function listSendingMethods(services: SendingServices): MethodTable {
  const { engine, keystore, oracle } = services
  const sending = createSending(services)
  const estimate = async (object: SendObject): Promise<FullSendObject> => ({
    ...object,
    gas: await sending.estimateGas(object),
  })
  return {
    eth_gasPrice: defineMethod([], () => formatQuantity(oracle.suggestPrice())),

    eth_sendRawTransaction: defineMethod([required(readData)], async ([raw]) => {
      const transaction = await engine.decodeTransactionAside(raw)
      if (transaction.chainId === null && !services.unprotected) {
        throw new RpcError(
          SERVER_ERROR,
          'only replay-protected (EIP-155) transactions allowed over RPC',
        )
      }
      return sending.submit(transaction, 'remote')
    }),

    eth_sendTransaction: defineMethod([required(readSendObject)], async ([object]) => {
      const { from } = object
      const isImpersonated = services.isImpersonated(from)
      // Whoever may not send is told so, and not what the transaction would do.
      if (!hasGas(object) && !isImpersonated) keystore.withUnlocked(from, () => {})
      const full = hasGas(object) ? object : await estimate(object)
      return isImpersonated
        ? sending.impersonateAndSubmit(full)
        : keystore.withUnlocked(from, key => sending.signAndSubmit(full, key))
    }),

    personal_sendTransaction: defineMethod(
      [required(readSendObject), required(readString)],
      async ([object, passphrase]) => {
        const full = hasGas(object) ? object : await estimate(object)
        // In an object, so that the key store does not wait for the block with the key in its hand.
        const { sent } = await keystore.withPassphrase(object.from, passphrase, key => {
          const sent = sending.signAndSubmit(full, key)
          sent.catch(() => {})
          return { sent }
        })
        return sent
      },
    ),
  }
}

function hasGas(object: SendObject): object is FullSendObject {
  return object.gas !== null
}

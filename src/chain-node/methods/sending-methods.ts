import type { Chain } from '../chain/chain.ts'
import { formatQuantity, type Hex } from '../codec/hex.ts'
import { readData, readString } from '../codec/parameters.ts'
import { readSendObject } from '../codec/send-object.ts'
import type { Engine } from '../engine/engine.ts'
import type { Keystore } from '../keystore/keystore.ts'
import type { Pool } from '../pool/pool.ts'
import type { Producer } from '../producer/producer.ts'
import { defineMethod, type MethodTable, required } from '../rpc/method.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import type { GasPriceOracle } from '../sending/gas-price.ts'
import { createSending } from '../sending/sending.ts'

export interface SendingServices {
  readonly chain: Pick<Chain, 'head'>
  readonly engine: Pick<
    Engine,
    'chainId' | 'decodeTransaction' | 'signTransaction' | 'impersonate' | 'nextBaseFee'
  >
  readonly pool: Pick<Pool, 'add' | 'nextNonce'>
  readonly producer: Pick<Producer, 'settle'>
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
  return {
    eth_gasPrice: defineMethod([], () => formatQuantity(oracle.suggestPrice())),

    eth_sendRawTransaction: defineMethod([required(readData)], ([raw]) => {
      const transaction = engine.decodeTransaction(raw)
      if (transaction.chainId === null && !services.unprotected) {
        throw new RpcError(
          SERVER_ERROR,
          'only replay-protected (EIP-155) transactions allowed over RPC',
        )
      }
      return sending.submit(transaction, 'remote')
    }),

    eth_sendTransaction: defineMethod([required(readSendObject)], ([object]) =>
      services.isImpersonated(object.from)
        ? sending.impersonateAndSubmit(object)
        : keystore.withUnlocked(object.from, key => sending.signAndSubmit(object, key)),
    ),

    personal_sendTransaction: defineMethod(
      [required(readSendObject), required(readString)],
      async ([object, passphrase]) => {
        // In an object, so that the key store does not wait for the block with the key in its hand.
        const { sent } = await keystore.withPassphrase(object.from, passphrase, key => {
          const sent = sending.signAndSubmit(object, key)
          sent.catch(() => {})
          return { sent }
        })
        return sent
      },
    ),
  }
}

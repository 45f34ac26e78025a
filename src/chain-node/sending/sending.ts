import type { Chain } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { SendObject } from '../codec/send-object.ts'
import type { Engine } from '../engine/engine.ts'
import type { Transaction, UnsignedTransaction } from '../engine/transaction.ts'
import type { Pool } from '../pool/pool.ts'
import type { Origin } from '../pool/pooled-transaction.ts'
import type { Producer } from '../producer/producer.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import type { GasPriceOracle } from './gas-price.ts'

/** Hands transactions to the pool; the answer waits for the block where one is made at once. */
export interface Sending {
  /** Gives the hash once the transaction is on the disk. Throws `PoolError`, `TransactionError`. */
  submit(transaction: Transaction, origin: Origin): Promise<Hex>
  /** The gas that the transaction would use in the next block. Throws `CallError` where it fails there. */
  estimateGas(object: SendObject): Promise<bigint>
  /**
   * Signs and submits. The nonce is chosen, used and taken before this returns, so that two of one account never get the same.
   *
   * @param privateKey - 32 bytes, which are not used once this returns
   */
  signAndSubmit(object: FullSendObject, privateKey: Uint8Array): Promise<Hex>
  /** Submits with a mark in place of a signature. */
  impersonateAndSubmit(object: FullSendObject): Promise<Hex>
}

export type FullSendObject = SendObject & { readonly gas: bigint }

export type SendingEngine = Pick<
  Engine,
  'chainId' | 'signTransaction' | 'impersonate' | 'nextBaseFee' | 'describeNext' | 'estimateGas'
>

export function createSending({
  engine,
  chain,
  pool,
  producer,
  oracle,
}: {
  engine: SendingEngine
  chain: Pick<Chain, 'head'>
  pool: Pick<Pool, 'add' | 'nextNonce'>
  producer: Pick<Producer, 'settle' | 'describeNext'>
  oracle: GasPriceOracle
}): Sending {
  async function submit(transaction: Transaction, origin: Origin): Promise<Hex> {
    await pool.add(transaction, origin, () => producer.settle(transaction))
    return transaction.hash
  }

  function complete(object: FullSendObject): UnsignedTransaction {
    if (object.chainId !== null && object.chainId !== engine.chainId) {
      throw refuse(`chainId does not match node's (have=${object.chainId}, want=${engine.chainId})`)
    }
    return {
      nonce: object.nonce ?? pool.nextNonce(object.from),
      to: object.to,
      value: object.value,
      gas: object.gas,
      input: object.input,
      ...choosePrices(object),
      ...(object.accessList && { accessList: object.accessList }),
    }
  }

  /** EIP-1559's where one of them is named, otherwise a legacy price, with which every chain can do. */
  function choosePrices({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: SendObject) {
    if (maxFeePerGas === null && maxPriorityFeePerGas === null) {
      return { gasPrice: gasPrice ?? oracle.suggestPrice() }
    }
    const head = chain.head()
    if (head.baseFeePerGas === undefined) {
      throw refuse('maxFeePerGas and maxPriorityFeePerGas are not valid before London is active')
    }
    const tip = maxPriorityFeePerGas ?? least(oracle.suggestTip(), maxFeePerGas)
    const highest = maxFeePerGas ?? 2n * engine.nextBaseFee(head) + tip
    if (highest < tip) {
      throw refuse(`maxFeePerGas (${highest}) < maxPriorityFeePerGas (${tip})`)
    }
    return { gasPrice: highest, maxPriorityFeePerGas: tip }
  }

  return {
    submit,
    estimateGas({ from, to, value, input, accessList }) {
      const next = engine.describeNext(chain.head(), producer.describeNext())
      const message = { from, to, value, input, ...(accessList && { accessList }) }
      return engine.estimateGas(next, message, new Map())
    },
    signAndSubmit: async (object, privateKey) =>
      submit(engine.signTransaction(complete(object), privateKey), 'local'),
    impersonateAndSubmit: async object =>
      submit(engine.impersonate(complete(object), object.from), 'local'),
  }
}

function least(value: bigint, limit: bigint | null): bigint {
  return limit !== null && limit < value ? limit : value
}

function refuse(message: string): RpcError {
  return new RpcError(SERVER_ERROR, message)
}

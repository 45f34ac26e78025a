import type { Chain } from '../chain/chain.ts'
import { encodeHex, formatQuantity, type Hex } from '../codec/hex.ts'
import { keccak256 } from '../engine/crypto.ts'
import type { Transaction } from '../engine/transaction.ts'
import { pooledTransactionJson } from '../json/transaction-json.ts'
import type { Pool, PooledTransactions } from '../pool/pool.ts'
import { defineMethod, JsonText, type MethodTable } from '../rpc/method.ts'

/** What waits, in geth's shapes: by the sender's address with EIP-55's checksum, and by the nonce in decimal. */
export function listTxpoolMethods({
  chain,
  pool,
}: {
  chain: Pick<Chain, 'shape'>
  pool: Pick<Pool, 'pending' | 'queued' | 'countPending' | 'countQueued'>
}): MethodTable {
  const list = (format: (transaction: Transaction) => string) => {
    const pending = formatPooled(pool.pending(), format)
    const queued = formatPooled(pool.queued(), format)
    return new JsonText(`{"pending":${pending},"queued":${queued}}`)
  }
  return {
    txpool_content: defineMethod([], () =>
      list(transaction => pooledTransactionJson(transaction, chain.shape)),
    ),
    txpool_inspect: defineMethod([], () =>
      list(transaction => JSON.stringify(summarise(transaction))),
    ),
    txpool_status: defineMethod([], () => ({
      pending: formatQuantity(pool.countPending()),
      queued: formatQuantity(pool.countQueued()),
    })),
  }
}

function formatPooled(
  pooled: PooledTransactions,
  format: (transaction: Transaction) => string,
): string {
  const senders = [...pooled].map(([address, transactions]) => {
    const entries = transactions.map(transaction => `"${transaction.nonce}":${format(transaction)}`)
    return `"${checksumAddress(address)}":{${entries.join(',')}}`
  })
  return `{${senders.join(',')}}`
}

function summarise({ to, value, gas, gasPrice }: Transaction): string {
  const target = to === null ? 'contract creation' : checksumAddress(to)
  return `${target}: ${value} wei + ${gas} gas × ${gasPrice} wei`
}

/** EIP-55. */
function checksumAddress(address: Hex): Hex {
  const digits = address.slice(2)
  const hash = encodeHex(keccak256(Buffer.from(digits))).slice(2)
  const cased = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

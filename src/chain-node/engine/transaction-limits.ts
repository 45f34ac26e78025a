import type { Common } from '@ethereumjs/common'
import { TransactionError } from './engine.ts'
import type { Transaction } from './transaction.ts'

/** The EIPs that brought the types, by type. */
const EIP_OF_TYPE = [null, 2930, 1559, 4844, 7702] as const

/** Throws `TransactionError` with geth's text where no block of this fork takes a transaction like this. */
export function assertAllowed(common: Common, transaction: Transaction): void {
  const eip = EIP_OF_TYPE[transaction.type] ?? null
  if (eip !== null && !common.isActivatedEIP(eip)) {
    throw new TransactionError('transaction type not supported')
  }
  const isProtected = transaction.type === 0 && transaction.chainId !== null
  if (isProtected && !common.gteHardfork('spuriousDragon')) {
    throw new TransactionError('invalid sender')
  }
  assertInitCode(common, transaction)
  assertGas(common, transaction)
  assertBlobs(common, transaction)
}

/** EIP-3860. */
function assertInitCode(common: Common, { to, input }: Transaction): void {
  if (to !== null || !common.isActivatedEIP(3860)) return
  const limit = common.param('maxInitCodeSize')
  if (BigInt(input.length) > limit) {
    throw new TransactionError(
      `max initcode size exceeded: code size ${input.length}, limit ${limit}`,
    )
  }
}

/** EIP-7825. */
function assertGas(common: Common, { gas }: Transaction): void {
  if (!common.isActivatedEIP(7825)) return
  const cap = common.param('maxTransactionGasLimit')
  if (gas > cap) {
    throw new TransactionError(`transaction gas limit too high (cap: ${cap}, tx: ${gas})`)
  }
}

/** EIP-4844, EIP-7594. */
function assertBlobs(common: Common, { blobVersionedHashes }: Transaction): void {
  if (blobVersionedHashes === undefined) return
  const inBlock = common.param('maxBlobGasPerBlock') / common.param('blobGasPerBlob')
  const inTransaction = common.isActivatedEIP(7594) ? common.param('maxBlobsPerTx') : inBlock
  const limit = inBlock < inTransaction ? inBlock : inTransaction
  if (BigInt(blobVersionedHashes.length) > limit) {
    throw new TransactionError(
      `too many blobs in transaction: have ${blobVersionedHashes.length}, permitted ${limit}`,
    )
  }
}

// development: what tools for contracts ask of a chain that is theirs alone, with the names that Hardhat and anvil gave it. It is
// served with --dev only, and changes the clock of blocks, when they are made, accounts at the head, and what the head is. It never
// changes what a stored block says.

import type { Chain } from '../chain/chain.ts'
import { formatQuantity } from '../codec/hex.ts'
import { nameKind, readBoolean, readHash } from '../codec/parameters.ts'
import type { Pool } from '../pool/pool.ts'
import type { Producer } from '../producer/producer.ts'
import { defineMethod, type MethodTable, optional, required } from '../rpc/method.ts'
import { ArgumentError, LIMIT_EXCEEDED, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { type AccountServices, listAccountMethods } from './account-methods.ts'
import { readCount } from './numbers.ts'
import { listSnapshotMethods, type SnapshotServices } from './snapshot-methods.ts'

export interface DevelopmentServices extends AccountServices, SnapshotServices {
  readonly chain: Pick<Chain, 'head' | 'genesis' | 'changeState'>
  readonly chainId: bigint
  readonly clientVersion: string
  readonly pool: Pick<Pool, 'find' | 'drop'>
  readonly producer: Producer
}

/** Most blocks of one call: each is written to the disk before the next. */
const MOST_BLOCKS = 10_000n
/** Seconds: a hundred years. */
const MOST_SECONDS = 3_155_760_000

export function listDevelopmentMethods(services: DevelopmentServices): MethodTable {
  const { chain, pool, producer } = services

  function steer<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new RpcError(SERVER_ERROR, error.message)
    }
  }
  const setNextTime = (timestamp: bigint): void => steer(() => producer.setNextTime(timestamp))

  async function mine(count: bigint, interval: number): Promise<void> {
    if (count > MOST_BLOCKS) {
      throw new RpcError(LIMIT_EXCEEDED, `at most ${MOST_BLOCKS} blocks at a time, not ${count}`)
    }
    for (let index = 0n; index < count; index++) {
      if (index > 0n && interval > 0) setNextTime(chain.head().timestamp + BigInt(interval))
      await producer.produce()
    }
  }

  const mineMany = [optional(readCount, 1n), optional(readSeconds, 1)] as const
  const getAutomine = defineMethod([], () => producer.isAutomine())
  const dropTransaction = defineMethod([required(readHash)], ([hash]) => {
    const isThere = pool.find(hash) !== null
    pool.drop(hash)
    return isThere
  })

  return {
    ...listAccountMethods(services),
    ...listSnapshotMethods(services),

    evm_mine: defineMethod([optional<bigint | null>(readMineTime, null)], async ([timestamp]) => {
      if (timestamp !== null) setNextTime(timestamp)
      return formatQuantity((await producer.produce()).number)
    }),
    hardhat_mine: defineMethod(mineMany, async ([count, interval]) => {
      await mine(count, interval)
      return true
    }),
    anvil_mine: defineMethod(mineMany, async ([count, interval]) => {
      await mine(count, interval)
      return null
    }),

    evm_increaseTime: defineMethod([required(readSeconds)], ([seconds]) =>
      steer(() => producer.moveTime(seconds)),
    ),
    evm_setNextBlockTimestamp: defineMethod([required(readCount)], ([timestamp]) => {
      setNextTime(timestamp)
      return timestamp.toString()
    }),

    evm_setAutomine: defineMethod([required(readBoolean)], ([isOn]) => {
      producer.setAutomine(isOn)
      return true
    }),
    evm_setIntervalMining: defineMethod([required(readInterval)], ([milliseconds]) => {
      producer.setBlockTime(milliseconds / 1000)
      return true
    }),
    hardhat_getAutomine: getAutomine,
    anvil_getAutomine: getAutomine,

    hardhat_dropTransaction: dropTransaction,
    anvil_dropTransaction: dropTransaction,

    hardhat_metadata: defineMethod([], () => ({
      clientVersion: services.clientVersion,
      chainId: Number(services.chainId),
      instanceId: chain.genesis.hash,
      latestBlockNumber: Number(chain.head().number),
      latestBlockHash: chain.head().hash,
    })),
  }
}

/** Milliseconds, as `--block-time` has them. */
const LEAST_INTERVAL = 50
const MOST_INTERVAL = 86_400_000

function readSeconds(value: unknown): number {
  const seconds = readCount(value)
  if (seconds > MOST_SECONDS) {
    throw new ArgumentError(`expected at most ${MOST_SECONDS}, and found ${seconds}`)
  }
  return Number(seconds)
}

/** Milliseconds; zero for no blocks. */
function readInterval(value: unknown): number {
  const milliseconds = readCount(value)
  if (milliseconds > 0n && milliseconds < LEAST_INTERVAL) {
    throw new ArgumentError(`expected 0 or at least ${LEAST_INTERVAL} milliseconds`)
  }
  if (milliseconds > MOST_INTERVAL) {
    throw new ArgumentError(`expected at most ${MOST_INTERVAL} milliseconds`)
  }
  return Number(milliseconds)
}

/** A time, or anvil's object with one. */
function readMineTime(value: unknown): bigint | null {
  if (typeof value !== 'object' || value === null) return readCount(value)
  if (Array.isArray(value)) {
    throw new ArgumentError(
      `expected a time or an object with one, and found an ${nameKind(value)}`,
    )
  }
  const { timestamp = null } = value as { timestamp?: unknown }
  return timestamp === null ? null : readCount(timestamp)
}

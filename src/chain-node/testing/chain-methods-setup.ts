import { onTestFinished } from 'vitest'
import { DEFAULT_LOG_LIMITS } from '../chain/fetch-logs.ts'
import { openChain } from '../chain/level-chain.ts'
import type { LogEntry } from '../engine/block.ts'
import { listBlockMethods } from '../methods/block-methods.ts'
import { listLogMethods } from '../methods/log-methods.ts'
import { listTransactionMethods } from '../methods/transaction-methods.ts'
import type { Pool } from '../pool/pool.ts'
import { createSamplePool } from '../pool/testing/sample-pool.ts'
import type { MethodTable } from '../rpc/method.ts'
import { openStore } from '../store/level-store.ts'
import { callMethod } from './call-method.ts'
import {
  createSampleBlock,
  createSampleGenesis,
  describeSampleNext,
  sampleEngine,
} from './sample-blocks.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

export const SAMPLE_LOG: LogEntry = {
  address: `0x${'a1'.repeat(20)}`,
  topics: [`0x${'01'.repeat(32)}`],
  data: '0x',
}

/** A chain of three blocks with one and two transactions, of which two have a log and one failed. */
export async function setUpChainMethods(limits = DEFAULT_LOG_LIMITS) {
  const store = await openStore(createTemporaryFolder())
  onTestFinished(() => store.close())
  const genesis = createSampleGenesis()
  const chain = await openChain({ store, engine: sampleEngine, genesis, shape: 'specified' })
  const blocks = [
    await chain.append(createSampleBlock(chain.head(), [{ logs: [SAMPLE_LOG] }])),
    await chain.append(
      createSampleBlock(chain.head(), [
        { logs: [SAMPLE_LOG] },
        { logs: [SAMPLE_LOG], failed: true },
      ]),
    ),
  ]
  const pool = createSamplePool() as Pool
  const producer = { describeNext: () => describeSampleNext(chain.head()) }
  const services = { chain, pool, producer, engine: { nextBaseFee: () => 0n }, limits }
  const table: MethodTable = {
    ...listBlockMethods(services),
    ...listTransactionMethods(services),
    ...listLogMethods(services),
  }
  const next = createSampleBlock(chain.head(), [{ nonce: 1n }, { nonce: 2n }])
  return {
    table,
    call: (method: string, ...params: unknown[]) => callMethod(table, method, ...params),
    pool,
    blocks,
    head: chain.head(),
    pooled: next.block.transactions,
  }
}

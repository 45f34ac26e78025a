import {
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import type { Hex } from '../codec/hex.ts'
import type { ExecutedBlock, LogEntry } from '../engine/block.ts'
import { stateKey } from '../store/keys.ts'
import { openStore } from '../store/level-store.ts'
import type { Store } from '../store/store.ts'
import { createMemoryStore } from '../testing/memory-store.ts'
import { createSampleBlock, createSampleGenesis, sampleEngine } from '../testing/sample-blocks.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { openChain } from './level-chain.ts'

const { count: RUNS } = campaign('torn writes')
const ADDRESS: Hex = `0x${'a1'.repeat(20)}`
const LOG: LogEntry = { address: ADDRESS, topics: [`0x${'01'.repeat(32)}`], data: '0xff' }

describe('a crash within a write', () => {
  it('leaves a whole earlier block as the head, and everything of it', async () => {
    const genesis = createSampleGenesis()
    const folder = createTemporaryFolder()
    const written = await writeChain(folder, genesis, 30)
    const log = join(folder, readdirSync(folder).find(name => name.endsWith('.log')) ?? '')
    const size = statSync(log).size
    expect(size).toBeGreaterThan(32_768 * 2)
    const heads = new Set<bigint>()

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: size }), async kept => {
        const torn = `${folder}-torn`
        cpSync(folder, torn, { recursive: true })
        try {
          truncateSync(join(torn, basename(log)), kept)
          heads.add((await assertWhole(torn, genesis, written)).head)
        } finally {
          rmSync(torn, { recursive: true, force: true })
        }
      }),
      { numRuns: RUNS, examples: [[0], [size], [size - 1]] },
    )
    expect(heads.has(0n)).toBe(true)
    expect(heads.has(30n)).toBe(true)
    expect(heads.has(29n)).toBe(true)
    expect(heads.size).toBeGreaterThan(5)
  })
})

describe('a byte that is another one on the disk', () => {
  it('leaves the last whole block before it as the head, and everything of that, and is told', async () => {
    const genesis = createSampleGenesis()
    const folder = createTemporaryFolder()
    const written = await writeChain(folder, genesis, 30)
    const log = join(folder, readdirSync(folder).find(name => name.endsWith('.log')) ?? '')
    const whole = readFileSync(log)
    const heads = new Set<bigint>()

    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: whole.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (place, change) => {
          const spoilt = `${folder}-spoilt`
          cpSync(folder, spoilt, { recursive: true })
          try {
            const bytes = Buffer.from(whole)
            bytes[place] = (bytes[place] ?? 0) ^ change
            writeFileSync(join(spoilt, basename(log)), bytes)
            const { head, damage } = await assertWhole(spoilt, genesis, written)
            heads.add(head)
            expect(damage === null).toBe(head === 30n)
          } finally {
            rmSync(spoilt, { recursive: true, force: true })
          }
        },
      ),
      {
        numRuns: RUNS,
        examples: [
          [0, 1],
          [whole.length - 1, 1],
          [whole.length >> 1, 255],
        ],
      },
    )
    expect(heads.size).toBeGreaterThan(5)
  })
})

describe('a write that failed', () => {
  it('leaves nothing of its block behind the next, whatever of it came to the disk', async () => {
    const genesis = createSampleGenesis()
    const disk = createMemoryStore()
    let isBroken = false
    const store: Store = {
      ...disk,
      async write(puts, deletes) {
        await disk.write(puts, deletes)
        if (isBroken) throw new Error('the disk cannot say whether it has that')
      },
    }
    const chain = await openChain({ store, engine: sampleEngine, genesis, shape: 'specified' })
    const lost = createSampleBlock(chain.head(), [{ logs: [LOG, LOG] }, { logs: [LOG] }])
    isBroken = true
    await expect(chain.append(lost)).rejects.toThrow('the disk cannot say')
    expect(chain.head()).toEqual(genesis.block.header)
    isBroken = false
    const next = createSampleBlock(chain.head(), [{ logs: [LOG] }])
    await chain.append(next)

    const fresh = createMemoryStore()
    const clean = await openChain({
      store: fresh,
      engine: sampleEngine,
      genesis,
      shape: 'specified',
    })
    await clean.append(next)
    const written = new Set(lost.writes.map(({ hash }) => hexKey(stateKey(hash))))
    const rest = [...disk.entries].filter(([key]) => fresh.entries.has(key) || !written.has(key))
    expect(new Map(rest)).toEqual(fresh.entries)
  })
})

function hexKey(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

async function writeChain(
  folder: string,
  genesis: ExecutedBlock,
  count: number,
): Promise<ExecutedBlock[]> {
  const store = await openStore(folder)
  const chain = await openChain({ store, engine: sampleEngine, genesis, shape: 'specified' })
  const written = [genesis]
  for (let i = 0; i < count; i++) {
    const transactions = Array.from({ length: 1 + (i % 5) }, () => ({ logs: [LOG, LOG] }))
    const block = createSampleBlock(chain.head(), transactions)
    await chain.append(block)
    written.push(block)
  }
  await store.close()
  return written
}

/** The states of sample blocks are made up. */
const ANY_STATE = { hasState: () => true, onLost: () => {} }

async function assertWhole(
  folder: string,
  genesis: ExecutedBlock,
  written: readonly ExecutedBlock[],
): Promise<{ head: bigint; damage: string | null }> {
  const store = await openStore(folder)
  try {
    const chain = await openChain({
      store,
      engine: sampleEngine,
      genesis,
      shape: 'specified',
      damage: store.damage() === null ? null : ANY_STATE,
    })
    const head = chain.head().number
    const kept = written.slice(0, Number(head) + 1)
    for (const { block, writes } of kept) {
      expect(chain.findHeader(block.header.hash)).toEqual(block.header)
      expect(
        JSON.parse(chain.blockJson(block.header.number, true) ?? '').transactions,
      ).toHaveLength(block.transactions.length)
      for (const { hash } of block.transactions) expect(chain.receiptJson(hash)).not.toBeNull()
      for (const { hash } of writes) expect(store.get(stateKey(hash))).toBeDefined()
    }
    for (const { block } of written.slice(kept.length)) {
      expect(chain.findHeader(block.header.hash)).toBeNull()
      for (const { hash } of block.transactions) expect(chain.transactionJson(hash)).toBeNull()
    }
    const query = { from: 0n, to: 100n, addresses: [ADDRESS], topics: [] }
    const logs = kept.flatMap(({ receipts }) => receipts.flatMap(receipt => receipt.logs))
    expect(await chain.queryLogs(query, 10_000)).toHaveLength(logs.length)
    await chain.append(createSampleBlock(chain.head(), [{}]))
    return { head, damage: store.damage() }
  } finally {
    await store.close()
  }
}

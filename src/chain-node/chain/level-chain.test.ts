import { describe, expect, it, onTestFinished } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import type { ExecutedBlock, Header, LogEntry } from '../engine/block.ts'
import { stateKey } from '../store/keys.ts'
import { openStore } from '../store/level-store.ts'
import { stateSource } from '../store/state-source.ts'
import type { Store } from '../store/store.ts'
import {
  createSampleBlock,
  createSampleGenesis,
  RECIPIENT,
  SENDER,
  sampleEngine,
} from '../testing/sample-blocks.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import type { Chain } from './chain.ts'
import { openChain } from './level-chain.ts'

const genesis = createSampleGenesis()
const TOKEN: Hex = `0x${'70'.repeat(20)}`
const TRANSFER: Hex = `0x${'ab'.repeat(32)}`
const KEY = Buffer.from('z')
const LOG: LogEntry = { address: TOKEN, topics: [TRANSFER], data: '0x01' }

describe('openChain', () => {
  it('begins with the genesis', async () => {
    const { chain } = await openSample()
    expect(chain.head()).toEqual(genesis.block.header)
    expect(chain.genesis).toEqual(genesis.block.header)
    expect(chain.findBlock(0n)).toEqual(genesis.block)
    expect(chain.totalDifficulty(chain.head())).toBe(2n)
    expect(JSON.parse(chain.blockJson(0n, true) ?? '')).toMatchObject({
      number: '0x0',
      transactions: [],
    })
  })

  it('refuses a folder with another genesis, and names both', async () => {
    const folder = createTemporaryFolder()
    const { close } = await openSample(folder)
    await close()
    const store = await openStore(folder)
    const other = createSampleGenesis('0x0102')
    await expect(
      openChain({ store, engine: sampleEngine, genesis: other, shape: 'specified' }),
    ).rejects.toThrow(
      `The data folder holds the chain of genesis ${genesis.block.header.hash}, and this node was started with genesis ${other.block.header.hash}:`,
    )
    await store.close()
    const again = await openSample(folder)
    expect(again.chain.head().number).toBe(0n)
  })

  it('refuses a folder whose JSON is in the other shape', async () => {
    const folder = createTemporaryFolder()
    const { close } = await openSample(folder)
    await close()
    const store = await openStore(folder)
    onTestFinished(() => store.close())
    await expect(
      openChain({ store, engine: sampleEngine, genesis, shape: 'complete' }),
    ).rejects.toThrow('"shape":"specified"')
  })

  it('finds the same after it was closed and opened again', async () => {
    const folder = createTemporaryFolder()
    const { chain, close } = await openSample(folder)
    await appendSamples(chain, 20)
    const before = readEverything(chain)
    expect(before.blocks).toHaveLength(21)
    await close()
    const again = await openSample(folder)
    expect(readEverything(again.chain)).toEqual(before)
    expect(again.chain.head()).toEqual(chain.head())
  })
})

describe('append', () => {
  it('makes a block the head, with its state, and tells those who listen afterwards', async () => {
    const { chain, store } = await openSample()
    const heard: string[] = []
    const stop = chain.onAppend(({ block, logs }) => {
      expect(chain.head()).toBe(block.header)
      heard.push(`${block.header.number} ${logs.length}`)
    })
    const executed = createSampleBlock(chain.head(), [{ logs: [LOG, LOG] }, { logs: [LOG] }])
    const appended = await chain.append(executed)
    expect(appended.logs.map(({ json }) => JSON.parse(json).logIndex)).toEqual([
      '0x0',
      '0x1',
      '0x2',
    ])
    expect(heard).toEqual(['1 3'])
    for (const { hash, bytes } of executed.writes) {
      expect(Buffer.from(stateSource(store).get(hash) ?? [])).toEqual(Buffer.from(bytes))
    }
    stop()
    await chain.append(createSampleBlock(chain.head(), []))
    expect(heard).toHaveLength(1)
  })

  it('refuses what is not the child of the head, and stays as it was', async () => {
    const { chain } = await openSample()
    const first = createSampleBlock(chain.head(), [{}])
    await chain.append(first)
    await expect(chain.append(first)).rejects.toThrow('Block 1 (')
    const stranger = createSampleBlock({ ...chain.head(), hash: `0x${'01'.repeat(32)}` }, [])
    await expect(chain.append(stranger)).rejects.toThrow(
      'does not follow the head, which is block 1',
    )
    expect(chain.head()).toEqual(first.block.header)
    await chain.append(createSampleBlock(chain.head(), []))
    expect(chain.head().number).toBe(2n)
  })

  it('takes one of two blocks that are appended at once for the same place', async () => {
    const { chain } = await openSample()
    const competing = [createSampleBlock(chain.head(), [{}]), createSampleBlock(chain.head(), [])]
    const outcomes = await Promise.allSettled(competing.map(block => chain.append(block)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(chain.head()).toEqual(competing[0]?.block.header)
  })

  it('keeps the head where the store cannot write', async () => {
    const { chain, store } = await openSample()
    await store.close()
    await expect(chain.append(createSampleBlock(chain.head(), []))).rejects.toThrow()
    expect(chain.head().number).toBe(0n)
  })

  it('refuses a block with a transaction that has no receipt', async () => {
    const { chain } = await openSample()
    const executed = createSampleBlock(chain.head(), [{}, {}])
    const torn = { ...executed, receipts: executed.receipts.slice(1) }
    await expect(chain.append(torn)).rejects.toThrow('has no receipt')
  })
})

describe('revert', () => {
  it('leaves nothing of the blocks after the one that it comes back to but their states', async () => {
    const { chain, store } = await openSample()
    await chain.append(createSampleBlock(chain.head(), [{ logs: [LOG] }]))
    const record = chain.mark()
    const before = await listEntries(store)
    const executed = [createSampleBlock(chain.head(), [{ logs: [LOG, LOG], nonce: 1n }, {}])]
    await chain.append(executed[0] as ExecutedBlock)
    executed.push(createSampleBlock(chain.head(), []))
    await chain.append(executed[1] as ExecutedBlock)
    let resets = 0
    chain.onReset(() => resets++)
    await chain.revert(record, { puts: [{ key: KEY, value: KEY }], deletes: [] })
    const left = await listEntries(store)
    for (const { hash } of executed.flatMap(({ writes }) => writes)) {
      left.delete(Buffer.from(stateKey(hash)).toString('hex'))
    }
    expect(left).toEqual(new Map([...before, [KEY.toString('hex'), KEY.toString('hex')]]))
    expect([resets, chain.head()]).toEqual([1, record.header])
    await chain.append(createSampleBlock(chain.head(), [{}]))
    expect(chain.head().number).toBe(2n)
  })

  it('refuses what is no block of the chain', async () => {
    const { chain } = await openSample()
    await chain.append(createSampleBlock(chain.head(), []))
    const record = chain.mark()
    const nothing = { puts: [], deletes: [] }
    const stranger = { ...record.header, hash: `0x${'01'.repeat(32)}` as const }
    for (const header of [stranger, { ...record.header, number: 2n }]) {
      await expect(chain.revert({ ...record, header }, nothing)).rejects.toThrow('not in the chain')
    }
    expect(chain.head()).toEqual(record.header)
  })

  it.each(['revert', 'changeState'] as const)(
    'as %s keeps the head and all blocks where the store cannot write',
    async how => {
      const { chain, store } = await openSample()
      const first = chain.mark()
      await appendSamples(chain, 2)
      const before = readEverything(chain)
      const { write } = store
      Object.assign(store, { write: async () => Promise.reject(new Error('the disk is full')) })
      const working =
        how === 'revert'
          ? chain.revert(first, { puts: [], deletes: [] })
          : chain.changeState({ stateRoot: `0x${'02'.repeat(32)}`, writes: [] })
      await expect(working).rejects.toThrow('the disk is full')
      Object.assign(store, { write })
      expect(readEverything(chain)).toEqual(before)
      await chain.append(createSampleBlock(chain.head(), [{}]))
    },
  )
})

describe('changeState', () => {
  it('gives the head another state, and leaves what is said of it', async () => {
    const folder = createTemporaryFolder()
    const { chain, store, close } = await openSample(folder)
    await appendSamples(chain, 1)
    const { header } = chain.mark()
    const json = chain.blockJson(1n, true)
    const stateRoot: Hex = `0x${'02'.repeat(32)}`
    await chain.changeState({ stateRoot, writes: [{ hash: KEY, bytes: KEY }] })
    expect(chain.head()).toEqual({ ...header, stateRoot })
    expect(chain.findHeader(header.hash)).toEqual({ ...header, stateRoot })
    expect(chain.blockJson(1n, true)).toBe(json)
    expect(Buffer.from(stateSource(store).get(KEY) ?? [])).toEqual(KEY)
    await close()
    expect((await openSample(folder)).chain.head()).toEqual({ ...header, stateRoot })
  })
})

describe('reads', () => {
  it('find blocks by height and by hash', async () => {
    const { chain } = await openSample()
    const executed = await appendSamples(chain, 3)
    for (const { block } of executed) {
      for (const id of [block.header.number, block.header.hash]) {
        expect(chain.findHeader(id)).toEqual(block.header)
        expect(plain(chain.findBlock(id))).toEqual(plain(block))
        expect(Buffer.from(chain.blockRlp(id) ?? [])).toEqual(Buffer.from(block.rlp))
        expect(chain.countTransactions(id)).toBe(block.transactions.length)
        expect(JSON.parse(chain.blockJson(id, false) ?? '')).toMatchObject({
          hash: block.header.hash,
          size: `0x${block.rlp.length.toString(16)}`,
          totalDifficulty: `0x${(2n + 2n * block.header.number).toString(16)}`,
          transactions: block.transactions.map(({ hash }) => hash),
        })
        expect(JSON.parse(chain.blockJson(id, true) ?? '').transactions).toEqual(
          block.transactions.map(({ hash }) => JSON.parse(chain.transactionJson(hash) ?? '')),
        )
      }
    }
  })

  it('find transactions, receipts and logs by hash, and transactions by their place', async () => {
    const { chain } = await openSample()
    const executed = createSampleBlock(chain.head(), [
      { logs: [LOG], nonce: 7n },
      { to: null, nonce: 8n },
      { failed: true, logs: [LOG] },
    ])
    await chain.append(executed)
    const { header, transactions } = executed.block
    const [first, create, failed] = transactions.map(({ hash }) => hash) as [Hex, Hex, Hex]

    expect(chain.findTransaction(create)).toEqual({
      transaction: transactions[1],
      header,
      index: 1,
    })
    expect(parse(chain.transactionJson(first))).toMatchObject({
      hash: first,
      blockHash: header.hash,
      blockNumber: '0x1',
      transactionIndex: '0x0',
      from: SENDER,
      to: RECIPIENT,
      nonce: '0x7',
    })
    expect(chain.transactionJsonAt(1n, 1)).toBe(chain.transactionJson(create))
    expect(chain.transactionJsonAt(header.hash, 2)).toBe(chain.transactionJson(failed))
    expect(parse(chain.receiptJson(first))).toMatchObject({ status: '0x1', contractAddress: null })
    expect(parse(chain.receiptJson(create))).toMatchObject({
      to: null,
      contractAddress: executed.receipts[1]?.contractAddress,
      logs: [],
    })
    expect(parse(chain.receiptJson(failed))).toMatchObject({ status: '0x0', logs: [] })
    expect(parse(chain.transactionLogsJson(first))).toEqual(parse(chain.receiptJson(first)).logs)
    expect(parse(chain.transactionLogsJson(first))).toHaveLength(1)
    expect(chain.transactionLogsJson(failed)).toBe('[]')
  })

  it('give null for what is not there', async () => {
    const { chain } = await openSample()
    const [executed] = await appendSamples(chain, 1)
    const unknown: Hex = `0x${'0d'.repeat(32)}`
    for (const id of [2n, -1n, 2n ** 63n - 1n, 2n ** 64n, unknown]) {
      expect(chain.findHeader(id)).toBeNull()
      expect(chain.findBlock(id)).toBeNull()
      expect(chain.blockRlp(id)).toBeNull()
      expect(chain.blockJson(id, true)).toBeNull()
      expect(chain.countTransactions(id)).toBeNull()
      expect(chain.transactionJsonAt(id, 0)).toBeNull()
    }
    for (const index of [executed?.block.transactions.length ?? 0, -1, 2 ** 53, 0.5]) {
      expect(chain.transactionJsonAt(1n, index)).toBeNull()
    }
    expect(chain.findTransaction(unknown)).toBeNull()
    expect(chain.transactionJson(unknown)).toBeNull()
    expect(chain.receiptJson(unknown)).toBeNull()
    expect(chain.transactionLogsJson(unknown)).toBeNull()
  })

  it('do not see a block that is being written', async () => {
    const { chain } = await openSample()
    const { block } = createSampleBlock(chain.head(), [{ logs: [LOG] }])
    const appending = chain.append(createSampleBlock(chain.head(), [{ logs: [LOG] }]))
    const hash = block.transactions[0]?.hash ?? '0x'
    let seen: boolean[] = []
    for (let waiting = true; waiting; ) {
      const reads = [chain.findHeader(block.header.hash), chain.receiptJson(hash)]
      seen = [...reads, chain.transactionJson(hash)].map(read => read !== null)
      if (chain.head().number === 0n) expect(seen).toEqual([false, false, false])
      else waiting = false
      await new Promise(setImmediate)
    }
    await appending
    expect(seen).toEqual([true, true, true])
  })
})

async function openSample(folder = createTemporaryFolder()) {
  const store = await openStore(folder)
  onTestFinished(() => store.close())
  const options = { store, engine: sampleEngine, genesis, shape: 'specified' as const }
  return { chain: await openChain(options), store, close: () => store.close() }
}

async function appendSamples(chain: Chain, count: number) {
  const executed = []
  for (let i = 0; i < count; i++) {
    const transactions = Array.from({ length: i % 4 }, () => ({ logs: [LOG] }))
    executed.push(await chain.append(createSampleBlock(chain.head(), transactions)))
  }
  return executed
}

function readEverything(chain: Chain) {
  const blocks = []
  for (let height = 0n; height <= chain.head().number; height++) {
    const block = chain.findBlock(height)
    const hashes = block?.transactions.map(({ hash }) => hash) ?? []
    blocks.push({
      header: chain.findHeader(height),
      difficulty: chain.totalDifficulty(chain.findHeader(height) as Header),
      block: plain(block),
      json: [chain.blockJson(height, false), chain.blockJson(height, true)],
      transactions: hashes.map(hash => [chain.transactionJson(hash), chain.receiptJson(hash)]),
    })
  }
  return { blocks }
}

/** Bytes as hexadecimal, whatever kind of array they are in. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
}

function parse(text: string | null) {
  return JSON.parse(text ?? 'null')
}

/** All that a store holds, in hex. */
async function listEntries(store: Store): Promise<Map<string, string>> {
  const entries = new Map<string, string>()
  for await (const { key, value } of store.iterate(Buffer.from([0]), Buffer.from([255]))) {
    entries.set(Buffer.from(key).toString('hex'), Buffer.from(value).toString('hex'))
  }
  return entries
}

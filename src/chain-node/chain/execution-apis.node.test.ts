import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeRlp } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeHex } from '../codec/hex.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngine } from '../engine/ethereumjs-engine.ts'
import { readGenesis } from '../engine/genesis/genesis.ts'
import { createRules, type Rules } from '../engine/rules.ts'
import { listBlockMethods } from '../methods/block-methods.ts'
import { listLogMethods } from '../methods/log-methods.ts'
import { listStateMethods } from '../methods/state-methods.ts'
import { listTransactionMethods } from '../methods/transaction-methods.ts'
import type { Pool } from '../pool/pool.ts'
import { createSamplePool } from '../pool/testing/sample-pool.ts'
import type { MethodTable } from '../rpc/method.ts'
import { openStore } from '../store/level-store.ts'
import { stateSource } from '../store/state-source.ts'
import type { Store } from '../store/store.ts'
import { callMethod } from '../testing/call-method.ts'
import {
  EXECUTION_APIS_CHAIN,
  listExecutionApisCalls,
  readExecutionApisBlocks,
  readExecutionApisGenesis,
  readExecutionApisHead,
} from '../testing/execution-apis.ts'
import { describeSampleNext } from '../testing/sample-blocks.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import type { BranchParts } from './branches.ts'
import type { Chain } from './chain.ts'
import { exportChain } from './export.ts'
import { DEFAULT_LOG_LIMITS } from './fetch-logs.ts'
import { importChain } from './import.ts'
import { openChain } from './level-chain.ts'

interface Node {
  readonly store: Store
  readonly engine: Engine
  readonly chain: Chain
  readonly keepTransactions: BranchParts['keepTransactions']
}

describe('the chain of execution-apis', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-'))
  let node: Node
  let table: MethodTable

  beforeAll(async () => {
    node = await startNode(await openStore(folder))
    const seen: bigint[] = []
    const progress = await importChain({
      ...node,
      file: EXECUTION_APIS_CHAIN,
      onProgress: ({ height }) => seen.push(height),
    })
    expect(progress).toEqual({ imported: 54, skipped: 0, aside: 0, height: 54n })
    expect(seen).toEqual(Array.from({ length: 54 }, (_, i) => BigInt(i + 1)))
    const services = {
      ...node,
      pool: createSamplePool() as Pool,
      limits: DEFAULT_LOG_LIMITS,
      producer: { describeNext: () => describeSampleNext(node.chain.head()) },
    }
    table = {
      ...listStateMethods(services),
      ...listBlockMethods(services),
      ...listTransactionMethods(services),
      ...listLogMethods(services),
    }
  })
  afterAll(async () => {
    await node.store.close()
    rmSync(folder, { recursive: true })
  })

  it('is imported to the head that it is meant to have', () => {
    expect(node.chain.head().hash).toBe(readExecutionApisHead())
    expect(node.chain.head().number).toBe(54n)
  })

  it('is exported as the same bytes', async () => {
    const file = join(createTemporaryFolder(), 'exported.rlp')
    await exportChain(node.chain, file, 1n, 54n)
    expect(readFileSync(file).equals(readFileSync(EXECUTION_APIS_CHAIN))).toBe(true)
    await expect(exportChain(node.chain, file, 1n, 54n)).rejects.toThrow('EEXIST')
    await expect(exportChain(node.chain, `${file}2`, 1n, 55n)).rejects.toThrow(
      'Blocks 1 to 55 cannot be exported: the chain has blocks 0 to 54.',
    )
  })

  it('is passed over where it is there already', async () => {
    const progress = await importChain({ ...node, file: EXECUTION_APIS_CHAIN })
    expect(progress).toEqual({ imported: 0, skipped: 54, aside: 0, height: 54n })
  })

  it('is the same after its folder was opened again', async () => {
    const { chain } = await startNode(node.store)
    for (let height = 0n; height <= 54n; height++) {
      expect(plain(chain.findBlock(height))).toEqual(plain(node.chain.findBlock(height)))
      expect(chain.findHeader(height)).toEqual(node.chain.findHeader(height))
    }
  })

  it('has every node of the state of every block', () => {
    const address = '0x7dcd17433742f4c0ca53122ab541d0ba67fc27df'
    const balances = []
    for (let height = 0n; height <= 54n; height++) {
      const { stateRoot } = node.chain.findHeader(height) ?? node.chain.head()
      balances.push(node.engine.readAccount(stateRoot, address)?.balance)
    }
    // eth_getBalance/*.io: at the parent of block 45, and at the head.
    expect(balances[44]).toBe(0x56n)
    expect(balances[54]).toBe(0x76n)
  })

  it.each(listQuestions())('answers %s', async (_, { request, response }) => {
    const answer = await callMethod(table, request.method, ...(request.params ?? []))
    expect(withoutText(answer)).toEqual(withoutText(response))
  })
})

describe('importChain', () => {
  it('keeps all blocks before one that does not fit, and says why that does not', async () => {
    const blocks = listBlocks()
    const tenth = blocks[9] as Buffer
    const place = tenth.indexOf(Buffer.from(readStateRoot(tenth).slice(2), 'hex'))
    tenth[place] = (tenth[place] as number) ^ 1
    await expectFailure(blocks, 9n, /^Block 10 of the file does not fit: /)
  })

  it('refuses a gap, a stranger and what is no block', async () => {
    const blocks = listBlocks()
    const gap = blocks.filter((_, i) => i !== 4)
    await expectFailure(
      gap,
      4n,
      /^Block 6 of the file follows 0x.*, and the head of this chain is block 4, 0x/,
    )
    const empty = Buffer.from('c0', 'hex')
    await expectFailure([...blocks.slice(0, 3), empty], 3n, /^Block 4 of the file cannot be read: /)
    const torn = [...blocks.slice(0, 3), (blocks[3] as Buffer).subarray(0, 50)]
    await expectFailure(torn, 3n, /^The file ends within the block that begins at byte/)
  })

  it('refuses a file of another chain', async () => {
    const genesis = { ...(readExecutionApisGenesis() as object), extraData: '0x01' }
    const store = await openStore(createTemporaryFolder())
    const other = await startNode(store, genesis)
    await expect(importChain({ ...other, file: EXECUTION_APIS_CHAIN })).rejects.toThrow(
      /^Block 1 of the file follows 0x44fd89d5/,
    )
    await store.close()
  })

  it('stops between two blocks when it is told to', async () => {
    const store = await openStore(createTemporaryFolder())
    const node = await startNode(store)
    const controller = new AbortController()
    await expect(
      importChain({
        ...node,
        file: EXECUTION_APIS_CHAIN,
        signal: controller.signal,
        onProgress: ({ height }) => height === 7n && controller.abort(new Error('stopped')),
      }),
    ).rejects.toThrow('stopped')
    expect(node.chain.head().number).toBe(7n)
    await store.close()
  })
})

/** Once for all tests: what blobs need takes long to load. */
function loadRules(): Promise<Rules> {
  loadedRules ??= createRules(readGenesis(readExecutionApisGenesis()))
  return loadedRules
}

let loadedRules: Promise<Rules> | undefined

async function startNode(store: Store, json?: unknown): Promise<Node> {
  const rules = await (json === undefined ? loadRules() : createRules(readGenesis(json)))
  const node: { chain?: Chain } = {}
  const engine = await createEngine(rules, stateSource(store), number => {
    const hash = node.chain?.findHeader(number)?.hash
    return hash ? decodeHex(hash) : null
  })
  const genesis = await engine.createGenesis()
  const chain = await openChain({ store, engine, genesis, shape: rules.shape })
  node.chain = chain
  return { store, engine, chain, keepTransactions: async () => [] }
}

async function expectFailure(blocks: Buffer[], head: bigint, message: RegExp): Promise<void> {
  const folder = createTemporaryFolder()
  const file = join(folder, 'chain.rlp')
  writeFileSync(file, Buffer.concat(blocks))
  const store = await openStore(join(folder, 'store'))
  try {
    const node = await startNode(store)
    await expect(importChain({ ...node, file })).rejects.toThrow(message)
    expect(node.chain.head().number).toBe(head)
  } finally {
    await store.close()
  }
}

/** Questions for our methods; those marked as "spec only" say nothing about the answer. */
function listQuestions() {
  return listExecutionApisCalls()
    .filter(({ name, specOnly }) => name.startsWith('eth_get') && !specOnly)
    .map(call => [call.name, call] as const)
}

/** As hive compares: everything but the text of an error. */
function withoutText(answer: object): unknown {
  const {
    jsonrpc: _,
    id: __,
    ...rest
  } = answer as { jsonrpc?: string; id?: number; error?: object }
  return rest.error ? { ...rest, error: { ...rest.error, message: '' } } : rest
}

function listBlocks(): Buffer[] {
  return readExecutionApisBlocks().map(rlp => Buffer.from(rlp))
}

/** The fourth field of a header (yellow paper, 4.4). */
function readStateRoot(rlp: Uint8Array): string {
  const [header] = decodeRlp(rlp) as [string[]]
  return header[3] as string
}

/** Bytes as hexadecimal, whatever kind of array they are in. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeHex, encodeHex, type Hex } from '../codec/hex.ts'
import type { Block, ExecutedBlock } from '../engine/block.ts'
import { createEngine } from '../engine/ethereumjs-engine.ts'
import { builtInGenesis, type Genesis, readGenesis } from '../engine/genesis/genesis.ts'
import { createRules } from '../engine/rules.ts'
import { listJournalEntries } from '../pool/journal.ts'
import { createPool } from '../pool/transaction-pool.ts'
import { HEAD_KEY } from '../store/keys.ts'
import { openStore } from '../store/level-store.ts'
import { stateSource } from '../store/state-source.ts'
import type { Store } from '../store/store.ts'
import { listAlloc, setUpEngine } from '../testing/engine-setup.ts'
import { createMemoryStore } from '../testing/memory-store.ts'
import type { BlockchainTest } from '../testing/official/blockchain-test.ts'
import { configOf } from '../testing/official/networks.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import type { Chain } from './chain.ts'
import { importChain } from './import.ts'
import { openChain } from './level-chain.ts'

const FILE = new URL('../testing/vectors/ethereum-tests/branches.json', import.meta.url)
const tests = Object.entries<BlockchainTest>(JSON.parse(readFileSync(FILE, 'utf8')))

describe('a file with several branches', () => {
  it.each(tests)('is imported to the head of the one with most work: %s', async (_, test) => {
    const genesis = readTestGenesis(test)
    const blocks = test.blocks.map(({ rlp }) => decodeHex(rlp as Hex))
    const node = await openNode(genesis, createMemoryStore())
    const progress = await node.import(blocks)
    expect(node.chain.head().hash).toBe(test.lastblockhash)

    const branch = listChain(node.chain)
    const added = new Set(blocks.map(rlp => node.engine.decodeBlock(rlp).header.hash))
    expect(progress).toMatchObject({
      imported: branch.length,
      aside: added.size - branch.length,
    })
    // Nothing is left of the other branches but their states.
    const other = await openNode(genesis, createMemoryStore())
    await other.import(branch.map(({ rlp }) => rlp))
    expect(listEntries(node.store)).toEqual(listEntries(other.store))
  })

  it('is imported again without a change', async () => {
    const [, test] = tests[0] as (typeof tests)[number]
    const folder = createTemporaryFolder()
    const blocks = test.blocks.map(({ rlp }) => decodeHex(rlp as Hex))
    for (let i = 0; i < 2; i++) {
      const store = await openStore(folder)
      const node = await openNode(readTestGenesis(test), store)
      await node.import(blocks)
      expect(node.chain.head().hash).toBe(test.lastblockhash)
      await store.close()
    }
  })
})

describe('a branch with more blocks, on a chain without work', () => {
  it('becomes the chain, and what was only in the old blocks waits in the pool', async () => {
    const { old, longer, waiting, mined } = await makeBranches()
    const node = await openNode(genesisOfBranches, createMemoryStore())
    await node.import(old.map(({ block }) => block.rlp))
    const { chain } = node
    expect(chain.head().hash).toBe(old.at(-1)?.block.header.hash)
    const progress = await node.import(longer.map(({ block }) => block.rlp))
    expect(progress).toEqual({ imported: 3, skipped: 0, aside: 0, height: 3n })
    expect(chain.head().hash).toBe(longer.at(-1)?.block.header.hash)
    for (const { block } of old) expect(chain.findHeader(block.header.hash)).toBeNull()
    expect(chain.receiptJson(waiting)).toBeNull()
    expect(chain.transactionJson(waiting)).toBeNull()
    expect(JSON.parse(chain.receiptJson(mined) ?? '{}').blockHash).toBe(chain.findHeader(2n)?.hash)

    const { store, engine } = node
    const pool = await createPool({ engine, chain, store, minGasPrice: 0n, onFault() {} })
    onTestFinished(() => pool.close())
    expect([...pool.pending().values()].flat().map(({ hash }) => hash)).toEqual([waiting])
    expect(pool.countQueued()).toBe(0)
  })

  it('stays aside while it is not longer, and a block of it that is not valid ends the import', async () => {
    const { old, longer } = await makeBranches()
    const node = await openNode(genesisOfBranches, createMemoryStore())
    await node.import(old.map(({ block }) => block.rlp))
    const head = node.chain.head()
    const rlps = longer.map(({ block }) => block.rlp)
    expect(await node.import(rlps.slice(0, 2))).toMatchObject({ imported: 0, aside: 2 })
    expect(node.chain.head()).toEqual(head)
    await expect(node.import(rlps.slice(1))).rejects.toThrow(/^Block 2 of the file follows 0x/)
    const broken = Buffer.from(rlps[0] as Uint8Array)
    // In the state's root.
    broken.writeUInt8((broken[100] as number) ^ 1, 100)
    await expect(node.import([broken])).rejects.toThrow(/^Block 1 of the file does not fit: /)
    expect(node.chain.head()).toEqual(head)
  })

  it('is not taken up by halves where the disk fails', async () => {
    const { old, longer } = await makeBranches()
    const store = createMemoryStore()
    const node = await openNode(genesisOfBranches, store)
    await node.import(old.map(({ block }) => block.rlp))
    const before = listEntries(store)
    const head = node.chain.head()
    const { write } = store
    store.write = async (puts, deletes) => {
      if (puts.some(({ key }) => Buffer.compare(key, HEAD_KEY) === 0)) throw new Error('no room')
      await write(puts, deletes)
    }
    const rlps = longer.map(({ block }) => block.rlp)
    await expect(node.import(rlps)).rejects.toThrow('Block 3 of the file does not fit: no room')
    expect(node.chain.head()).toEqual(head)
    expect(listEntries(store)).toEqual(before)
    store.write = write
    expect(await node.import(rlps)).toMatchObject({ imported: 3 })
    expect(node.chain.head().hash).toBe(longer.at(-1)?.block.header.hash)
  })
})

const genesisOfBranches = builtInGenesis('mainnet', { profile: 'default', alloc: listAlloc() })

/** Two blocks, and three others: one transaction is in both branches, one in the first alone. */
async function makeBranches() {
  const [first, second] = [
    await setUpEngine(genesisOfBranches),
    await setUpEngine(genesisOfBranches),
  ]
  const waiting = await first.sign(0, { to: first.headers[0]?.miner ?? null, gasLimit: 21_000n })
  const mined = await first.sign(1, { to: null, data: '0x60006000a0', gasLimit: 100_000n })
  const old: ExecutedBlock[] = [await first.produce([waiting]), await first.produce([mined])]
  const longer: ExecutedBlock[] = []
  for (const candidates of [[], [mined], []]) {
    longer.push(await second.produce(candidates, 29_999_000n))
  }
  return { old, longer, waiting: waiting.hash, mined: mined.hash }
}

function readTestGenesis({ genesisBlockHeader, network, pre }: BlockchainTest): Genesis {
  return readGenesis({ ...genesisBlockHeader, config: configOf(network), alloc: pre })
}

async function openNode<S extends Store>(genesis: Genesis, store: S) {
  const rules = await createRules(genesis)
  const opened: { chain: Chain | null } = { chain: null }
  const engine = await createEngine(rules, stateSource(store), number => {
    const hash = opened.chain?.findHeader(number)?.hash
    return hash === undefined ? null : decodeHex(hash)
  })
  const chain = await openChain({
    store,
    engine,
    genesis: await engine.createGenesis(),
    shape: rules.shape,
  })
  opened.chain = chain
  return {
    store,
    engine,
    chain,
    import(blocks: readonly Uint8Array[]) {
      const file = join(createTemporaryFolder(), 'chain.rlp')
      writeFileSync(file, Buffer.concat(blocks))
      return importChain({
        ...{ chain, engine, store, file },
        keepTransactions: transactions => listJournalEntries(store, transactions),
      })
    },
  }
}

/** From the first block after the genesis on. */
function listChain(chain: Chain): Block[] {
  const blocks: Block[] = []
  for (let height = 1n; height <= chain.head().number; height++) {
    blocks.push(chain.findBlock(height) as Block)
  }
  return blocks
}

/** All but states, and what the pool keeps. */
function listEntries({ entries }: ReturnType<typeof createMemoryStore>): [string, Hex][] {
  const letters = ['n', 'q'].map(letter => Buffer.from(letter).toString('hex'))
  return [...entries]
    .filter(([key]) => !letters.includes(key.slice(0, 2)))
    .map(([key, value]): [string, Hex] => [key, encodeHex(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

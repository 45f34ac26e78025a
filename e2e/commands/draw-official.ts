/**
 * Draws the official tests that the unit tests of the chain node run, from checkouts of ethereum/tests and ethereum/legacytests and from
 * fixtures of execution-spec-tests, into `src/chain-node/testing/vectors`: those of a few folders, and of the others as many as
 * there is room for, always the same ones of the same checkouts. Values stay as they are; what no test reads is left out.
 *
 * `npx tsx e2e/commands/draw-official.ts <tests> <legacytests> <fixtures>`, then `npx biome check --write src/chain-node/testing/vectors`.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

type Fields = { readonly [name: string]: unknown }

interface Drawn {
  /** The folder, the name of the file unless the test's begins with it, and the test's name. */
  readonly id: string
  readonly test: Fields
}

/** What a file of vectors is made of. */
interface Selection {
  readonly file: string
  /** The places are drawn from one after the other, for as long as there is room. */
  readonly places: readonly Place[]
  /** Bytes at most, as they are indented. */
  readonly room: number
}

interface Place {
  /** A folder or a file. */
  readonly path: string
  /** Tests at most, all without. */
  readonly count?: number
  /** @param path - of the file */
  readonly takes?: (path: string, test: Fields) => boolean
}

const VECTORS = resolve(
  dirname(fileURLToPath(import.meta.url)),
  '../../src/chain-node/testing/vectors',
)
const SEED = 'official'
/** Tests that run for a second and more each. */
const SLOW = /randomStatetest94_|LoopCallsThenRevert|Call50000/
/** Bytes that a single test has at most where it is drawn. */
const MOST_BYTES = 40_000

const [tests = '', legacy = '', fixtures = ''] = process.argv.slice(2)
if (fixtures === '') {
  console.error('npx tsx e2e/commands/draw-official.ts <tests> <legacytests> <fixtures>')
  process.exit(2)
}

const blockTests = join(tests, 'BlockchainTests')
const oldBlockTests = join(legacy, 'Constantinople/BlockchainTests')
const isOf = (network: string) => (_: string, test: Fields) => test.network === network
const isUncle = (path: string) => path.includes('/bcUncle')

const SELECTIONS: readonly Selection[] = [
  {
    file: 'ethereum-tests/invalid-blocks.json',
    places: [{ path: join(blockTests, 'InvalidBlocks'), takes: path => !isUncle(path) }],
    room: 1_000_000,
  },
  {
    file: 'ethereum-tests/invalid-uncles.json',
    places: [
      { path: join(blockTests, 'InvalidBlocks'), count: 8, takes: isUncle },
      {
        path: join(oldBlockTests, 'InvalidBlocks'),
        takes: (path, test) => isUncle(path) && test.network === 'Byzantium',
      },
    ],
    room: 800_000,
  },
  {
    file: 'ethereum-tests/transitions.json',
    places: [
      { path: join(blockTests, 'TransitionTests/bcHomesteadToDao') },
      { path: join(blockTests, 'TransitionTests') },
    ],
    room: 800_000,
  },
  {
    file: 'ethereum-tests/branches.json',
    places: ['bcMultiChainTest', 'bcTotalDifficultyTest', 'bcForkStressTest'].map(folder => ({
      path: join(oldBlockTests, 'ValidBlocks', folder),
      takes: isOf('EIP150'),
    })),
    room: 800_000,
  },
  {
    file: 'ethereum-tests/valid-blocks.json',
    places: [
      { path: join(oldBlockTests, 'ValidBlocks/bcValidBlockTest'), takes: isOf('Frontier') },
      { path: join(oldBlockTests, 'ValidBlocks'), count: 30 },
      { path: join(blockTests, 'ValidBlocks'), count: 30 },
      { path: join(blockTests, 'GeneralStateTests'), count: 30 },
    ],
    room: 900_000,
  },
  {
    file: 'ethereum-tests/state.json',
    places: [{ path: join(tests, 'GeneralStateTests'), count: 80 }],
    room: 500_000,
  },
  {
    file: 'ethereum-tests/transactions.json',
    places: [
      { path: join(tests, 'TransactionTests/ttRSValue') },
      { path: join(tests, 'TransactionTests'), count: 100 },
    ],
    room: 500_000,
  },
  {
    file: 'ethereum-tests/tries.json',
    places: [{ path: join(tests, 'TrieTests'), takes: path => !/secure/i.test(path) }],
    room: 100_000,
  },
  {
    file: 'ethereum-tests/tries-secure.json',
    places: [{ path: join(tests, 'TrieTests'), takes: path => /secure/i.test(path) }],
    room: 100_000,
  },
  { file: 'ethereum-tests/rlp.json', places: [{ path: join(tests, 'RLPTests') }], room: 100_000 },
  {
    file: 'ethereum-tests/key-store.json',
    places: [{ path: join(tests, 'KeyStoreTests') }],
    room: 100_000,
  },
  {
    file: 'execution-spec-tests/blocks.json',
    places: [
      {
        path: join(fixtures, 'blockchain_tests/prague'),
        takes: (_, test) =>
          /^(Prague|CancunToPragueAtTime15k)$/.test(String(test.network)) &&
          JSON.stringify(test.blocks).includes('SYSTEM_CONTRACT'),
      },
      { path: join(fixtures, 'blockchain_tests'), count: 60 },
    ],
    room: 900_000,
  },
  {
    file: 'execution-spec-tests/state.json',
    places: [{ path: join(fixtures, 'state_tests'), count: 100 }],
    room: 500_000,
  },
]

/** What a genesis file has of a header, and its hash. */
const HEADER_FIELDS = [
  ...['baseFeePerGas', 'blobGasUsed', 'coinbase', 'difficulty', 'excessBlobGas', 'extraData'],
  ...['gasLimit', 'gasUsed', 'hash', 'mixHash', 'nonce', 'number', 'parentHash', 'timestamp'],
]

for (const selection of SELECTIONS) {
  const drawn = draw(selection)
  const path = join(VECTORS, selection.file)
  mkdirSync(dirname(path), { recursive: true })
  const content = Object.fromEntries(drawn.map(({ id, test }) => [id, test]))
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
  console.log(`${selection.file}: ${drawn.length} tests`)
}

function draw({ places, room }: Selection): Drawn[] {
  const drawn = new Map<string, Drawn>()
  let left = room
  for (const { path, count = Number.POSITIVE_INFINITY, takes = () => true } of places) {
    let taken = 0
    for (const file of sortByHash(listFiles(path))) {
      if (taken >= count) break
      for (const candidate of readTests(file)) {
        if (taken >= count) break
        if (drawn.has(candidate.id) || !takes(file, candidate.test)) continue
        if (SLOW.test(candidate.id)) continue
        const test = reduce(candidate.test)
        const size = JSON.stringify({ [candidate.id]: test }, null, 2).length
        if (size > left || (count < Number.POSITIVE_INFINITY && size > MOST_BYTES)) continue
        drawn.set(candidate.id, { id: candidate.id, test })
        left -= size
        taken += 1
        // One of a file: some hold a thousand.
        if (count < Number.POSITIVE_INFINITY && !isFlat(path, file)) break
      }
    }
  }
  return [...drawn.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Whether a file is in the folder itself, where a file holds the tests of several networks. */
function isFlat(path: string, file: string): boolean {
  return dirname(file) === path
}

function listFiles(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.json') && entry.parentPath !== '.meta')
    .map(entry => join(entry.parentPath, entry.name))
}

function sortByHash(names: readonly string[]): string[] {
  const hash = (name: string) =>
    createHash('sha256')
      .update(`${SEED} ${shorten(name)}`)
      .digest('hex')
  return names
    .map(name => ({ name, hash: hash(name) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ name }) => name)
}

/** Without the folder of the checkout. */
function shorten(path: string): string {
  const root = [tests, legacy, fixtures].find(root => path.startsWith(root)) ?? ''
  return relative(root, path)
}

function readTests(file: string): Drawn[] {
  let json: { [name: string]: Fields }
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
  const [folder = '', name = ''] = shorten(file)
    .replace(/\.json$/, '')
    .split('/')
    .slice(-2)
  const place = (test: string) => (test.startsWith(name) ? folder : `${folder}/${name}`)
  return sortByHash(Object.keys(json))
    .filter(test => typeof json[test] === 'object')
    .map(test => ({
      id: `${place(shortenName(test))}/${shortenName(test)}`,
      test: json[test] as Fields,
    }))
}

/** Without the name of the file in execution-spec-tests. */
function shortenName(name: string): string {
  return name.split('::').at(-1) ?? name
}

/** What a test reads of it. */
function reduce(test: Fields): Fields {
  if ('blocks' in test) {
    const { network, config, genesisBlockHeader, pre, blocks, lastblockhash } = test
    return {
      network,
      ...(config !== undefined && { config }),
      genesisBlockHeader: pick(genesisBlockHeader as Fields, HEADER_FIELDS),
      pre,
      blocks: (blocks as Fields[]).map(reduceBlock),
      lastblockhash,
    }
  }
  if ('post' in test) {
    const { env, pre, post, transaction, config } = test
    return {
      ...(config !== undefined && { config }),
      env,
      pre,
      post: Object.fromEntries(
        Object.entries(post as { [network: string]: Fields[] }).map(([network, cases]) => [
          network,
          cases
            .slice(0, 8)
            .map(one => pick(one, ['hash', 'logs', 'indexes', 'txbytes', 'expectException'])),
        ]),
      ),
      transaction: pick(transaction as Fields, ['sender']),
    }
  }
  const { _info, ...rest } = test
  return rest
}

function reduceBlock(block: Fields): Fields {
  const exceptions = Object.keys(block).filter(name => name.startsWith('expectException'))
  const header = block.blockHeader as (Fields & { readonly number: string }) | undefined
  return {
    ...pick(block, ['rlp', ...exceptions]),
    ...(header !== undefined && { blockHeader: pick(header, ['hash', 'number', 'difficulty']) }),
  }
}

function pick(from: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter(name => name in from).map(name => [name, from[name]]))
}

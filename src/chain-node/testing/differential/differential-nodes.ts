import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { computeAddress, id, Wallet } from 'ethers'
import { CREATE2_DEPLOYER, DEV_BALANCE, DEV_KEYS } from '../../dev-accounts.ts'
import { BERLIN_FORKS } from '../berlin-forks.ts'
import { startRunningNode } from '../running-node.ts'
import type { Ruleset } from './differential-contracts.ts'

/** Send nothing; EIP-7702 gives them code. */
export const AUTHORITIES = [1, 2, 3, 4].map(number => new Wallet(id(`authority ${number}`)))

export interface Request {
  readonly method: string
  readonly params: readonly unknown[]
}

export interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** One question with what both say; hashes of blocks are replaced by `block N`, for the chains have the same blocks but not the same hashes. */
export interface Exchange {
  readonly request: Request
  readonly ours: Answer
  readonly theirs: Answer
}

export interface NodePair {
  readonly ruleset: Ruleset
  /** Asks both. Where a parameter is the text `block N`, each is given its own hash of that block. */
  ask(requests: readonly Request[]): Promise<Exchange[]>
  /** Makes a block on both, with the same time, and gives its number. */
  mine(): Promise<number>
  height(): number
  /** What our node warned of. */
  complaints(): readonly string[]
  close(): Promise<void>
}

const GENESIS_TIME = 1_700_000_000
const GAS_LIMIT = 30_000_000
const BASE_FEE = 1_000_000_000
/** Of the first block after the genesis (EIP-1559), which is what anvil wants to be told. */
const FIRST_BASE_FEE = 875_000_000

/** EIP-2935; anvil puts it into every chain from Prague on. */
const HISTORY_CONTRACT = '0x0000f90827f1c53a10cb7a02335b175320002935'

export const anvilMissing = !existsSync(findAnvil())

function findAnvil(): string {
  const system = `${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`
  const name = platform() === 'win32' ? 'anvil.exe' : 'anvil'
  const packages = join(import.meta.dirname, '../../../../node_modules/@foundry-rs')
  return join(packages, `anvil-${system}`, 'bin', name)
}

/** Starts our node and anvil on the same chain. */
export async function startNodePair(ruleset: Ruleset): Promise<NodePair> {
  const folder = mkdtempSync(join(tmpdir(), 'chain-node-anvil-'))
  const genesis = join(folder, 'genesis.json')
  writeFileSync(genesis, JSON.stringify(describeGenesis(ruleset)))
  const chain =
    ruleset === 'berlin'
      ? ['--dev', '--gas-limit', String(GAS_LIMIT)]
      : ['--genesis', genesis, '--data', join(folder, 'data')]
  const limits = ['--gas-price', '0', '--call-gas', String(GAS_LIMIT), '--logs-span', '0']
  const node = await startRunningNode([...chain, ...limits, '--on-demand'])
  const port = await findFreePort()
  const anvil = startAnvil(port, genesis, ruleset)
  const ours = createSide(node.url)
  const theirs = createSide(`http://127.0.0.1:${port}`)
  let height = 0

  async function close(): Promise<void> {
    anvil.kill('SIGKILL')
    await node.close()
    rmSync(folder, { recursive: true, force: true })
  }

  async function mine(): Promise<number> {
    await ours.ask([{ method: 'evm_mine', params: [] }])
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    const timestamp = Number((await ours.readLatest(latest)).timestamp)
    await theirs.ask([{ method: 'evm_mine', params: [{ timestamp }] }])
    await theirs.readLatest(latest)
    return ++height
  }

  try {
    await waitForAnvil(theirs, anvil)
    if (ruleset === 'prague') await removeHistoryContract(theirs)
    await Promise.all([ours, theirs].map(side => side.readLatest(FIRST)))
  } catch (error) {
    await close()
    throw error
  }
  return {
    ruleset,
    mine,
    height: () => height,
    complaints: () => node.complaints,
    close,
    async ask(requests) {
      const [first, second] = await Promise.all([ours.ask(requests), theirs.ask(requests)])
      return requests.map((request, index) => ({
        request,
        ours: first[index] as Answer,
        theirs: second[index] as Answer,
      }))
    },
  }
}

const FIRST: Request = { method: 'eth_getBlockByNumber', params: ['0x0', false] }

/** It would store hashes of blocks, which are not equal: anvil's first header has the root of an empty state. */
async function removeHistoryContract(side: Side): Promise<void> {
  await side.ask([{ method: 'anvil_setCode', params: [HISTORY_CONTRACT, '0x'] }])
  await side.ask([{ method: 'anvil_setNonce', params: [HISTORY_CONTRACT, '0x0'] }])
}

function startAnvil(port: number, genesis: string, ruleset: Ruleset): ChildProcess {
  const fee = ruleset === 'prague' ? FIRST_BASE_FEE : 0
  const rules = ['--init', genesis, '--hardfork', ruleset, '--chain-id', '66', '--no-mining']
  const amounts = ['--gas-limit', GAS_LIMIT, '--base-fee', fee, '--gas-price', fee].map(String)
  const others = ['--disable-default-create2-deployer', '--no-priority-fee', '--quiet']
  const server = ['--port', String(port), '--no-request-size-limit']
  return spawn(findAnvil(), [...rules, ...amounts, ...others, ...server], { stdio: 'ignore' })
}

async function waitForAnvil(side: Side, anvil: ChildProcess): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await wait(50)) {
    if (anvil.exitCode !== null) throw new Error(`anvil ended with ${anvil.exitCode}`)
    const isThere = await side.ask([{ method: 'eth_chainId', params: [] }]).catch(() => null)
    if (isThere) return
  }
  throw new Error('anvil did not start')
}

interface Side {
  ask(requests: readonly Request[]): Promise<Answer[]>
  /** Asks for a block, and knows its hash from then on. */
  readLatest(request: Request): Promise<{ readonly timestamp: string }>
}

function createSide(url: string): Side {
  const names = new Map<string, string>()
  const hashes = new Map<string, string>()
  const name = (value: unknown) => replaceTexts(value, text => names.get(text) ?? text)

  async function send(requests: readonly Request[]): Promise<Answer[]> {
    if (requests.length === 0) return []
    const own = requests.map(({ method, params }, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: replaceTexts(params, text => hashes.get(text) ?? text),
    }))
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(own)
    const answers = await (await fetch(url, { method: 'POST', headers, body })).json()
    if (!Array.isArray(answers)) throw new Error(`${url}: ${JSON.stringify(answers)}`)
    const sorted: ({ id: number } & Answer)[] = answers.sort((a, b) => a.id - b.id)
    return sorted.map(({ result, error }) => (error ? { error } : { result }))
  }

  return {
    ask: async requests => (await send(requests)).map(answer => name(answer) as Answer),
    async readLatest(request) {
      const [answer] = await send([request])
      const block = answer?.result as { hash: string; number: string; timestamp: string }
      const label = `block ${Number(block.number)}`
      names.set(block.hash, label)
      hashes.set(label, block.hash)
      return block
    },
  }
}

function replaceTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map(item => replaceTexts(item, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceTexts(item, replace)]),
  )
}

const LATER_FORKS = [
  'londonBlock',
  'arrowGlacierBlock',
  'grayGlacierBlock',
  'mergeNetsplitBlock',
  'shanghaiTime',
  'cancunTime',
  'pragueTime',
  'terminalTotalDifficulty',
]

function describeGenesis(ruleset: Ruleset) {
  const forks = ruleset === 'berlin' ? BERLIN_FORKS : [...BERLIN_FORKS, ...LATER_FORKS]
  const balance = `0x${DEV_BALANCE.toString(16)}`
  const accounts = DEV_KEYS.map(key => [computeAddress(key).toLowerCase(), { balance }])
  // To anvil, authorities that were touched are there, also when they are empty, and it refunds gas for that (EIP-7702).
  const authorities = AUTHORITIES.map(({ address }) => [address.toLowerCase(), { balance: '0x1' }])
  // `--dev` has it.
  const { address, code } = CREATE2_DEPLOYER
  const deployer = [address, { balance: '0x0', nonce: '0x1', code }]
  return {
    config: { chainId: 66, ...Object.fromEntries(forks.map(fork => [fork, 0])) },
    nonce: '0x0',
    timestamp: `0x${GENESIS_TIME.toString(16)}`,
    extraData: '0x',
    gasLimit: `0x${GAS_LIMIT.toString(16)}`,
    difficulty: '0x0',
    ...(ruleset === 'prague' && { baseFeePerGas: `0x${BASE_FEE.toString(16)}` }),
    alloc: Object.fromEntries([...accounts, ...(ruleset === 'prague' ? authorities : [deployer])]),
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

import { gunzipSync } from 'node:zlib'
import { Transaction } from 'ethers'
import type { CompiledContracts } from './differential-contracts.ts'
import { CONTRACT_NAMES } from './differential-contracts.ts'
import { AUTHORITIES, type Exchange, type NodePair, type Request } from './differential-nodes.ts'
import {
  createdAddress,
  describeCall,
  describeQuery,
  findAddress,
  listWrongRequests,
  type Places,
  signTransaction,
  toQuantity,
  WALLETS,
} from './differential-requests.ts'
import {
  REFUSED_SENDER,
  type Scenario,
  type SentTransaction,
  wrapRuntime,
} from './differential-scenarios.ts'
import { computeStateRoot } from './differential-state.ts'

/** Two nodes with the contracts that every scenario uses. */
export interface Field {
  readonly pair: NodePair
  readonly compiled: CompiledContracts
  readonly contracts: { readonly [name: string]: string }
}

/** Deploys the contracts on both, and gives the account that sends what is refused a nonce to repeat. */
export async function prepareField(pair: NodePair, compiled: CompiledContracts): Promise<Field> {
  const places: Places = { contracts: {}, programs: [], compiled }
  const contracts = Object.fromEntries(
    CONTRACT_NAMES.map((name, index) => [name, createdAddress(index, 0)]),
  )
  const deployments = CONTRACT_NAMES.map((name, from) =>
    describeSent({ from, gas: 3_000_000, input: compiled[name].initCode }),
  )
  const first = describeSent({ from: REFUSED_SENDER, to: { account: 0 }, gas: 21_000 })
  const nonces = { accounts: WALLETS.map(() => 0), authorities: [] }
  requireEqual(await sendAll(pair, await sign(pair, places, [...deployments, first], nonces)))
  await pair.mine()
  return { pair, compiled, contracts }
}

/** The root of our state, and the one that follows from the accounts that anvil has. */
export async function readStateRoots(pair: NodePair): Promise<{ ours: string; theirs: string }> {
  const [dump, block] = await pair.ask([
    { method: 'anvil_dumpState', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])
  const bytes = Buffer.from(String(dump?.theirs.result).slice(2), 'hex')
  const { accounts } = JSON.parse(gunzipSync(bytes).toString())
  const latest = block?.ours.result as { readonly stateRoot: string } | undefined
  return { ours: latest?.stateRoot ?? '', theirs: await computeStateRoot(accounts) }
}

function requireEqual(exchanges: readonly Exchange[]): void {
  for (const { ours, theirs } of exchanges) {
    if (ours.result !== theirs.result) throw new Error(JSON.stringify([ours, theirs]))
  }
}

function describeSent(
  given: Pick<SentTransaction, 'from' | 'gas'> & Partial<SentTransaction>,
): SentTransaction {
  return {
    type: 0,
    price: 1,
    to: null,
    input: '0x',
    value: 0n,
    accessList: [],
    authorizations: [],
    fault: null,
    ...given,
  }
}

/** What both said of a call with the gas that we estimated, and with a unit less. */
export interface EstimateCheck {
  readonly estimate: Exchange
  readonly enough: Exchange
  readonly less: Exchange
}

export interface ScenarioRun {
  /** Everything that was asked and answered. */
  readonly exchanges: readonly Exchange[]
  readonly checks: readonly EstimateCheck[]
}

/** Runs a scenario on both nodes. */
export async function runScenario(field: Field, scenario: Scenario): Promise<ScenarioRun> {
  const { pair, compiled, contracts } = field
  const exchanges: Exchange[] = []
  const ask = async (requests: readonly Request[]) => {
    const asked = await pair.ask(requests)
    exchanges.push(...asked)
    return asked
  }

  const nonces = await readNonces(pair)
  const programs = scenario.programs.map((_, index) =>
    createdAddress(index, nonces.accounts[index] ?? 0),
  )
  const places: Places = { contracts, programs, compiled }
  const deployments = scenario.programs.map((code, from) =>
    describeSent({ from, gas: 500_000, input: wrapRuntime(code) }),
  )
  const transactions = [...deployments, ...scenario.transactions]
  const raws = await sign(pair, places, transactions, nonces)
  exchanges.push(...(await sendAll(pair, raws)))
  const height = await pair.mine()

  const hashes = raws.map(raw => Transaction.from(raw).hash)
  await ask([
    ...listBlockRequests(height),
    ...hashes.flatMap(hash => [
      { method: 'eth_getTransactionReceipt', params: [hash] },
      { method: 'eth_getTransactionByHash', params: [hash] },
    ]),
    ...listAccountRequests(places, transactions),
    ...scenario.queries.map(query => describeQuery(places, query, height)),
    ...listWrongRequests(places, height).filter((_, index) => scenario.wrong.includes(index)),
  ])
  const asked = await ask(scenario.calls.map(call => describeCall(places, call, height)))
  const estimates = asked.filter(
    ({ request, ours }) => request.method === 'eth_estimateGas' && ours.result !== undefined,
  )
  const answers = await ask(estimates.flatMap(listEstimateCalls))
  const checks = estimates.map((estimate, index) => ({
    estimate,
    enough: answers[index * 2] as Exchange,
    less: answers[index * 2 + 1] as Exchange,
  }))
  return { exchanges, checks }
}

async function sign(
  pair: NodePair,
  places: Places,
  transactions: readonly SentTransaction[],
  nonces: { readonly accounts: number[]; readonly authorities: number[] },
): Promise<string[]> {
  const baseFees = await readBaseFees(pair)
  return transactions.flatMap((sent, index) => {
    const nonce = nonces.accounts[sent.from] ?? 0
    const facts = { nonce, baseFees, index, authorityNonces: nonces.authorities }
    const raw = signTransaction(places, sent, facts)
    if (sent.fault === null || sent.fault === 'twice') nonces.accounts[sent.from] = nonce + 1
    return sent.fault === 'twice' ? [raw, raw] : [raw]
  })
}

/** One after the other: in another order they would be other questions. */
async function sendAll(pair: NodePair, raws: readonly string[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (const raw of raws) {
    exchanges.push(...(await pair.ask([{ method: 'eth_sendRawTransaction', params: [raw] }])))
  }
  return exchanges
}

async function readNonces(pair: NodePair) {
  const addresses = [...WALLETS, ...AUTHORITIES].map(({ address }) => address)
  const asked = await pair.ask(
    addresses.map(address => ({ method: 'eth_getTransactionCount', params: [address, 'latest'] })),
  )
  const counts = asked.map(({ ours }) => Number(ours.result))
  return { accounts: counts.slice(0, WALLETS.length), authorities: counts.slice(WALLETS.length) }
}

/** Of the next block, and of the last, below which anvil takes nothing. */
async function readBaseFees(pair: NodePair) {
  const asked = await pair.ask(
    ['pending', 'latest'].map(tag => ({ method: 'eth_getBlockByNumber', params: [tag, false] })),
  )
  const [next = 0n, last = 0n] = asked.map(({ ours }) =>
    BigInt((ours.result as { baseFeePerGas?: string }).baseFeePerGas ?? 0),
  )
  return { next, last }
}

function listBlockRequests(height: number): Request[] {
  const number = toQuantity(height)
  return [
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getBlockByNumber', params: [number, true] },
    { method: 'eth_getBlockByHash', params: [`block ${height}`, false] },
    { method: 'eth_getBlockTransactionCountByNumber', params: [number] },
    { method: 'eth_getBlockTransactionCountByHash', params: [`block ${height}`] },
    { method: 'eth_getTransactionByBlockNumberAndIndex', params: [number, '0x0'] },
    { method: 'eth_getTransactionByBlockHashAndIndex', params: [`block ${height}`, '0x1'] },
    { method: 'eth_getLogs', params: [{ fromBlock: number, toBlock: number }] },
  ]
}

function listAccountRequests(places: Places, transactions: readonly SentTransaction[]): Request[] {
  const targets = transactions.flatMap(({ to, from }) => [{ account: from }, ...(to ? [to] : [])])
  const addresses = new Set([
    ...targets.map(target => findAddress(places, target)),
    ...places.programs,
    ...AUTHORITIES.map(({ address }) => address.toLowerCase()),
  ])
  return [...addresses].flatMap(address => [
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getCode', params: [address, 'latest'] },
    ...[0, 1, 2].map(slot => ({
      method: 'eth_getStorageAt',
      params: [address, toQuantity(slot), 'latest'],
    })),
  ])
}

function listEstimateCalls({ request, ours }: Exchange): Request[] {
  const [message, ...rest] = request.params
  const least = BigInt(ours.result as string)
  return [least, least - 1n].map(gas => ({
    method: 'eth_call',
    params: [{ ...(message as object), gas: toQuantity(gas) }, ...rest],
  }))
}

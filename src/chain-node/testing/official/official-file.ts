/**
 * The official tests of Ethereum (ethereum/tests, the fixtures of execution-spec-tests), run through the node's own code. This file
 * tells by its shape what a file of theirs holds, and runs all tests of it.
 */

import { type BlockchainTest, runBlockchainTest } from './blockchain-test.ts'
import {
  type DifficultyTest,
  hasEqualKeys,
  type KeyStoreTest,
  type RlpTest,
  runDifficultyTest,
  runKeyStoreTest,
  runRlpTest,
  runTrieTest,
  type TrieTest,
} from './data-tests.ts'
import { isKnownNetwork, rulesOf } from './networks.ts'
import { runStateTest, type StateTest } from './state-test.ts'
import { runTransactionTest, type TransactionTest } from './transaction-test.ts'

export const KINDS = [
  'blockchain',
  'state',
  'transaction',
  'trie',
  'rlp',
  'key store',
  'difficulty',
  'other',
] as const

export type OfficialKind = (typeof KINDS)[number]

export interface OfficialResult {
  readonly kind: OfficialKind
  readonly name: string
  /** None where the test passed or was skipped. */
  readonly faults: readonly string[]
  /** Why it was not run; null where it was. */
  readonly skipped: string | null
}

/** A test before it is run. */
export interface OfficialCase {
  readonly kind: OfficialKind
  readonly name: string
  /** The faults that are found, or why it is not run. */
  readonly run: (() => Promise<string[]> | string[]) | string
}

type Fields = { readonly [name: string]: unknown }

/**
 * All tests of a file, in their order.
 *
 * @param path - of the file: some kinds say there what they are of
 * @param json - what it holds
 */
export function listCases(path: string, json: unknown): OfficialCase[] {
  if (!isObject(json)) return [skip(path, 'is not an object of tests')]
  return Object.entries(json).flatMap(([name, test]) => {
    if (!isObject(test)) return name === '_info' ? [] : [skip(name, OF_NO_KIND)]
    const has = (...fields: string[]) => fields.every(field => Object.hasOwn(test, field))
    if (has('blocks', 'genesisBlockHeader', 'pre')) return listBlockchainCases(name, test)
    if (has('env', 'pre', 'post', 'transaction')) return listStateCases(name, test)
    if (has('txbytes', 'result')) return listTransactionCases(name, test)
    if (has('in', 'root')) return [describeTrieCase(path, name, test as unknown as TrieTest)]
    if (has('in', 'out'))
      return [{ kind: 'rlp', name, run: () => runRlpTest(test as unknown as RlpTest) }]
    if (has('json', 'password', 'priv'))
      return [
        { kind: 'key store', name, run: () => runKeyStoreTest(test as unknown as KeyStoreTest) },
      ]
    const difficulties = listDifficultyCases(path, name, test)
    if (difficulties.length > 0) return difficulties
    if (has('engineNewPayloads')) return [skip(name, 'is of the Engine API, which there is not')]
    if (has('in', 'tests')) return [skip(name, 'asks for the neighbours of a key in a trie')]
    return [skip(name, OF_NO_KIND)]
  })
}

/** Runs a test; what it throws is a fault. */
export async function runCase({ kind, name, run }: OfficialCase): Promise<OfficialResult> {
  if (typeof run === 'string') return { kind, name, faults: [], skipped: run }
  try {
    return { kind, name, faults: await run(), skipped: null }
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { kind, name, faults: [fault], skipped: null }
  }
}

const OF_NO_KIND = 'is of no kind that is run'

function skip(name: string, reason: string): OfficialCase {
  return { kind: 'other', name, run: reason }
}

function listBlockchainCases(name: string, test: Fields): OfficialCase[] {
  const network = String(test.network)
  const run = isKnownNetwork(network)
    ? () => runBlockchainTest(test as unknown as BlockchainTest)
    : `the network ${network} is not known`
  return [{ kind: 'blockchain', name, run }]
}

function listStateCases(name: string, test: Fields): OfficialCase[] {
  const { post } = test as unknown as StateTest
  return Object.entries(post).flatMap(([network, cases]) =>
    cases.map((wanted, index): OfficialCase => {
      const run = isKnownNetwork(network)
        ? () => runStateTest(test as unknown as StateTest, network, wanted)
        : `the network ${network} is not known`
      return { kind: 'state', name: `${name} ${network} ${index}`, run }
    }),
  )
}

function listTransactionCases(name: string, test: Fields): OfficialCase[] {
  const { result } = test as unknown as TransactionTest
  return Object.entries(result).map(([network, wanted]): OfficialCase => {
    const run = isKnownNetwork(network)
      ? () => runTransactionTest(test as unknown as TransactionTest, network, wanted)
      : `the network ${network} is not known`
    return { kind: 'transaction', name: `${name} ${network}`, run }
  })
}

function describeTrieCase(path: string, name: string, test: TrieTest): OfficialCase {
  const isSecure = /secure/i.test(path)
  const run =
    isSecure || hasEqualKeys(test)
      ? () => runTrieTest(test, isSecure)
      : 'has keys of several lengths, as no trie of the node has'
  return { kind: 'trie', name, run }
}

/** By network and name, or by name alone in a file that is named after its network. */
function listDifficultyCases(path: string, name: string, test: Fields): OfficialCase[] {
  if ('currentDifficulty' in test) {
    const network = /difficulty(\w+?)(_\w+)?\.json$/.exec(path)?.[1] ?? 'missing'
    return [describeDifficultyCase(network, name, test)]
  }
  return Object.entries(test).flatMap(([network, cases]) =>
    isObject(cases)
      ? Object.entries(cases).flatMap(([caseName, one]) =>
          isObject(one) && 'currentDifficulty' in one
            ? [describeDifficultyCase(network, `${name} ${caseName}`, one)]
            : [],
        )
      : [],
  )
}

function describeDifficultyCase(network: string, name: string, test: Fields): OfficialCase {
  const run = isKnownNetwork(network)
    ? async () => runDifficultyTest(await rulesOf(network), test as unknown as DifficultyTest)
    : `the network ${network} is not known`
  return { kind: 'difficulty', name, run }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

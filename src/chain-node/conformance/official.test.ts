import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type BlockchainTest, judgeBlocks } from '../testing/official/blockchain-test.ts'
import { listCases, runCase } from '../testing/official/official-file.ts'

const VECTORS = new URL('../testing/vectors/', import.meta.url)

function readVectors(path: string): object {
  return JSON.parse(readFileSync(new URL(path, VECTORS), 'utf8'))
}

const files = ['ethereum-tests/', 'execution-spec-tests/'].flatMap(folder =>
  readdirSync(new URL(folder, VECTORS))
    .filter(name => name !== 'difficulty.json')
    .map(name => folder + name),
)

describe('the official tests', () => {
  it.each(files)('of %s are passed', async file => {
    const cases = listCases(file, readVectors(file))
    const faults: string[] = []
    const skipped = new Set<string>()
    for (const test of cases) {
      const result = await runCase(test)
      if (result.skipped !== null) skipped.add(result.skipped)
      for (const fault of result.faults) faults.push(`${result.name}: ${fault}`)
    }
    expect(faults).toEqual([])
    expect(cases.length).toBeGreaterThan(4)
    expect([...skipped].filter(reason => !SKIPPED.includes(reason))).toEqual([])
  })
})

/** What the node has no code for. */
const SKIPPED = [
  'has keys of several lengths, as no trie of the node has',
  'asks for the neighbours of a key in a trie',
]

/** The seal of proof of work is not looked at, and these are refused for what else is wrong with the block that has the uncle. */
const UNSEALED = ['InvalidBlockNonce', 'InvalidStateRoot']

describe('the official invalid uncles', () => {
  const tests = Object.entries<BlockchainTest>(
    readVectors('ethereum-tests/invalid-uncles.json') as { [name: string]: BlockchainTest },
  ).filter(([, { network }]) => network === 'Byzantium')

  it.each(tests)('of %s are why their blocks are refused', async (_, test) => {
    const { judged } = await judgeBlocks(test)
    for (const { wanted, refusal } of judged) {
      if (wanted !== null && !UNSEALED.includes(wanted))
        expect(refusal).toMatch(/: (its uncle |it has 3 uncles)/)
    }
    expect(judged.length).toBeGreaterThan(2)
  })
})

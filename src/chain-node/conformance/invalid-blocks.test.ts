import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type BlockchainTest, runBlockchainTest } from '../testing/official/blockchain-test.ts'

const FOLDER = new URL('../testing/vectors/ethereum-tests/', import.meta.url)
const tests = ['invalid-blocks.json', 'invalid-uncles.json'].flatMap(file =>
  Object.entries<BlockchainTest>(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))),
)

describe('the official invalid blocks', () => {
  it.each(tests)('of %s are refused, and those beside them taken', async (_, test) => {
    expect(await runBlockchainTest(test)).toEqual([])
  })
})

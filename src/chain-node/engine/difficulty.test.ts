import { readFileSync } from 'node:fs'
import { Common, Mainnet } from '@ethereumjs/common'
import { describe, expect, it } from 'vitest'
import { computeDifficulty } from './difficulty.ts'

const FILE = new URL('../testing/vectors/ethereum-tests/difficulty.json', import.meta.url)

type Row = [
  parentDifficulty: string,
  parentTimestamp: string,
  timestamp: string,
  number: string,
  parentUncles: string,
  difficulty: string,
]
const vectors: { [network: string]: Row[] } = JSON.parse(readFileSync(FILE, 'utf8'))

const HARDFORKS: { [network: string]: string } = {
  Frontier: 'chainstart',
  Homestead: 'homestead',
  Byzantium: 'byzantium',
  Constantinople: 'constantinople',
  Berlin: 'berlin',
  ArrowGlacier: 'arrowGlacier',
  GrayGlacier: 'grayGlacier',
}

describe('the difficulty of the next block', () => {
  it.each(Object.keys(HARDFORKS))('is what the official tests of %s say', network => {
    const rows = vectors[network] ?? []
    expect(rows.length).toBeGreaterThan(50)
    const common = new Common({ chain: Mainnet, hardfork: HARDFORKS[network] as string })
    const computed = rows.map(([difficulty, timestamp, at, number, uncles]) =>
      computeDifficulty(
        common,
        {
          difficulty: BigInt(difficulty),
          timestamp: BigInt(timestamp),
          number: BigInt(number) - 1n,
          hasUncles: BigInt(uncles) !== 0n,
        },
        BigInt(at),
      ),
    )
    expect(computed).toEqual(rows.map(row => BigInt(row[5])))
  })
})

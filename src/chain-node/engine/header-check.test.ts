import { describe, expect, it } from 'vitest'
import { BERLIN_FORKS } from '../testing/berlin-forks.ts'
import { setUpEngine } from '../testing/engine-setup.ts'
import type { Header } from './block.ts'
import { readGenesis } from './genesis/genesis.ts'
import { findHeaderFault } from './header-check.ts'
import { createRules } from './rules.ts'

function describeGenesis(later: object, difficulty: string) {
  const forks = Object.fromEntries(BERLIN_FORKS.map(name => [name, 0]))
  const config = { chainId: 1, ...forks, ...later }
  return readGenesis({ config, gasLimit: '0x1c9c380', difficulty, alloc: {} })
}

async function openChain(later: object, difficulty = '0x20000') {
  const genesis = describeGenesis(later, difficulty)
  const rules = await createRules(genesis)
  const { head, engine } = await setUpEngine(genesis)
  const parent = head()
  const template = { timestamp: 1n, miner: `0x${'00'.repeat(20)}`, extraData: '0x' } as const
  const produce = (gasLimit: bigint) =>
    engine.produceBlock(parent, { ...template, gasLimit }, []).then(({ block }) => block.header)
  return {
    parent,
    produce,
    faultOf: (header: Header, changes: Partial<Header> = {}) =>
      findHeaderFault(rules, parent, { ...header, ...changes }),
  }
}

describe('the header of a block that was made elsewhere', () => {
  it('may have twice the gas limit where EIP-1559 begins, and nothing near the old one', async () => {
    const { produce, faultOf } = await openChain({ londonBlock: 1 })
    const header = await produce(30_000_000n)
    expect(header.gasLimit).toBe(60_000_000n)
    expect(faultOf(header)).toBeNull()
    expect(faultOf(header, { gasLimit: 30_000_000n })).toBe(
      'its gas limit is 30000000, which is too far from 60000000',
    )
  })

  it('changes the gas limit by less than a 1024th', async () => {
    const { produce, faultOf } = await openChain({})
    const header = await produce(30_000_000n)
    const most = 30_000_000n / 1_024n
    expect(faultOf(header, { gasLimit: 30_000_000n + most - 1n })).toBeNull()
    for (const gasLimit of [30_000_000n + most, 30_000_000n - most])
      expect(faultOf(header, { gasLimit })).toContain('too far from 30000000')
    expect(faultOf(header, { gasLimit: 4_999n })).toContain('expected 5000 to')
    expect(faultOf(header, { gasUsed: 30_000_001n })).toBe('it uses 30000001 of 30000000 gas')
  })

  it('has at most 32 bytes of extra data', async () => {
    const { produce, faultOf } = await openChain({})
    const header = await produce(30_000_000n)
    expect(faultOf(header, { extraData: `0x${'00'.repeat(32)}` })).toBeNull()
    expect(faultOf(header, { extraData: `0x${'00'.repeat(33)}` })).toContain('has 33 bytes')
  })

  it('has the difficulty of its fork', async () => {
    const { produce, faultOf, parent } = await openChain({})
    const header = await produce(30_000_000n)
    // EIP-100: one second after its parent, which has no uncles, a 2048th more.
    const difficulty = 0x20000n + 0x20000n / 2_048n
    expect(parent.difficulty).toBe(0x20000n)
    expect(header.difficulty).toBe(difficulty)
    expect(faultOf(header)).toBeNull()
    for (const wrong of [0n, difficulty + 1n])
      expect(faultOf(header, { difficulty: wrong })).toBe(
        `its difficulty is ${wrong}, expected ${difficulty}`,
      )
  })

  it('has no difficulty on a chain whose blocks cost no work', async () => {
    const { produce, faultOf } = await openChain({}, '0x0')
    const header = await produce(30_000_000n)
    expect(header.difficulty).toBe(0n)
    expect(faultOf(header)).toBeNull()
    expect(faultOf(header, { difficulty: 131_072n })).toBe('its difficulty is 131072, expected 0')
  })

  it('has after the merge no difficulty, nonce or uncles, and no more blobs than its fork allows', async () => {
    const { produce, faultOf } = await openChain({
      ...{ londonBlock: 0, mergeNetsplitBlock: 0, terminalTotalDifficulty: 0 },
      ...{ shanghaiTime: 0, cancunTime: 0 },
    })
    const header = await produce(30_000_000n)
    expect(faultOf(header)).toBeNull()
    expect(faultOf(header, { difficulty: 1n })).toBe('its difficulty is 1, expected 0')
    expect(faultOf(header, { nonce: '0x0000000000000001' })).toContain('its nonce is')
    expect(faultOf(header, { uncleHash: header.parentHash })).toContain('its uncleHash is')
    // Six blobs (EIP-4844).
    expect(faultOf(header, { blobGasUsed: 6n * 131_072n })).toBeNull()
    expect(faultOf(header, { blobGasUsed: 7n * 131_072n })).toBe(
      'its blobs use 917504 gas, at most 786432 are allowed',
    )
  })

  it('is that of what the node makes itself, across the beginning of EIP-1559 and with difficulty', async () => {
    for (const difficulty of ['0x0', '0x20000']) {
      const genesis = describeGenesis({ londonBlock: 2 }, difficulty)
      const [maker, taker] = [await setUpEngine(genesis), await setUpEngine(genesis)]
      for (let height = 1; height <= 4; height++) {
        const { block } = await maker.produce([], maker.head().gasLimit)
        await taker.execute(taker.engine.decodeBlock(block.rlp))
      }
      expect(taker.head()).toEqual(maker.head())
    }
  })
})

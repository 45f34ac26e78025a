import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import type { Hex } from '../codec/hex.ts'
import type { LogEntry } from '../engine/block.ts'
import { openStore } from '../store/level-store.ts'
import { createSampleBlock, createSampleGenesis, sampleEngine } from '../testing/sample-blocks.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import type { Chain, LogQuery } from './chain.ts'
import { openChain } from './level-chain.ts'

const { count: RUNS } = campaign('queries of logs')
const addresses = ['a1', 'a2', 'a3', 'a4'].map(byte => `0x${byte.repeat(20)}` as Hex)
const topics = ['01', '02', '03', '04', '05'].map(byte => `0x${byte.repeat(32)}` as Hex)

const logs = fc.record<LogEntry>({
  address: fc.constantFrom(...addresses),
  topics: fc.array(fc.constantFrom(...topics), { maxLength: 4 }),
  data: fc.constantFrom('0x', '0xff'),
})
const blocks = fc.array(fc.array(fc.array(logs, { maxLength: 4 }), { maxLength: 4 }), {
  minLength: 60,
  maxLength: 60,
})
const queries = fc.record({
  from: fc.bigInt(0n, 70n),
  to: fc.bigInt(0n, 70n),
  addresses: fc.array(fc.constantFrom(...addresses), { maxLength: 3 }),
  topics: fc.array(fc.array(fc.constantFrom(...topics), { maxLength: 3 }), { maxLength: 4 }),
})

describe('queryLogs', () => {
  it('finds the logs that a look at every one of them finds', async () => {
    const [sample] = fc.sample(blocks, { numRuns: 1, seed: 1 })
    const chain = await openWith(sample ?? [])
    await fc.assert(
      fc.asyncProperty(queries, async query => {
        const found = await chain.queryLogs(query, 10_000)
        expect(found.map(({ json }) => place(json))).toEqual(scan(sample ?? [], query))
      }),
      { numRuns: RUNS },
    )
  })

  it('finds one rare log among many through whichever criterion is rare', async () => {
    const [common, rare] = [addresses[0], addresses[1]] as [Hex, Hex]
    const [frequent, single] = [topics[0], topics[1]] as [Hex, Hex]
    const usual: LogEntry = { address: common, topics: [frequent, frequent], data: '0x' }
    const crowd = Array.from({ length: 40 }, () => [Array.from({ length: 10 }, () => usual)])
    crowd[20]?.push([{ ...usual, topics: [frequent, single] }])
    crowd[30]?.push([{ ...usual, address: rare }])
    const chain = await openWith(crowd)
    const all = { from: 0n, to: 40n }
    const byTopic = { ...all, addresses: [common], topics: [[frequent], [single]] }
    expect(await places(chain, byTopic)).toEqual(['21 10'])
    const byAddress = { ...all, addresses: [rare], topics: [[frequent], [frequent, single]] }
    expect(await places(chain, byAddress)).toEqual(['31 10'])
    const byNothing = { ...all, addresses: [rare], topics: [[], [single]] }
    expect(await places(chain, byNothing)).toEqual([])
  })

  it('gives as many as the limit, and refuses one more', async () => {
    const log: LogEntry = { address: addresses[0] as Hex, topics: [topics[0] as Hex], data: '0x' }
    const chain = await openWith([[[log, log, log]], [[log, log]]])
    for (const criteria of [
      { addresses: [], topics: [] },
      { addresses: [log.address], topics: [] },
      { addresses: [], topics: [[...log.topics, topics[1] as Hex]] },
    ]) {
      const query = { from: 0n, to: 2n, ...criteria }
      expect(await chain.queryLogs(query, 5)).toHaveLength(5)
      await expect(chain.queryLogs(query, 4)).rejects.toMatchObject({
        name: 'RpcError',
        code: -32005,
        message: 'query returned more than 4 results',
      })
    }
  })

  it('lets others have their turn while it walks through many logs', async () => {
    const log: LogEntry = { address: addresses[0] as Hex, topics: [topics[0] as Hex], data: '0x' }
    const chain = await openWith([Array.from({ length: 6 }, () => Array(1000).fill(log))])
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    onTestFinished(() => clearInterval(timer))
    const absent = topics[1] as Hex
    const query = {
      from: 0n,
      to: 1n,
      addresses: [log.address],
      topics: [[topics[0] as Hex, absent]],
    }
    expect(await chain.queryLogs(query, 100_000)).toHaveLength(6000)
    expect(turns).toBeGreaterThan(3)
  })
})

type Blocks = readonly (readonly (readonly LogEntry[])[])[]

async function openWith(sample: Blocks): Promise<Chain> {
  const store = await openStore(createTemporaryFolder())
  onTestFinished(() => store.close())
  const genesis = createSampleGenesis()
  const chain = await openChain({ store, engine: sampleEngine, genesis, shape: 'specified' })
  for (const transactions of sample) {
    const block = transactions.map(logs => ({ logs }))
    await chain.append(createSampleBlock(chain.head(), block))
  }
  return chain
}

/** What geth's `includes` does: one log after the other. */
function scan(sample: Blocks, query: LogQuery): string[] {
  const found: string[] = []
  sample.forEach((transactions, i) => {
    const height = BigInt(i + 1)
    if (height < query.from || height > query.to) return
    transactions.flat().forEach((log, logIndex) => {
      if (query.addresses.length > 0 && !query.addresses.includes(log.address)) return
      if (query.topics.length > log.topics.length) return
      for (const [position, alternatives] of query.topics.entries()) {
        const topic = log.topics[position] as Hex
        if (alternatives.length > 0 && !alternatives.includes(topic)) return
      }
      found.push(`${height} ${logIndex}`)
    })
  })
  return found
}

async function places(chain: Chain, query: LogQuery): Promise<string[]> {
  return (await chain.queryLogs(query, 10_000)).map(({ json }) => place(json))
}

function place(json: string): string {
  const { blockNumber, logIndex } = JSON.parse(json)
  return `${Number(blockNumber)} ${Number(logIndex)}`
}

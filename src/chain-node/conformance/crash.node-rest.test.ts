import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import type { Hex } from '../codec/hex.ts'
import { createInspection, type Inspection } from '../testing/chain-inspection.ts'
import { createRandom } from '../testing/hostile-bodies.ts'
import { askAll } from '../testing/json-rpc-client.ts'
import { launchNode, type SpawnedNode, spawnNode } from '../testing/node-process.ts'
import { createReceived, fundSenders, load, type Received } from '../testing/sender-load.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const { count: KILLS, seed: SEED } = campaign('kills of a node')
const IMPORT_KILLS = Math.ceil(KILLS / 5)
/** Transactions that a load has had answered before its node is killed: it stands under load then. */
const UNDER_LOAD = 25
const MINER: Hex = `0x${'fee'.padStart(40, '0')}`
const ARGS = ['--dev', '--miner', MINER, '--log-level', 'warn']

describe('kill -9', () => {
  it(`${KILLS} times under load and ${IMPORT_KILLS} times in an import (seed ${SEED}) loses nothing that was told`, async () => {
    const random = createRandom(SEED)
    // What is killed and when is drawn apart: the load draws in the order of its answers.
    const drawKill = createRandom(SEED)
    const folder = createTemporaryFolder()
    const told = createReceived()
    let node = await start(folder)
    const begun = performance.now()
    const token = await fundSenders(node.url)
    const inspection = createInspection(MINER, token)
    const oldBlock = (head: number) => random(head + 1)
    const kinds = { load: 0, 'as it began to listen': 0, 'in its start': 0 }
    const starts: number[] = []
    let pooled = 0

    for (let kill = 0; kill < KILLS; kill++) {
      const kind = drawKill(5)
      if (kind > 0) {
        await Promise.all([
          load({ url: node.url, token, told, random, isOver: () => false }),
          (kind === 1 ? Promise.resolve() : untilAnswered(told, UNDER_LOAD))
            .then(() => sleep(drawKill(kind === 1 ? 30 : 900)))
            .then(() => node.stop('SIGKILL')),
        ])
        kinds[kind === 1 ? 'as it began to listen' : 'load'] += 1
      } else {
        await node.stop('SIGKILL')
        const launched = launchNode(folder, ARGS)
        await sleep(drawKill((starts[0] ?? 500) * 1.2))
        await launched.stop('SIGKILL')
        kinds['in its start'] += 1
      }
      const stopped = performance.now()
      node = await start(folder)
      starts.push(performance.now() - stopped)
      pooled += await settle(node)
      await inspection.advance(node.url, told, oldBlock)
      expect([...told.answered].filter(hash => !inspection.has(hash))).toEqual([])
    }
    expect(told.refusals).toEqual([])
    expect(told.answered.size).toBeGreaterThanOrEqual(UNDER_LOAD)

    // All of it once more, from the first block on.
    const again = createInspection(MINER, token)
    await again.advance(node.url, told, oldBlock)
    expect(again.head()).toEqual(inspection.head())
    expect(node.output()).not.toContain('ERROR')
    expect(await node.stop()).toEqual({ code: 0, signal: null })
    report(
      `${JSON.stringify(kinds)}: ${again.head().height} blocks with ${again.countTransactions()} transactions, ${told.answered.size} of them answered, ${pooled} in the pool when it started again, ${told.blocks.size} block hashes told, ${seconds(begun)} s, a start ${Math.round(median(starts))} ms`,
    )
    await killImports(folder, again, token, told)
  }, 900_000)
})

/** Exports a chain, and reads it into another folder with a kill after each few blocks. */
async function killImports(source: string, original: Inspection, token: Hex, told: Received) {
  const random = createRandom(SEED)
  const begun = performance.now()
  const file = join(createTemporaryFolder(), 'chain.rlp')
  const exported = launchNode(source, ['--export', file])
  expect(await exported.ended, exported.output()).toEqual({ code: 0, signal: null })

  const folder = createTemporaryFolder()
  const oldBlock = (head: number) => random(head + 1)
  const { height, hash } = original.head()
  const heights: number[] = []
  for (let kill = 0; kill < IMPORT_KILLS; kill++) {
    const importing = launchNode(folder, [...ARGS, '--import', file])
    while (!existsSync(join(folder, 'genesis.json'))) await sleep(5)
    await sleep(random(500))
    await importing.stop('SIGKILL')
    const node = await start(folder)
    const found = createInspection(MINER, token)
    await found.advance(node.url, createReceived(), oldBlock)
    heights.push(found.head().height)
    expect(told.blocks.get(found.head().height) ?? found.head().hash).toBe(found.head().hash)
    await node.stop('SIGKILL')
  }
  const node = await start(folder, '--import', file)
  const whole = createInspection(MINER, token)
  await whole.advance(node.url, told, oldBlock)
  expect(whole.head()).toEqual({ height, hash })
  await node.stop()
  report(`imports that were killed had ${heights} of ${height} blocks, ${seconds(begun)} s`)
}

describe('SIGTERM', () => {
  it('under load ends the node with an answer to everything that it was asked', async () => {
    const folder = createTemporaryFolder()
    const told = createReceived()
    const random = createRandom(SEED)
    const node = await start(folder)
    const token = await fundSenders(node.url)
    let signalled = 0
    let ended = 0
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await Promise.all([
      load({ url: node.url, token, told, random, isOver: () => false }),
      untilAnswered(told, UNDER_LOAD).then(async () => {
        signalled = performance.now()
        expect(await node.stop()).toEqual({ code: 0, signal: null })
        ended = performance.now()
      }),
    ])
    delay.disable()
    // What was on its way when the node closed its connections may be refused, and nothing before; this process may have
    // been late to send it.
    const onItsWay = signalled - 20 - delay.max / 1e6
    expect(told.unanswered.filter(begun => begun < onItsWay)).toEqual([])
    const again = await start(folder)
    await settle(again)
    const inspection = createInspection(MINER, token)
    await inspection.advance(again.url, told, head => random(head + 1))
    expect([...told.answered].filter(hash => !inspection.has(hash))).toEqual([])
    report(
      `SIGTERM: ended after ${Math.round(ended - signalled)} ms, ${told.refusals.length} refusals`,
    )
    for (const refusal of told.refusals) expect(refusal).toMatch(/stopping/)
  })
})

describe('a second node', () => {
  it('is refused the folder of the first, and its port', async () => {
    const folder = createTemporaryFolder()
    const node = await start(folder)
    const second = launchNode(folder, ARGS)
    expect(await second.ended).toEqual({ code: 1, signal: null })
    expect(second.output()).toBe(
      `The data folder ${join(folder, 'chain')} is in use by process ${node.pid}: stop the node that runs there, or give this one a folder of its own.\n`,
    )
    const { port } = new URL(node.url)
    const other = createTemporaryFolder()
    const third = launchNode(other, [...ARGS, '--port', port])
    expect(await third.ended).toEqual({ code: 1, signal: null })
    expect(third.output()).toBe(`cannot listen on 127.0.0.1:${port}: the port is in use\n`)
    // Neither has harmed anything.
    expect(await askAll(node.url, [{ method: 'eth_blockNumber', params: [] }])).toEqual(['0x0'])
    await node.stop()
    await (await start(other)).stop()
  })
})

async function start(folder: string, ...more: readonly string[]): Promise<SpawnedNode> {
  const node = await spawnNode(folder, [...ARGS, ...more])
  onTestFinished(() => void node.stop('SIGKILL'))
  return node
}

/** Waits until so many more transactions than now are answered. */
async function untilAnswered({ answered }: Received, count: number): Promise<void> {
  const enough = answered.size + count
  while (answered.size < enough) await sleep(5)
}

/** Waits until all that was in the pool is in blocks; how many there were at first. */
async function settle(node: SpawnedNode): Promise<number> {
  let first: number | null = null
  for (let i = 0; i < 1000; i++) {
    const [status] = await askAll<{ pending: Hex; queued: Hex }>(node.url, [
      { method: 'txpool_status', params: [] },
    ])
    const count = Number(status?.pending) + Number(status?.queued)
    first ??= count
    if (count === 0) return first
    await sleep(20)
  }
  throw new Error('transactions stay in the pool')
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

const seconds = (begun: number) => ((performance.now() - begun) / 1000).toFixed(1)
const report = (text: string) => process.stdout.write(`${text}\n`)

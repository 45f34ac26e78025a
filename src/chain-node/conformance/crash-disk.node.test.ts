import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { createInspection } from '../testing/chain-inspection.ts'
import { createRandom } from '../testing/hostile-bodies.ts'
import { askAll } from '../testing/json-rpc-client.ts'
import { spawnNode } from '../testing/node-process.ts'
import { createReceived, fundSenders, load } from '../testing/sender-load.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const MINER: Hex = `0x${'fee'.padStart(40, '0')}`
const ARGS = ['--dev', '--miner', MINER, '--log-level', 'warn']
/** Limits the size of files of a running process, which fails as a full disk does. */
const NEEDS_PRLIMIT = {
  skip: !existsSync('/usr/bin/prlimit'),
  meta: { skipReason: 'there is no /usr/bin/prlimit, which is of util-linux' },
}

it(
  'a full disk under load is told, costs nothing, and is over as soon as there is room',
  NEEDS_PRLIMIT,
  async () => {
    const folder = createTemporaryFolder()
    const node = await spawnNode(folder, ARGS)
    onTestFinished(() => void node.stop('SIGKILL'))
    const limit = (bytes: string) =>
      execFileSync('prlimit', ['--pid', `${node.pid}`, `--fsize=${bytes}:unlimited`])
    const health = async () => {
      const response = await fetch(`${node.url}/healthz`)
      return { code: response.status, ...((await response.json()) as { fault?: string }) }
    }
    const told = createReceived()
    const random = createRandom(1)
    const token = await fundSenders(node.url)
    let isOver = false
    const loaded = load({ url: node.url, token, told, random, isOver: () => isOver })
    const untilAnswered = async (count: number) => {
      const wanted = told.answered.size + count
      while (told.answered.size < wanted) await sleep(10)
    }

    for (let round = 0; round < 3; round++) {
      await untilAnswered(30)
      // Somewhere within the next writes.
      limit(String(measureLog(join(folder, 'chain')) + random(20_000)))
      await expect.poll(health, { timeout: 20_000 }).toMatchObject({ code: 503 })
      expect((await health()).fault).toMatch(/file too large/i)
      const refused = told.refusals.length
      await expect.poll(() => told.refusals.length, { timeout: 20_000 }).toBeGreaterThan(refused)
      // What is there can be read meanwhile.
      const [head] = await askAll<{ hash: Hex }>(node.url, [
        { method: 'eth_getBlockByNumber', params: ['latest', true] },
      ])
      expect(head?.hash).toMatch(/^0x/)
      const before = told.refusals.length
      limit('unlimited')
      await expect.poll(health, { timeout: 20_000 }).toMatchObject({ code: 200 })
      await untilAnswered(10)
      report(`full ${round + 1}: ${before} refusals, ${told.answered.size} answered`)
    }
    isOver = true
    await loaded
    for (const refusal of told.refusals) {
      expect(refusal).toMatch(
        /^the transaction is in the pool, but not on the disk: .*file too large/i,
      )
    }
    expect(node.output()).toMatch(/ERROR.*file too large/i)

    expect(await node.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    const again = await spawnNode(folder, ARGS)
    onTestFinished(() => void again.stop('SIGKILL'))
    await expect
      .poll(() => askAll(again.url, [{ method: 'txpool_status', params: [] }]))
      .toEqual([{ pending: '0x0', queued: '0x0' }])
    const inspection = createInspection(MINER, token)
    await inspection.advance(again.url, told, head => random(head + 1))
    expect([...told.answered].filter(hash => !inspection.has(hash))).toEqual([])
    report(`${inspection.head().height} blocks with ${inspection.countTransactions()} transactions`)
    expect(await again.stop()).toEqual({ code: 0, signal: null })
  },
)

/** Bytes of the log that LevelDB writes now. */
function measureLog(folder: string): number {
  const sizes = readdirSync(folder)
    .filter(name => name.endsWith('.log'))
    .map(name => statSync(join(folder, name)).size)
  return Math.max(...sizes)
}

const report = (text: string) => process.stdout.write(`${text}\n`)

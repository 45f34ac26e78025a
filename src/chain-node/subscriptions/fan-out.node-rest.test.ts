import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { isLong } from '../../../testing/campaigns.ts'
import type { FanOutReport } from './testing/fan-out-node.ts'

const MIB = 2 ** 20
/** In a long run the bounds are those of a node's own, and everything takes several times as long. */
const LIMITS = isLong
  ? { maxConnections: 1100 }
  : { maxConnections: 1100, maxBuffered: MIB / 4, maxOutstanding: 2 * MIB }
const MAX_OUTSTANDING = isLong ? 16 * MIB : (LIMITS.maxOutstanding ?? 0)
/** Of a block's text, in which each byte of its transaction is two digits. */
const BLOCK_BYTES = isLong ? 2 * MIB : MIB / 2
const BLOCKS = 30
const SLOW = 100
const FAST = 900
/** Of the fast ones, those that want blocks with their transactions. */
const GREEDY = 10

it('tells 900 readers everything, and lets go of 100 that do not read', async () => {
  const node = start('./testing/fan-out-node.ts', [JSON.stringify(LIMITS)])
  const { url = '' } = await hear<FanOutReport>(node)
  const fast = await Promise.all(
    Array.from({ length: FAST }, (_, index) => openReader(url, index < GREEDY)),
  )
  const slow = start('./testing/fan-out-clients.ts', [url, String(SLOW)])
  expect(await hear(slow)).toBe('ready')

  const begun = performance.now()
  let codes: Promise<number[]> | null = null
  let before = 0
  let most = 0
  for (let number = 1; number <= BLOCKS; number++) {
    node.send(BLOCK_BYTES / 2)
    const { memory, tooSlow } = await hear<FanOutReport>(node)
    if (number === 1) before = memory
    most = Math.max(most, memory)
    if (!codes && tooSlow > 0) {
      codes = hear<number[]>(slow)
      slow.send(3)
    }
    await Promise.all(fast.map(reader => reader.waitFor(number)))
  }
  const seconds = (performance.now() - begun) / 1000

  // What waits for the slow ones at most, once more as the garbage of it, and something for the rest.
  const bound = before + 2 * SLOW * (MAX_OUTSTANDING + BLOCK_BYTES) + 100 * MIB
  expect(most).toBeLessThan(bound)
  expect(await codes).toContain(1013)
  const expected = Array.from({ length: BLOCKS }, (_, i) => i + 1)
  for (const reader of fast) {
    expect(reader.heads).toEqual(expected)
    expect(reader.logs).toBe(BLOCKS)
  }
  const ask = () => {
    const report = hear<FanOutReport>(node)
    node.send(0)
    return report
  }
  // Those that are let go have a second to take what was sent before.
  await expect.poll(ask).toMatchObject({ connections: FAST, tooSlow: SLOW })
  if (isLong) {
    const [peak, start] = [most, before].map(bytes => Math.round(bytes / MIB))
    process.stdout.write(
      `${FAST * 2 * BLOCKS} notifications in ${seconds.toFixed(1)} s; ${peak} MiB at most, ${start} at first\n`,
    )
  }
})

function start(file: string, args: string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, args, { execArgv: ['--import', 'tsx'] })
  onTestFinished(() => void child.kill())
  return child
}

function hear<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number) => reject(new Error(`A process of the test ended with ${code}.`))
    child.once('exit', onExit)
    child.once('message', message => {
      child.off('exit', onExit)
      resolve(message as T)
    })
  })
}

/** A client that subscribes to heads and logs, and reads. */
async function openReader(url: string, withTransactions: boolean) {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const ids = new Map<string, string>()
  const heads: number[] = []
  const reader = { heads, logs: 0, waitFor }
  let waiting: { number: number; resolve: () => void } | null = null

  for (const [id, params] of [
    ['heads', ['newHeads', { includeTransactions: withTransactions }]],
    ['logs', ['logs', {}]],
  ]) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params }))
    const [answer] = await once(socket, 'message')
    ids.set(JSON.parse(answer).result, String(id))
  }
  socket.on('message', data => {
    const { subscription, result } = JSON.parse(String(data)).params
    if (ids.get(subscription) === 'heads') heads.push(Number(result.number))
    else if (ids.get(subscription) === 'logs' && result === '1:') reader.logs += 1
    else throw new Error(`Nobody asked for ${subscription}.`)
    if (waiting && heads.length >= waiting.number && reader.logs >= waiting.number)
      waiting.resolve()
  })
  function waitFor(number: number): Promise<void> {
    if (heads.length >= number && reader.logs >= number) return Promise.resolve()
    return new Promise((resolve, reject) => {
      waiting = { number, resolve }
      socket.once('close', code => reject(new Error(`A reader was closed with ${code}.`)))
    })
  }
  return reader
}

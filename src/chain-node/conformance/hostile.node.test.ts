import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { attack } from '../testing/attack.ts'
import type { ValidCall } from '../testing/hostile-bodies.ts'
import { spawnNode } from '../testing/node-process.ts'
import { ADDRESS, SPECIFIED_METHODS, WEBSOCKET_METHODS } from '../testing/specified-methods.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'
import { compileToken } from '../testing/token.ts'

const { count: COUNT, seed: SEED } = campaign('hostile bodies to a node')
const METHODS = [...Object.keys(SPECIFIED_METHODS), ...WEBSOCKET_METHODS]

it(`survives ${COUNT} hostile bodies (seed ${SEED}) to all of its methods, and answers each by JSON-RPC 2.0`, async () => {
  const args = ['--dev', '--metrics', '--personal-import-raw-key', '--log-level', 'warn']
  const node = await spawnNode(createTemporaryFolder(), args)
  const { url, wsUrl } = node
  const calls = await prepareCalls(url)
  const before = measureMemory(node.pid)
  const report = await attack({ url, wsUrl, methods: METHODS, calls, count: COUNT, seed: SEED })
  const after = measureMemory(node.pid)
  process.stdout.write(
    `${report.bodies} bodies in ${report.seconds.toFixed(1)} s: ${report.answered} answered, ${report.results} with results; ${before} MiB before, ${after} after, ${measureMemory(node.pid, 'VmHWM')} at most\n`,
  )
  expect(report.bodies).toBeGreaterThanOrEqual(COUNT)
  expect(report.answered).toBeGreaterThan(0.8 * COUNT)
  expect(report.results).toBeGreaterThan(0.1 * COUNT)

  // It is the same process, which has seen no fault of its own and serves on.
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok' })
  expect(node.output()).not.toMatch(/failed|UnhandledPromise/)
  expect(await node.stop()).toEqual({ code: 0, signal: null })
}, 1_800_000)

/** Deploys a token, and gives calls of all methods that ask no passphrase, with hashes that exist. */
async function prepareCalls(url: string): Promise<ValidCall[]> {
  const { token: code } = compileToken()
  const supply = '0'.repeat(56) + 'f'.repeat(8)
  const blockFilter = await call(url, 'eth_newBlockFilter', [])
  const creation = { from: ADDRESS, value: '0x0', gas: '0x200000', data: code + supply }
  const hash = await call(url, 'eth_sendTransaction', [creation])
  const receipt = (await call(url, 'eth_getTransactionReceipt', [hash])) as {
    readonly contractAddress: string
    readonly blockHash: string
  }
  const token = receipt.contractAddress
  const word = ADDRESS.slice(2).padStart(64, '0')
  const balanceOf = { to: token, data: `0x70a08231${word}` }
  const move = `0xa9059cbb${word}${'1'.padStart(64, '0')}`
  const logs = { fromBlock: '0x0', toBlock: 'latest', address: token }
  const known: { [method: string]: readonly unknown[] } = {
    eth_getStorageAt: [token, '0x0', 'latest'],
    eth_getCode: [token, 'latest'],
    eth_sign: [ADDRESS, '0x1234'],
    eth_sendTransaction: [{ from: ADDRESS, to: token, value: '0x0', data: move }],
    eth_call: [balanceOf, 'latest', { [ADDRESS]: { balance: '0x1' }, [token]: { stateDiff: {} } }],
    eth_estimateGas: [{ from: ADDRESS, to: token, data: move }],
    eth_getLogs: [logs],
    eth_newFilter: [logs],
    eth_getFilterChanges: [blockFilter],
    eth_subscribe: ['newHeads'],
    eth_unsubscribe: ['0x1'],
  }
  const derives = /^personal_(?!listAccounts|lockAccount|ecRecover)/
  const isHash = (method: string) => /Transaction(ByHash|Receipt|Logs)$/.test(method)
  return METHODS.filter(method => !derives.test(method)).map(method => {
    const valid = (SPECIFIED_METHODS[method] ?? []).map(parameter =>
      parameter.kind === 'hash' ? (isHash(method) ? hash : receipt.blockHash) : parameter.valid,
    )
    return { method, params: known[method] ?? valid }
  })
}

async function call(url: string, method: string, params: readonly unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as {
    result?: unknown
    error?: { message: string }
  }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** MiB that are in memory now (VmRSS), or were at most (VmHWM). */
function measureMemory(pid: number, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
}

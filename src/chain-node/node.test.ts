import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, readArguments, resolveConfig } from './config/config.ts'
import { createLog } from './log.ts'
import { exportBlocks, startNode } from './node.ts'

const log = createLog({ level: 'error', json: false })
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chain-node-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('exportBlocks', () => {
  it('writes a chain that another node imports, while its port is taken', async () => {
    const file = join(folder, 'chain.rlp')
    const first = resolve('a', '--on-demand')
    const { head } = await runNode(first, async url => {
      for (let count = 0; count < 2; count++) await ask(url, 'evm_mine')
    })
    expect(head).toBe(2n)
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    try {
      expect(await exportBlocks({ ...first, port }, file, { log })).toBe(2n)
    } finally {
      other.close()
    }
    const second = await runNode(resolve('b', '--import', file), async () => {})
    expect(second.head).toBe(2n)
  }, 20_000)

  it('leaves no file where there is no block', async () => {
    const file = join(folder, 'chain.rlp')
    await expect(exportBlocks(resolve('a'), file, { log })).rejects.toThrow(
      'The chain has no blocks to export yet.',
    )
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })
})

function resolve(name: string, ...args: string[]): Config {
  const data = join(folder, name)
  return resolveConfig(readArguments(['--data', data, '--port', '0', ...args]))
}

async function runNode(config: Config, use: (url: string) => Promise<void>) {
  const node = await startNode(config, { log, version: '0' })
  try {
    await use(node.url)
    return { head: node.chain.head().number }
  } finally {
    await node.close()
  }
}

async function ask(url: string, method: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
  })
  expect(await response.json()).toHaveProperty('result')
}

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type ChainNodeOptions, type StartedChainNode, startChainNode } from './start-chain-node.ts'
import { askAll } from './testing/json-rpc-client.ts'

it('a node in a process serves on a free port, and its chain is gone when it is closed', async () => {
  const before = listScratch()
  const node = await start({ dev: true })
  expect(node.chainId).toBe(66n)
  const accounts = await askAll<string[]>(node.url, [{ method: 'eth_accounts', params: [] }])
  expect(node.devAccounts.map(({ address }) => address)).toEqual(accounts[0])
  // Of Hardhat's and anvil's first account.
  expect(node.devAccounts[0]?.privateKey).toBe(
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  )
  expect(listScratch()).toHaveLength(before.length + 1)
  await node.close()
  expect(listScratch()).toEqual(before)
  await expect(askAll(node.url, [{ method: 'eth_chainId', params: [] }])).rejects.toThrow(TypeError)
})

it('a chain in a folder that was named goes on after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const options = { dev: true, data: folder, 'on-demand': true, network: undefined }
  const first = await start(options)
  await askAll(first.url, [{ method: 'evm_mine', params: [] }])
  await first.close()
  expect(existsSync(folder)).toBe(true)
  const second = await start(options)
  const [height] = await askAll(second.url, [{ method: 'eth_blockNumber', params: [] }])
  expect(height).toBe('0x1')
})

it.each([
  [{ prot: 1 }, 'The configuration has an unknown key: prot'],
  [{ port: '8545' }, 'port in the configuration must be a number'],
  [{ port: 99_999 }, '--port must be a whole number from 0 to 65535: 99999'],
  [{ 'block-time': 0 }, '--block-time must be a number of seconds from 0.05 to 86400: 0'],
  [{ config: 'node.json' }, 'config is an option of the command line alone'],
  [{ export: 'chain.rlp' }, 'export is an option of the command line alone'],
  [{ dev: true, host: '0.0.0.0' }, /^--dev with --host 0.0.0.0 lets whoever reaches/],
])('refuses %j and leaves no folder behind', async (options, message) => {
  const before = listScratch()
  await expect(startChainNode(options as ChainNodeOptions)).rejects.toThrow(message)
  expect(listScratch()).toEqual(before)
})

async function start(options: ChainNodeOptions): Promise<StartedChainNode> {
  const node = await startChainNode(options)
  onTestFinished(() => node.close())
  return node
}

function listScratch(): string[] {
  return readdirSync(tmpdir()).filter(name => name.startsWith(`chain-node-${process.pid}-`))
}

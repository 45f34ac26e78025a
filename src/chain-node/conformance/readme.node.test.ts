import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ethers } from 'ethers'
import { createPublicClient, defineChain, webSocket } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'

// What the README tells a user of curl, ethers and viem to do first, as it stands there, but for the port.

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const PORT = '127.0.0.1:8545'
/** The second account of `--dev`, to which the README sends a coin. */
const RECEIVER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let node: RunningNode
beforeAll(async () => {
  node = await startRunningNode(['--dev'])
})
afterAll(() => node.close())

/** The blocks of code in this language, with the port of the node. */
function listBlocks(language: string): string[] {
  const { host } = new URL(node.url)
  return [...README.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, code = '']) =>
    name === language ? code.replaceAll(PORT, host) : [],
  )
}

it('sends a coin with curl, and sees it', async () => {
  const commands = listBlocks('sh')
    .join('\n')
    .matchAll(/curl -s (http:\S+) -H '([\w-]+): ([^']+)' -d '([^']+)'/g)
  const answers: { result?: string }[] = []
  for (const [, url = '', header = '', value = '', body = ''] of commands) {
    const headers = { [header]: value }
    const response = await fetch(url, { method: 'POST', headers, body })
    answers.push((await response.json()) as { result?: string })
  }
  expect(answers).toEqual([
    expect.objectContaining({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) }),
    expect.objectContaining({ result: `0x${(10_001n * 10n ** 18n).toString(16)}` }),
  ])
})

it('opens the node with ethers and viem', async () => {
  const code = listBlocks('ts').join('\n')
  const run = new Function(
    ...['ethers', 'defineChain', 'createPublicClient', 'webSocket'],
    `return (async () => { ${code}\nreturn { provider, signer, client } })()`,
  )
  const { provider, signer, client } = (await run(
    ...[ethers, defineChain, createPublicClient, webSocket],
  )) as {
    provider: ethers.JsonRpcProvider
    signer: ethers.JsonRpcSigner
    client: ReturnType<typeof createPublicClient>
  }
  try {
    const sent = await signer.sendTransaction({ to: RECEIVER, value: 5n })
    const receipt = await client.waitForTransactionReceipt({ hash: sent.hash as `0x${string}` })
    expect(receipt).toMatchObject({ status: 'success', to: RECEIVER.toLowerCase() })
    expect(await client.getChainId()).toBe(66)
  } finally {
    provider.destroy()
    const socket = await client.transport.getRpcClient?.()
    socket?.close()
  }
})

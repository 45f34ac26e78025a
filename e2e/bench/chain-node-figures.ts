import { keccak256 } from 'ethers'
import { WebSocket } from 'ws'
import { type Contender, listContenders, type RunningNode } from './chain-node/contenders.ts'
import { askOnce, bodyFor, measureRate, sendLists } from './chain-node/http-load.ts'
import { deployToken, openSigner, rawBody, SENDERS, TOKEN, transferOf } from './chain-node/token.ts'
import { countFigure, type Figure } from './figure.ts'

type Labels = { unit: string; aim?: number; lessIsBetter?: true }

const FIGURES = {
  'eth_chainId, 16 connections': { unit: '/s', aim: 11_000 },
  'eth_getBalance, 16 connections': { unit: '/s', aim: 8_000 },
  'eth_call of balanceOf, never the same': { unit: '/s', aim: 2_000 },
  'eth_call of balanceOf, the same at one head': { unit: '/s', aim: 5_000 },
  'eth_call of balanceOf in batches of 100': { unit: 'calls/s', aim: 2_500 },
  'eth_call of balanceOf in an old block': { unit: '/s' },
  'raw transfers in blocks, 16 senders': { unit: '/s', aim: 900 },
  'ERC-20 transfers in blocks, 16 senders': { unit: '/s', aim: 450 },
  'receipts, 16 connections': { unit: '/s', aim: 6_000 },
  'empty blocks': { unit: '/s', aim: 500 },
  'eth_getLogs of one topic over 5,000 blocks': { unit: '/s', aim: 1_000 },
  'newHeads to 100 sockets': { unit: 'messages/s', aim: 10_000 },
  'memory after the run': { unit: 'MB', lessIsBetter: true },
  start: { unit: 'ms', aim: 2_000, lessIsBetter: true },
} as const satisfies { [name: string]: Labels }

type Measured = { [name in keyof typeof FIGURES]: number }

/** The chain node, and beside it the other nodes that are installed, under the same load one after the other. */
export async function measureChainNode(): Promise<Figure[]> {
  const results: { name: string; measured: Measured }[] = []
  for (const contender of listContenders()) {
    const measured = await measureContender(contender)
    results.push({ name: contender.name, measured })
    console.log(`  ${contender.name} is measured`)
  }
  const [ours, ...others] = results
  if (!ours) throw new Error('There is no chain node to measure')
  return Object.entries<Labels>(FIGURES).map(([name, { unit, aim, lessIsBetter }]) => {
    const key = name as keyof Measured
    const peers = others.map(other => other.measured[key])
    const best = lessIsBetter ? Math.min(...peers) : Math.max(...peers)
    return countFigure(
      {
        name,
        unit,
        ...(aim === undefined ? {} : { aim }),
        ...(peers.length === 0 ? {} : { peer: best }),
        note: others.map(other => `${other.name} ${Math.round(other.measured[key])}`).join(', '),
      },
      ours.measured[key],
    )
  })
}

/** All figures of one node, from two runs of it. */
export async function measureContender(contender: Contender): Promise<Measured> {
  return { ...(await measureAutomine(contender)), ...(await measureOnDemand(contender)) }
}

const SECONDS = 3
const TRANSFERS_EACH = 150
const TOKEN_TRANSFERS_EACH = 75

async function measureAutomine(contender: Contender) {
  const node = await contender.start('automine')
  try {
    const startMs = node.startMs
    const rate = (bodyOf: (index: number) => string, callsPerBody = 1, connections = 16) =>
      measureRate(node, { connections, seconds: SECONDS, bodyOf, callsPerBody })
    const chainId = bodyFor('eth_chainId', [])
    const idRate = await rate(() => chainId)
    const balances = SENDERS.map(({ address }) => bodyFor('eth_getBalance', [address, 'latest']))
    const balanceRate = await rate(index => balances[index % balances.length] ?? '')
    const token = await deployToken(node, async () => {})
    const head = await askOnce<string>(node, 'eth_blockNumber')
    const callOf = (holder: number, block: string) => [
      { to: token, data: TOKEN.encodeFunctionData('balanceOf', [addressOf(holder)]) },
      block,
    ]
    // Prepared: what is measured is the node, not the encoding.
    const prepared = Array.from({ length: 60_000 }, (_, index) => callOf(index, 'latest'))
    let used = 0
    const nextCall = () => prepared[used++ % prepared.length] ?? []
    const callRate = await rate(() => bodyFor('eth_call', nextCall()))
    const same = bodyFor('eth_call', callOf(1, 'latest'))
    const cachedRate = await rate(() => same)
    const batchRate = await rate(
      () =>
        `[${Array.from({ length: 100 }, (_, id) => bodyFor('eth_call', nextCall(), id)).join()}]`,
      100,
      4,
    )
    const transferRate = await measureSending(node, TRANSFERS_EACH, index => ({
      to: addressOf(index),
      value: 1n,
      gas: 21_000n,
    }))
    const tokenRate = await measureSending(node, TOKEN_TRANSFERS_EACH, index =>
      transferOf(token, addressOf(index), 1n),
    )
    const receipts = tokenRate.hashes.map(hash => bodyFor('eth_getTransactionReceipt', [hash]))
    const receiptRate = await rate(index => receipts[index % receipts.length] ?? '')
    const oldCallRate = await rate(index => bodyFor('eth_call', callOf(100_000 + index, head)))
    return {
      'eth_chainId, 16 connections': idRate,
      'eth_getBalance, 16 connections': balanceRate,
      'eth_call of balanceOf, never the same': callRate,
      'eth_call of balanceOf, the same at one head': cachedRate,
      'eth_call of balanceOf in batches of 100': batchRate,
      'eth_call of balanceOf in an old block': oldCallRate,
      'raw transfers in blocks, 16 senders': transferRate.rate,
      'ERC-20 transfers in blocks, 16 senders': tokenRate.rate,
      'receipts, 16 connections': receiptRate,
      'memory after the run': node.memory(),
      start: startMs,
    }
  } finally {
    await node.stop()
  }
}

/** From the first transaction sent until the last is in a block. */
async function measureSending(
  node: RunningNode,
  each: number,
  orderOf: (index: number) => Parameters<Awaited<ReturnType<typeof openSigner>>>[0],
) {
  const lists = await Promise.all(
    SENDERS.map(async (_, sender) => {
      const sign = await openSigner(node, sender)
      return Array.from({ length: each }, (_, index) => sign(orderOf(sender * each + index)))
    }),
  )
  const started = performance.now()
  await sendLists(
    node,
    lists.map(list => list.map(rawBody)),
  )
  const hashes = lists.flat().map(signed => keccak256(signed))
  const missing = await waitForBlocks(
    node,
    lists.map(list => keccak256(list.at(-1) ?? '')),
  )
  const seconds = (performance.now() - started) / 1000
  // A node that leaves some of them lying is measured by what it did.
  return { hashes, rate: missing ? Number.NaN : hashes.length / seconds }
}

async function waitForBlocks(node: RunningNode, hashes: readonly string[]): Promise<number> {
  for (let tries = 0; tries < 1000; tries++) {
    const receipts = await Promise.all(
      hashes.map(hash => askOnce<object | null>(node, 'eth_getTransactionReceipt', [hash])),
    )
    const missing = receipts.filter(receipt => receipt === null).length
    if (missing === 0) return 0
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return hashes.length
}

const BLOCKS = 5_000
const BLOCKS_BETWEEN_TRANSFERS = 10

async function measureOnDemand(contender: Contender) {
  const node = await contender.start('on demand')
  try {
    const mine = async () => {
      await askOnce(node, 'evm_mine')
    }
    const token = await deployToken(node, mine)
    const sign = await openSigner(node, 0)
    const bodies = Array.from({ length: BLOCKS }, (_, index) => {
      const block = bodyFor('evm_mine', [])
      if (index % BLOCKS_BETWEEN_TRANSFERS > 0) return [block]
      return [rawBody(sign(transferOf(token, addressOf(index % 1_000), 1n))), block]
    }).flat()
    await sendLists(node, [bodies])
    const started = performance.now()
    await sendLists(node, [Array.from({ length: 1_000 }, () => bodyFor('evm_mine', []))])
    const emptyRate = 1_000 / ((performance.now() - started) / 1000)
    const head = Number(await askOnce<string>(node, 'eth_blockNumber'))
    const logs = Array.from({ length: 100 }, (_, index) =>
      bodyFor('eth_getLogs', [
        {
          fromBlock: hex(Math.max(0, head - BLOCKS)),
          toBlock: hex(head),
          topics: [
            null,
            null,
            `0x${addressOf(index * 10)
              .slice(2)
              .padStart(64, '0')}`,
          ],
        },
      ]),
    )
    const logRate = await measureRate(node, {
      connections: 4,
      seconds: SECONDS,
      bodyOf: index => logs[index % logs.length] ?? '',
    })
    return {
      'empty blocks': emptyRate,
      'eth_getLogs of one topic over 5,000 blocks': logRate,
      'newHeads to 100 sockets': await measureHeads(node),
    }
  } finally {
    await node.stop()
  }
}

async function measureHeads(node: RunningNode): Promise<number> {
  const blocks = 200
  let messages = 0
  const sockets = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = new WebSocket(`ws://${node.host}:${node.port}`)
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      const subscribed = new Promise(resolve => socket.once('message', resolve))
      socket.send(bodyFor('eth_subscribe', ['newHeads']))
      await subscribed
      socket.on('message', () => messages++)
      return socket
    }),
  )
  const started = performance.now()
  await sendLists(node, [Array.from({ length: blocks }, () => bodyFor('evm_mine', []))])
  while (messages < blocks * sockets.length && performance.now() - started < 60_000) {
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  const rate = messages / ((performance.now() - started) / 1000)
  for (const socket of sockets) socket.terminate()
  return rate
}

/** An address that nobody has used. */
function addressOf(index: number): string {
  return `0x${(index + 1).toString(16).padStart(40, 'b')}`
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}

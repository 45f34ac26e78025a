import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  decodeRlp,
  encodeRlp,
  keccak256,
  type SignatureLike,
  Transaction,
  type TransactionLike,
} from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  EXECUTION_APIS_CHAIN,
  EXECUTION_APIS_GENESIS,
  listExecutionApisCalls,
  readExecutionApisBlocks,
  readExecutionApisCall,
  readExecutionApisHead,
} from '../testing/execution-apis.ts'
import { runNode, spawnNode } from '../testing/node-process.ts'
import { type RunningNode, startRunningNode } from '../testing/running-node.ts'
import { createTemporaryFolder } from '../testing/temporary-folder.ts'

const ARGUMENTS = [
  '--genesis',
  EXECUTION_APIS_GENESIS,
  '--import',
  EXECUTION_APIS_CHAIN,
  '--on-demand',
]

const NAMED = listExecutionApisCalls().map(call => [call.name, call] as const)

/** Sends the text of a request, and gives the text of the answer. */
type Send = (request: string) => Promise<string>

describe.each(['HTTP', 'WebSocket'] as const)(
  'the questions of execution-apis through %s',
  transport => {
    let node: RunningNode
    let send: Send
    let hangUp = () => {}
    beforeAll(async () => {
      node = await startRunningNode(ARGUMENTS)
      if (transport === 'HTTP') send = request => post(node.url, request)
      else [send, hangUp] = await connect(node.wsUrl)
    })
    afterAll(async () => {
      hangUp()
      await node.close()
    })

    it('are 52, and asked of the head that they are meant for', async () => {
      expect(NAMED).toHaveLength(52)
      const request =
        '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}'
      const { hash, number } = JSON.parse(await send(request)).result
      expect([hash, number]).toEqual([readExecutionApisHead(), '0x36'])
    })

    // In the order of their names, as hive asks them; what one sends is in the pool for those after it.
    it.each(NAMED)('are answered right: %s', async (_, { specOnly, request, response }) => {
      const answer = JSON.parse(await send(JSON.stringify(request)))
      if (specOnly) expect(describeShape(answer)).toEqual(describeShape(response))
      else expect(withoutText(answer)).toEqual(withoutText(response))
    })

    it('leave the pool that txpool_content shows, once what else it shows was sent', async () => {
      const { request: question, response } = readExecutionApisCall('txpool_content/get-content')
      const { pending } = response.result as { pending: Pooled }
      for (const transaction of listPooled(pending)) {
        const raw = serialize(transaction)
        const request = { id: 1, method: 'eth_sendRawTransaction', params: [raw] }
        const { result, error } = JSON.parse(await send(JSON.stringify(request)))
        expect(result ?? error.message).toBeOneOf([transaction.hash, 'already known'])
      }
      const answer = JSON.parse(await send(JSON.stringify(question))).result
      for (const sender of Object.keys(pending)) {
        expect(answer.pending[sender]).toEqual(pending[sender])
      }
      expect(answer.queued).toEqual({})
    })

    it('have made no block and no fault', () => {
      expect(node.chain.head().number).toBe(54n)
      expect(node.complaints).toEqual([])
    })
  },
)

describe('the questions of execution-apis beyond the specification', () => {
  const calls = listExecutionApisCalls('extended').map(call => [call.name, call] as const)
  const simulations = listExecutionApisCalls('simulated').map(call => [call.name, call] as const)
  let node: RunningNode
  beforeAll(async () => {
    node = await startRunningNode([...ARGUMENTS, '--extended'])
  })
  afterAll(() => node.close())

  it.each(calls)('are answered right with --extended: %s', async (_, { request, response }) => {
    expect(JSON.parse(await post(node.url, JSON.stringify(request)))).toEqual(response)
  })

  it('are 91 of simulations', () => {
    expect(simulations).toHaveLength(91)
  })

  it.each(simulations)('are answered right with --extended: %s', async (_, call) => {
    const answer = JSON.parse(await post(node.url, JSON.stringify(call.request)))
    expect(shortenBlooms(answer)).toEqual(call.response)
  })

  const ask = async (method: string, ...params: unknown[]) =>
    JSON.parse(await post(node.url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))

  it('are answered for an account that is not there as geth does, and refused where they make no sense', async () => {
    const nobody = `0x${'ab'.repeat(20)}`
    const slot = `0x${'01'.repeat(32)}`
    const { result } = await ask('eth_getProof', nobody, ['0x2', slot], 'latest')
    const nothing = `0x${'0'.repeat(64)}`
    expect(result).toMatchObject({
      balance: '0x0',
      nonce: '0x0',
      codeHash: nothing,
      storageHash: nothing,
      storageProof: [
        { key: '0x2', value: '0x0', proof: [] },
        { key: slot, value: '0x0', proof: [] },
      ],
    })
    expect(result.accountProof.length).toBeGreaterThan(0)
    for (const slots of [
      '0x0',
      Array.from({ length: 1025 }, () => '0x0'),
      [`0x${'1'.repeat(65)}`],
    ]) {
      expect((await ask('eth_getProof', nobody, slots, 'latest')).error.code).toBe(-32602)
    }
    expect(await ask('net_listening')).toMatchObject({ result: true })
    expect(await ask('net_peerCount')).toMatchObject({ result: '0x0' })
  })
})

describe('the chain of execution-apis', () => {
  it('is imported by one process and exported by the next as the same bytes after the first block', async () => {
    const folder = createTemporaryFolder()
    const data = join(folder, 'data')
    const node = await spawnNode(data, ARGUMENTS)
    const request = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'
    expect(JSON.parse(await post(node.url, request)).result).toBe('0x36')
    expect(await node.stop()).toEqual({ code: 0, signal: null })
    const file = join(folder, 'exported.rlp')
    const { code, output } = await runNode(['--data', data, '--export', file])
    expect([code, output]).toEqual([0, expect.stringContaining('has blocks 0 to 54.')])
    const official = readFileSync(EXECUTION_APIS_CHAIN)
    const exported = readFileSync(file)
    const first = exported.subarray(0, exported.length - official.length)
    expect(exported.subarray(first.length).equals(official)).toBe(true)
    expect(keccak256(encodeRlp(readRlpList(first)[0]))).toBe(
      readRlpList(readExecutionApisBlocks()[0])[0]?.[0],
    )
  })
})

/** A block: its header, as a list of fields, comes first. */
function readRlpList(bytes: Uint8Array | undefined) {
  return decodeRlp(bytes ?? new Uint8Array()) as [string[]]
}

async function post(url: string, request: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body: request })).text()
}

async function connect(url: string): Promise<[Send, () => void]> {
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve).once('error', reject)
  })
  const closed = new Promise<never>((_, reject) => {
    socket.once('close', () => reject(new Error('the connection was closed')))
  })
  closed.catch(() => {})
  const send: Send = request => {
    const answer = new Promise<string>(resolve => {
      socket.once('message', data => resolve(String(data)))
    })
    socket.send(request)
    return Promise.race([answer, closed])
  }
  return [send, () => socket.terminate()]
}

type Json = { [name: string]: unknown }
type Pooled = { [sender: string]: { [nonce: string]: Json } }

function listPooled(group: Pooled): Json[] {
  return Object.values(group).flatMap(nonces => Object.values(nonces))
}

/** The signed bytes of a transaction that is given as JSON. */
function serialize(json: Json): string {
  const { input, gas, gasPrice, type, v, r, s, yParity, ...rest } = json
  const fee = type === '0x2' ? {} : { gasPrice }
  const fields = { ...rest, ...fee, data: input, gasLimit: gas, type: Number(type), from: null }
  const signature = { r, s, v: yParity ?? v } as SignatureLike
  return Transaction.from({ ...fields, signature } as TransactionLike).serialized
}

/** In the file a bloom filter without a bit is no bytes. */
function shortenBlooms<T>(answer: T): T {
  const text = JSON.stringify(answer)
  return JSON.parse(text.replaceAll(`"logsBloom":"0x${'0'.repeat(512)}"`, '"logsBloom":"0x"'))
}

/** As hive compares: everything but the text of an error. */
function withoutText(answer: { error?: object }): unknown {
  return answer.error ? { ...answer, error: { ...answer.error, message: '' } } : answer
}

/**
 * What a schema says of a value: which fields it has and what kind each of them is. What is listed by address is left out: it
 * is what happens to be there.
 */
function describeShape(value: unknown): unknown {
  if (typeof value === 'string') return describeText(value)
  if (Array.isArray(value)) return value.slice(0, 1).map(describeShape)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  const fields = Object.entries(value).filter(([name]) => !/^0x[\dA-Fa-f]{40}$/.test(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, describeShape(field)]))
}

function describeText(text: string): string {
  if (!text.startsWith('0x')) return 'text'
  if (/^0x[\da-f]{40}$/.test(text)) return 'address'
  if (/^0x[\da-f]{64}$/.test(text)) return '32 bytes'
  return /^0x(0|[1-9a-f][\da-f]*)$/.test(text) ? 'quantity' : 'data'
}

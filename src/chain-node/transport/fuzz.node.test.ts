import { expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import {
  readAddress,
  readBlockId,
  readBlockNumber,
  readBoolean,
  readData,
  readHash,
  readIndex,
  readQuantity,
  readStorageSlot,
  readString,
  readUint64,
} from '../codec/parameters.ts'
import { defineMethod, type MethodTable, optional, required } from '../rpc/method.ts'
import { createRpc, type Rpc } from '../rpc/rpc.ts'
import { RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { attack } from '../testing/attack.ts'
import { listen } from './listen.ts'

/** All of it with CHAIN_NODE_FUZZ=200000. */
const { count: COUNT, seed: SEED } = campaign('hostile bodies to a server')

const READERS = {
  readAddress,
  readBlockId,
  readBlockNumber,
  readBoolean,
  readData,
  readHash,
  readIndex,
  readQuantity,
  readStorageSlot,
  readString,
  readUint64,
}

const TABLE: MethodTable = {
  ...Object.fromEntries(
    Object.entries(READERS).map(([name, read]) => [
      name,
      defineMethod([required<unknown>(read), optional<unknown>(read, 0)], values => String(values)),
    ]),
  ),
  anything: defineMethod([optional<unknown>(value => value, null)], ([value]) => typeof value),
  wait: defineMethod([], () => new Promise(setImmediate)),
  refuse: defineMethod([optional<unknown>(value => value, null)], async () => {
    throw new RpcError(SERVER_ERROR, 'refused')
  }),
}

it.each([
  ['an id is lost', (text: string) => text.replace(/"id":[^,]*/, '"id":null')],
  ['the version is lost', (text: string) => text.replace('"jsonrpc":"2.0",', '')],
  ['a code is lost', (text: string) => text.replace(/"code":-32600,/, '')],
  ['a batch is not one', (text: string) => text.replace(/^\[(.*)\]$/s, '$1')],
  ['an answer is cut off', (text: string) => text.slice(0, -1)],
])('the attack notices when %s', async (_, spoil) => {
  const rpc = createRpc({ table: TABLE, describeError: () => null, onFault: () => {} })
  const spoiled: Rpc = {
    handle: (body, connection, answer) =>
      rpc.handle(body, connection, text => answer(text && spoil(text))),
  }
  const server = await listen({ host: '127.0.0.1', port: 0, rpc: spoiled, onFault: () => {} })
  const { url, wsUrl } = server
  const report = attack({ url, wsUrl, methods: Object.keys(TABLE), count: 2000, seed: 1 })
  await expect(report).rejects.toThrow(/ answered by /)
  await server.close()
})

it(`survives ${COUNT} hostile bodies (seed ${SEED}), and answers each by JSON-RPC 2.0`, async () => {
  const faults: unknown[] = []
  const onFault = (error: unknown) => faults.push(error)
  const rpc = createRpc({ table: TABLE, describeError: () => null, onFault })
  const server = await listen({ host: '127.0.0.1', port: 0, rpc, onFault })

  const methods = Object.keys(TABLE)
  const report = await attack({
    url: server.url,
    wsUrl: server.wsUrl,
    methods,
    count: COUNT,
    seed: SEED,
  })
  expect(report.bodies).toBeGreaterThanOrEqual(COUNT)
  // The bodies are not all wrong, and not all right.
  expect(report.answered).toBeGreaterThan(0.8 * COUNT)
  expect(report.results).toBeGreaterThan(0.05 * COUNT)
  expect(report.results).toBeLessThan(0.5 * COUNT)
  expect(faults).toEqual([])

  const answer = await fetch(server.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"readQuantity","params":["0x10"]}',
  })
  expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '16,0' })
  await server.close()
}, 600_000)

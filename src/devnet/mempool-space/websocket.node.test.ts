import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { createTestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client
const sockets: WebSocket[] = []

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => devnet?.stop())

type Message = Record<string, unknown>

/** Opens the websocket, says something, and waits until the server has surely read it. */
async function listen(...requests: Message[]) {
  const socket = new WebSocket(devnet.websocketUrl)
  sockets.push(socket)
  const messages: Message[] = []
  socket.on('message', data => messages.push(JSON.parse(data.toString())))
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  const next = (key: string) =>
    expect
      .poll(() => messages.find(message => key in message), { timeout: 5000 })
      .toBeDefined()
      .then(() => messages.find(message => key in message)?.[key])
  for (const request of requests) socket.send(JSON.stringify(request))
  socket.send(JSON.stringify({ action: 'ping' }))
  expect(await next('pong')).toBe(true)
  return { messages, next }
}

describe('the websocket', () => {
  it('announces blocks to those who want them', async () => {
    const { messages, next } = await listen({ action: 'want', data: ['blocks', 'stats'] })
    const height = await devnet.rpc<number>('getblockcount')
    expect(await next('blocks')).toHaveLength(8)
    expect(await next('fees')).toMatchObject({ fastestFee: 5 })
    const quiet = await listen()
    const [hash] = await devnet.mine(1)
    expect(await next('block')).toMatchObject({ id: hash, height: height + 1 })
    expect(quiet.messages.filter(message => !('pong' in message))).toEqual([])
    expect(messages.length).toBeGreaterThan(2)
  })

  it('follows a tracked address from the mempool through replacement to its block', async () => {
    const wallet = createTestWallet('tracked')
    const payee = createTestWallet('payee')
    const { next } = await listen({ 'track-address': payee.address })
    const coin = await client.fund(wallet, 100_000n)
    const pay = (value: bigint) => wallet.spend([coin], [{ script: payee.script, value }])
    const first = pay(99_000n)
    const second = pay(90_000n)
    await client.broadcast(first.toHex())
    expect(await next('address-transactions')).toMatchObject([
      { txid: first.getId(), status: { confirmed: false }, vin: [{ prevout: { value: 100_000 } }] },
    ])
    await client.broadcast(second.toHex())
    expect(await next('address-removed-transactions')).toMatchObject([{ txid: first.getId() }])
    await devnet.mine(1)
    expect(await next('block-transactions')).toMatchObject([
      { txid: second.getId(), status: { confirmed: true } },
    ])
  })

  it('follows several addresses at once, at most 10', async () => {
    const wallets = Array.from({ length: 11 }, (_, i) => createTestWallet(`several ${i}`))
    const addresses = wallets.map(({ address }) => address)
    const refused = await listen({ 'track-addresses': addresses })
    expect(await refused.next('track-addresses-error')).toContain('maximum of 10 addresses')
    const { messages, next } = await listen({ 'track-addresses': addresses.slice(0, 10) })
    const third = addresses[2] ?? ''
    const txid = await devnet.faucet(third, 3000n, false)
    expect(await next('multi-address-transactions')).toMatchObject({
      [third]: { mempool: [{ txid }], confirmed: [], removed: [] },
    })
    messages.splice(0)
    await devnet.mine(1)
    expect(await next('multi-address-transactions')).toMatchObject({
      [third]: { mempool: [], confirmed: [{ txid, status: { confirmed: true } }], removed: [] },
    })
  })

  it('follows a tracked transaction to its block or its replacement', async () => {
    const wallet = createTestWallet('tracked tx')
    const txid = await devnet.faucet(wallet.address, 3000n, false)
    const confirmed = await listen({ 'track-tx': txid })
    expect(await confirmed.next('txPosition')).toMatchObject({ txid, position: { block: 0 } })
    await devnet.mine(1)
    expect(await confirmed.next('txConfirmed')).toBe(txid)
    const coin = await client.fund(wallet, 50_000n)
    const original = wallet.spend([coin], [{ script: wallet.script, value: 49_000n }])
    const better = wallet.spend([coin], [{ script: wallet.script, value: 40_000n }])
    await client.broadcast(original.toHex())
    const replaced = await listen({ 'track-tx': original.getId() })
    await client.broadcast(better.toHex())
    expect(await replaced.next('rbfTransaction')).toEqual({ txid: better.getId() })
  })

  it('shrugs at what it does not understand', async () => {
    const socket = new WebSocket(devnet.websocketUrl)
    sockets.push(socket)
    await new Promise(resolve => socket.on('open', resolve))
    for (const text of ['nonsense', '[]', 'null', '{"track-address":5}', '{"track-tx":"x"}']) {
      socket.send(text)
    }
    socket.send('{"action":"ping"}')
    const answer = await new Promise(resolve =>
      socket.on('message', data => resolve(data.toString())),
    )
    expect(answer).toBe('{"pong":true}')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createAddress,
  createFeed,
  createHash,
  createLog,
  createTransaction,
} from '../testing/feed.ts'
import { createSubscriptions } from './subscriptions.ts'
import { startSubscriptions } from './testing/subscribers.ts'

describe('eth_subscribe', () => {
  // What geth 1.10 sends for a header.
  const HEADER = {
    parentHash: createHash(0),
    sha3Uncles: createHash(0xa1),
    miner: createAddress(0xb1),
    stateRoot: createHash(0xa2),
    transactionsRoot: createHash(0xa3),
    receiptsRoot: createHash(0xa4),
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: '0x0',
    number: '0x1',
    gasLimit: '0x1c9c380',
    gasUsed: '0x5208',
    timestamp: '0x6553f101',
    extraData: '0x',
    mixHash: createHash(0),
    nonce: '0x0000000000000000',
    hash: createHash(1),
  }
  const PENDING = {
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    hash: '0x0000000000000000000000000000000000000000000000000000000001000000',
    nonce: '0x0',
    from: createAddress(1),
    to: createAddress(2),
    value: '0x1',
    gas: '0x5208',
    gasPrice: '0x5f5e100',
    input: '0x',
    v: '0xa8',
    r: '0x1',
    s: '0x2',
  }

  it.each([
    [['newHeads']],
    [['newHeads', null]],
    [['newHeads', {}]],
    [['newHeads', { includeTransactions: false }]],
    [['newHeads', { includeTransactions: null }]],
    [['newHeads', false]],
  ])('%j tells of headers', params => {
    const { feed, client } = startSubscriptions()
    const id = client.subscribe(params)
    feed.append([], [createTransaction(0)])
    expect(client.take()).toEqual([notification(id, HEADER)])
  })

  it.each([
    [['newHeads', { includeTransactions: true }]],
    [['newHeads', { includetransactions: true }]],
    [['newHeads', true]],
  ])('%j tells of headers with their transactions', params => {
    const { feed, client } = startSubscriptions()
    const id = client.subscribe(params)
    feed.append([], [createTransaction(0)])
    const place = { blockHash: createHash(1), blockNumber: '0x1', transactionIndex: '0x0' }
    const transactions = [{ ...PENDING, ...place }]
    expect(client.take()).toEqual([notification(id, { ...HEADER, transactions })])
  })

  it('newPendingTransactions tells of hashes, or of whole transactions', () => {
    const { feed, client } = startSubscriptions()
    const hashes = client.subscribe(['newPendingTransactions'])
    const alsoHashes = client.subscribe(['newPendingTransactions', false])
    const objects = client.subscribe(['newPendingTransactions', true])
    feed.makePending()
    expect(client.take()).toEqual([
      notification(hashes, PENDING.hash),
      notification(alsoHashes, PENDING.hash),
      notification(objects, PENDING),
    ])
  })

  it('logs tells of the logs that the criteria name, each in a notification of its own', () => {
    const { feed, client } = startSubscriptions()
    const all = client.subscribe(['logs'])
    const byAddress = client.subscribe(['logs', { address: [createAddress(1), createAddress(3)] }])
    const byTopic = client.subscribe(['logs', { topics: [[createHash(8), createHash(9)]] }])
    feed.append([createLog(1, createHash(9)), createLog(2), createLog(3)])
    expect(client.takeOf(all)).toEqual(['1:9', '2:', '3:'])
    expect(client.takeOf(byAddress)).toEqual(['1:9', '3:'])
    expect(client.takeOf(byTopic)).toEqual(['1:9'])
  })

  it('logs heeds the range as a filter does', () => {
    const { feed, client } = startSubscriptions()
    const id = client.subscribe(['logs', { fromBlock: '0x2', toBlock: '0x3' }])
    for (const address of [1, 2, 3, 4]) feed.append([createLog(address)])
    expect(client.takeOf(id)).toEqual(['2:', '3:'])
  })

  it('syncing tells of nothing, because the only producer is never behind', () => {
    const { feed, client } = startSubscriptions()
    const id = client.subscribe(['syncing'])
    feed.append([createLog(1)])
    feed.makePending()
    expect(client.take()).toEqual([])
    expect(client.call('eth_unsubscribe', [id])).toEqual({ result: true })
  })

  it.each([
    [[], -32602, 'expected subscription name as first argument'],
    [[null], -32602, 'expected subscription name as first argument'],
    [[{}], -32602, 'expected subscription name as first argument'],
    [['foo'], -32601, 'no "foo" subscription in eth namespace'],
    [['newheads'], -32601, 'no "newheads" subscription in eth namespace'],
    [['constructor'], -32601, 'no "constructor" subscription in eth namespace'],
    [['a"b'], -32601, 'no "a\\"b" subscription in eth namespace'],
    [['newHeads', {}, 1], -32602, 'too many arguments, want at most 2'],
    [['syncing', {}], -32602, 'too many arguments, want at most 1'],
    [
      ['newHeads', 'yes'],
      -32602,
      'invalid argument 1: json: cannot unmarshal string into Go value of type bool',
    ],
    [
      ['newPendingTransactions', { includeTransactions: 1 }],
      -32602,
      'invalid argument 1: json: cannot unmarshal number into Go value of type bool',
    ],
    [['logs', { address: 1 }], -32602, 'invalid argument 1: invalid addresses in query'],
    [['logs', { topics: [1, 2, 3, 4, 5] }], -32000, 'exceed max topics'],
    [['logs', { fromBlock: '0x2', toBlock: '0x1' }], -32602, 'invalid block range params'],
    [['logs', { blockHash: createHash(1) }], -32602, 'cannot specify BlockHash for blocks to come'],
  ])('refuses %j', (params, code, message) => {
    const { client, subscriptions } = startSubscriptions()
    expect(client.call('eth_subscribe', params)).toEqual({ error: { code, message } })
    expect(subscriptions.count()).toBe(0)
  })

  it('is for connections only', () => {
    const { request } = startSubscriptions()
    const error = { code: -32601, message: 'notifications not supported' }
    expect(request('eth_subscribe', ['newHeads'])).toEqual({ error })
    expect(request('eth_unsubscribe', ['0x1'])).toEqual({ error })
  })

  it('takes 1000 subscriptions of a connection, until one is ended', () => {
    const { client, connect } = startSubscriptions()
    const ids = Array.from({ length: 1000 }, () => client.subscribe(['newHeads']))
    const error = {
      code: -32005,
      message: 'too many subscriptions, at most 1000 for one connection',
    }
    expect(client.call('eth_subscribe', ['logs'])).toEqual({ error })
    connect().subscribe(['logs'])
    client.call('eth_unsubscribe', [ids[0]])
    client.subscribe(['logs'])
  })

  it('is answered before the first notification, also where the event comes within the batch', async () => {
    const { feed, client } = startSubscriptions()
    await client.batch([
      ['eth_subscribe', ['newHeads']],
      ['append', []],
      ['eth_subscribe', ['logs']],
      ['append', []],
    ])
    const [answer, ...rest] = client.take() as [{ result: string }[], ...unknown[]]
    const [heads, logs] = [answer[0]?.result, answer[2]?.result]
    expect(rest).toMatchObject([
      { params: { subscription: heads, result: { number: '0x1' } } },
      { params: { subscription: heads, result: { number: '0x2' } } },
      { params: { subscription: logs, result: '7:' } },
    ])
    feed.append([createLog(8)])
    expect(client.takeOf(logs)).toEqual(['8:'])
  })

  it('holds back only so much for an answer that does not come', () => {
    const feed = createFeed()
    const sent: string[] = []
    const subscriptions = createSubscriptions(feed.chain, feed.pool)
    const connection = { send: (text: string) => void sent.push(text), onClose: () => {} }
    subscriptions.subscribe(connection, { name: 'newHeads', withTransactions: false }, () => {})
    for (let i = 0; i < 10_000; i++) feed.append()
    expect(sent).toHaveLength(0)
    feed.append()
    feed.append()
    expect(sent.map(text => Number(JSON.parse(text).params.result.number))).toEqual(
      Array.from({ length: 10_002 }, (_, i) => i + 1),
    )
  })
})

describe('eth_unsubscribe', () => {
  it('ends a subscription and says whether there was one', () => {
    const { feed, client } = startSubscriptions()
    for (const params of [['newHeads'], ['newHeads', true], ['logs'], ['newPendingTransactions']]) {
      const id = client.subscribe(params)
      expect(client.call('eth_unsubscribe', [id])).toEqual({ result: true })
      expect(client.call('eth_unsubscribe', [id])).toEqual({ result: false })
    }
    feed.append([createLog(1)])
    feed.makePending()
    expect(client.take()).toEqual([])
  })

  it('knows only those of the same connection', () => {
    const { feed, client, connect } = startSubscriptions()
    const other = connect()
    const id = client.subscribe(['newHeads'])
    expect(other.call('eth_unsubscribe', [id])).toEqual({ result: false })
    other.subscribe(['newHeads'])
    expect(other.call('eth_unsubscribe', [id])).toEqual({ result: false })
    feed.append()
    expect(client.take()).toHaveLength(1)
  })

  it.each([
    [[], 'missing value for required argument 0'],
    [[1], 'invalid argument 0: json: cannot unmarshal number into Go value of type string'],
    [['0x1', 2], 'too many arguments, want at most 1'],
  ])('refuses %j', (params, message) => {
    const { client } = startSubscriptions()
    expect(client.call('eth_unsubscribe', params)).toEqual({ error: { code: -32602, message } })
  })
})

describe('a connection that ends', () => {
  it('takes its subscriptions with it and no others', () => {
    const { feed, subscriptions, client, connect } = startSubscriptions()
    const other = connect()
    for (const name of ['newHeads', 'logs', 'newPendingTransactions', 'syncing']) {
      client.subscribe([name])
      other.subscribe([name])
    }
    expect(subscriptions.count()).toBe(8)
    client.close()
    expect(subscriptions.count()).toBe(4)
    feed.append([createLog(1)])
    feed.makePending()
    expect(client.take()).toEqual([])
    expect(other.take()).toHaveLength(3)
  })

  it('before it subscribes leaves nothing behind', () => {
    const { feed, subscriptions, client } = startSubscriptions()
    client.close()
    client.call('eth_subscribe', ['newHeads'])
    client.call('eth_subscribe', ['logs'])
    expect(subscriptions.count()).toBe(0)
    client.take()
    feed.append([createLog(1)])
    expect(client.take()).toEqual([])
  })
})

it('tells each subscriber everything from its answer on, once and in order', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('append' as const), address: fc.nat(2) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('subscribe' as const),
        client: fc.nat(2),
        address: fc.nat(2),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('unsubscribe' as const), which: fc.nat(9) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), client: fc.nat(2) }) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), steps => {
      const { feed, connect, subscriptions } = startSubscriptions()
      const clients = [connect(), connect(), connect()]
      const open = [true, true, true]
      const known: {
        id: string
        client: number
        address: number
        expected: string[]
        on: boolean
      }[] = []
      let blocks = 0
      for (const step of steps) {
        if (step.do === 'append') {
          blocks += 1
          feed.append([createLog(step.address, createHash(blocks))])
          for (const entry of known) {
            if (entry.on && entry.address === step.address) {
              entry.expected.push(`${step.address}:${blocks}`)
            }
          }
        } else if (step.do === 'subscribe' && open[step.client]) {
          const { client, address } = step
          const id = clients[client]?.subscribe(['logs', { address: createAddress(address) }])
          if (id) known.push({ id, client, address, expected: [], on: true })
        } else if (step.do === 'unsubscribe') {
          const entry = known[step.which]
          if (!entry || !open[entry.client]) continue
          const answer = clients[entry.client]?.call('eth_unsubscribe', [entry.id])
          expect(answer).toEqual({ result: entry.on })
          entry.on = false
        } else if (step.do === 'close') {
          clients[step.client]?.close()
          open[step.client] = false
          for (const entry of known) if (entry.client === step.client) entry.on = false
        }
      }
      expect(subscriptions.count()).toBe(known.filter(entry => entry.on).length)
      const told = clients.map(client => client.take() as Notification[])
      for (const { id, client, expected } of known) {
        const own = told[client]?.filter(({ params }) => params.subscription === id)
        expect(own?.map(({ params }) => params.result)).toEqual(expected)
      }
    }),
  )
})

it('hears nothing after it is closed', () => {
  const { feed, subscriptions, client } = startSubscriptions()
  client.subscribe(['newHeads'])
  subscriptions.close()
  expect(feed.countListeners()).toBe(0)
})

interface Notification {
  readonly params: { readonly subscription: string; readonly result: unknown }
}

function notification(subscription: string, result: unknown) {
  return { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } }
}

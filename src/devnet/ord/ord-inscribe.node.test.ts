import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { createOrdClient, type OrdClient } from '../testing/ord-client.ts'
import { createTestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client
let ord: OrdClient
const wallet = createTestWallet('ord inscribe tests')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
  ord = createOrdClient(devnet, client, wallet.address)
})
afterAll(() => devnet?.stop())

describe('an inscription', () => {
  it('answers with the fields of ord 0.27, by id and by number', async () => {
    const earlier = await ord.inscribe({ body: 'earlier' })
    const { ids, outpoints } = await ord.inscribe({ body: 'Hello', metaprotocol: 'test' })
    const [id = ''] = ids
    const found = await ord.get(`/inscription/${id}`)
    const tip = await client.getJson<number>('/api/blocks/tip/height')
    expect(found).toEqual({
      address: wallet.address,
      charms: [],
      child_count: 0,
      children: [],
      content_length: 5,
      content_type: 'text/plain;charset=utf-8',
      effective_content_type: 'text/plain;charset=utf-8',
      fee: expect.any(Number),
      height: tip,
      id,
      metaprotocol: 'test',
      next: null,
      number: expect.any(Number),
      parents: [],
      previous: earlier.ids[0],
      properties: {},
      rune: null,
      sat: null,
      satpoint: `${outpoints[0]}:0`,
      timestamp: expect.any(Number),
      value: 546,
    })
    expect(await ord.get(`/inscription/${found.number}`)).toEqual(found)
    expect(await ord.get(`/inscription/${found.previous}`)).toMatchObject({ next: id })
    expect((await ord.get('/inscriptions')).ids).toEqual(
      expect.arrayContaining([id, found.previous]),
    )
    expect(await ord.get(`/inscriptions/block/${tip}`)).toEqual({ ids, more: false, page_index: 0 })
    expect(await ord.get(`/r/inscription/${id}`)).toEqual({
      address: wallet.address,
      charms: [],
      content_length: 5,
      content_type: 'text/plain;charset=utf-8',
      delegate: null,
      fee: found.fee,
      height: tip,
      id,
      number: found.number,
      output: outpoints[0],
      sat: null,
      satpoint: `${outpoints[0]}:0`,
      timestamp: found.timestamp,
      value: 546,
    })
  })

  it('lists of ids are answered in order, or not at all when one is unknown', async () => {
    const { ids } = await ord.inscribe({ items: [{ body: 'a' }, { body: 'b' }] })
    const list = ids.toReversed()
    const { body } = await ord.post('/inscriptions', list)
    expect(body.map(({ id }: { id: string }) => id)).toEqual(list)
    const unknown = `${'cd'.repeat(32)}i0`
    expect((await ord.post('/inscriptions', [...ids, unknown])).status).toBe(404)
    expect((await ord.post('/missing', [...ids, unknown])).body).toEqual([unknown])
  })

  it('serves its content with its type, or its delegate’s', async () => {
    const first = await ord.inscribe({ contentType: 'image/png', bodyHex: '89504e470d0a1a0a' })
    const second = await ord.inscribe({ delegate: first.ids[0] ?? '' })
    for (const id of [first.ids[0], second.ids[0]]) {
      const response = await fetch(`${devnet.ordUrl}/content/${id}`)
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toBe('89504e470d0a1a0a')
    }
    expect(await ord.get(`/inscription/${second.ids[0]}`)).toMatchObject({
      content_type: null,
      content_length: null,
      effective_content_type: 'image/png',
    })
    expect((await ord.ask(`/r/undelegated-content/${second.ids[0]}`)).status).toBe(404)
  })

  it.each([
    ['pushnum', ['vindicated']],
    ['stutter', ['vindicated']],
    ['duplicate', ['vindicated']],
    ['incomplete', ['vindicated']],
    ['even-field', ['unbound', 'vindicated']],
    ['not-first', ['vindicated']],
  ] as const)('can be made with the flaw %s, which the node accepts', async (flaw, charms) => {
    const { ids, outpoints } = await ord.inscribe({ body: 'a', flaw })
    const found = await ord.get(`/inscription/${ids[0]}`)
    expect(found.charms).toEqual(charms)
    if (flaw !== 'even-field') expect(found.satpoint).toBe(`${outpoints[0]}:0`)
  })

  it('can lie in the middle of an output, beside another, and on a coin of 1 BTC', async () => {
    const items = [{ body: 'a' }, { body: 'b', offset: 300 }]
    const { ids, outpoints } = await ord.inscribe({ items, together: true, postage: 100_000_000 })
    expect(outpoints[0]).toBe(outpoints[1])
    expect(await ord.get(`/output/${outpoints[0]}`)).toMatchObject({
      inscriptions: ids,
      value: 100_000_000,
    })
    expect(await ord.get(`/inscription/${ids[1]}`)).toMatchObject({
      satpoint: `${outpoints[0]}:300`,
    })
  })

  it('can have a parent that devnet holds', async () => {
    const parent = await ord.inscribeAtHome({ body: 'parent' })
    const [id = ''] = parent.ids
    const children = await ord.inscribe({
      items: [
        { body: 'child', parent: id },
        { body: 'child', parent: id },
      ],
    })
    for (const child of children.ids) {
      expect(await ord.get(`/inscription/${child}`)).toMatchObject({ parents: [id], charms: [] })
    }
    expect(await ord.get(`/inscription/${id}`)).toMatchObject({
      child_count: 2,
      children: children.ids,
    })
    expect(await ord.get(`/r/children/${id}`)).toEqual({ ids: children.ids, more: false, page: 0 })
    expect(await ord.get(`/r/parents/${children.ids[0]}`)).toEqual({
      ids: [id],
      more: false,
      page_index: 0,
    })
    expect(await ord.get(`/inscription/${id}/1`)).toMatchObject({ id: children.ids[1] })
  })

  it('can be inscribed again where devnet holds it', async () => {
    const first = await ord.inscribeAtHome({ body: 'first' })
    const { ids, outpoints } = await ord.inscribe({ body: 'second', onto: first.ids[0] ?? '' })
    expect(await ord.get(`/output/${outpoints[0]}`)).toMatchObject({
      inscriptions: [first.ids[0], ids[0]],
    })
    expect((await ord.get(`/inscription/${ids[0]}`)).charms).toEqual([
      'reinscription',
      'vindicated',
    ])
    const { status, body } = await client.post('/devnet/inscribe', { body: 'c', onto: ids[0] })
    expect([status, body]).toEqual([
      400,
      `onto: ${ids[0]} is not confirmed on devnet's own address`,
    ])
  })
})

describe('a rune', () => {
  it('is etched onto an output, beside an inscription', async () => {
    const { ids } = await ord.inscribeAtHome({ body: 'a' })
    const amount = '340282366920938463463374607431768211455'
    const made = await ord.etch({
      name: 'DEVNET•TEST•RUNES',
      amount,
      divisibility: 2,
      symbol: '¤',
      onto: ids[0] ?? '',
    })
    const { body } = await ord.ask(`/output/${made.outpoint}`)
    expect(body).toContain(
      `"runes":{"DEVNET•TEST•RUNES":{"amount":${amount},"divisibility":2,"symbol":"¤"}}`,
    )
    expect(JSON.parse(body)).toMatchObject({ inscriptions: ids, indexed: true })
    const rune = await ord.get(`/rune/${made.rune}`)
    expect(rune).toMatchObject({
      id: made.rune,
      mintable: false,
      parent: null,
      entry: {
        spaced_rune: 'DEVNET•TEST•RUNES',
        etching: made.txid,
        mints: 0,
        burned: 0,
        terms: null,
      },
    })
    expect(await ord.get('/rune/DEVNETTESTRUNES')).toEqual(rune)
    expect(await ord.get(`/outputs/${wallet.address}?type=runic`)).toMatchObject([
      { outpoint: made.outpoint },
    ])
    const { runes_balances } = await ord.get(`/address/${wallet.address}`)
    expect(runes_balances).toEqual([
      ['DEVNET•TEST•RUNES', `${amount.slice(0, -2)}.${amount.slice(-2)}`, '¤'],
    ])
  })

  it('moves with its output, and is burned by a cenotaph', async () => {
    const made = await ord.etch({ name: 'BURNED•TEST•RUNES', amount: 1000 })
    const fee = await client.fund(wallet, 10_000n)
    const [txid = '', vout] = made.outpoint.split(':')
    const coin = { txid, vout: Number(vout), value: 546n }
    const moved = wallet.spend([coin, fee], [{ script: wallet.script, value: 10_000n }])
    await client.broadcast(moved.toHex())
    await devnet.mine(1)
    const carried = { txid: moved.getId(), vout: 0, value: 10_000n }
    expect(await ord.get(`/output/${moved.getId()}:0`)).toMatchObject({
      runes: { 'BURNED•TEST•RUNES': { amount: 1000 } },
    })
    // A number opcode behind the magic number.
    const cenotaph = { script: Uint8Array.of(0x6a, 0x5d, 0x51), value: 0n }
    const burn = wallet.spend([carried], [{ script: wallet.script, value: 9_000n }, cenotaph])
    await client.broadcast(burn.toHex())
    await devnet.mine(1)
    expect(await ord.get(`/output/${burn.getId()}:0`)).toMatchObject({ runes: {} })
    expect(await ord.get(`/rune/${made.rune}`)).toMatchObject({ entry: { burned: 1000 } })
  })

  it('with terms is minted by anybody, in the order of the block, until the cap is reached', async () => {
    const terms = { amount: 50, cap: 3, heightStart: 1, offsetEnd: '1000' }
    const name = 'MINTED•TEST•RUNES'
    const made = await ord.etch({ name, amount: 7, divisibility: 1, terms, turbo: true })
    expect(await ord.get(`/rune/${name}`)).toMatchObject({
      mintable: true,
      entry: {
        ...{ premine: 7, mints: 0, turbo: true },
        terms: { amount: 50, cap: 3, height: [1, null], offset: [null, 1000] },
      },
    })
    const { txids } = await ord.mintRune({ rune: name.replaceAll('•', ''), count: 4 })
    await devnet.mine(1)
    const held = await Promise.all(
      txids.map(async txid => {
        const { runes } = await ord.get(`/output/${txid}:0`)
        return Object(runes)[name]?.amount ?? 0
      }),
    )
    expect(held.toSorted()).toEqual([0, 50, 50, 50])
    expect(await ord.get(`/rune/${made.rune}`)).toMatchObject({
      mintable: false,
      entry: { mints: 3 },
    })
    const { entries, ...paging } = await ord.get('/runes')
    expect(Object(entries)[0]).toEqual([made.rune, (await ord.get(`/rune/${made.rune}`)).entry])
    expect(paging).toEqual({ more: false, prev: null, next: null })
    expect(await ord.get('/runes/1')).toEqual({ entries: [], more: false, prev: 0, next: null })
    await client.post('/devnet/reorg', { depth: 1 })
    expect(await ord.get(`/rune/${made.rune}`)).toMatchObject({
      mintable: true,
      entry: { mints: 0 },
    })
    await devnet.mine(1)
    expect(await ord.get(`/rune/${made.rune}`)).toMatchObject({ entry: { mints: 3 } })
  })

  it.each([
    ['terms', { terms: 3 }, 'terms: must be an object'],
    ['limit', { terms: { amount: 1, cap: 1, limit: 1 } }, 'limit: is not a field of this call'],
    ['cap', { terms: { amount: 1 } }, 'cap: must be a whole number of at most 128 bits'],
    [
      'heightEnd',
      { terms: { amount: 1, cap: 1, heightEnd: String(2n ** 64n) } },
      'heightEnd: must be a whole number of at most 64 bits',
    ],
    ['turbo', { turbo: 1 }, 'turbo: must be true or false'],
  ])('with wrong terms is refused, and the field named: %s', async (_, rest, error) => {
    const order = { name: 'WRONG•TEST•RUNES', amount: 1, ...rest }
    expect(await client.post('/devnet/etch', order)).toMatchObject({ status: 400, body: error })
  })

  it('needs a name that is long enough and free', async () => {
    await ord.etch({ name: 'TAKEN•TEST•RUNES', amount: 1 })
    for (const name of ['SHORT', 'TAKENTESTRUNES', 'not a name', '•AAAAAAAAAAAAAA']) {
      expect((await client.post('/devnet/etch', { name, amount: 1 })).status).toBe(400)
    }
  })
})

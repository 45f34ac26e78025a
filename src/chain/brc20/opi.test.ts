import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  asJson,
  type ScriptedServer,
  startScriptedServer,
} from '../testing/scripted-server.ts'
import { createTestAccess, problemOf } from '../testing/server-access.ts'
import { createOpi } from './opi.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await startScriptedServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const ADDRESS = 'bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg'
const ID = `${'ab'.repeat(32)}i0`
const UNIT = 10n ** 18n

const open = () =>
  createOpi('regtest', server.url, { access: createTestAccess().access, key: null })

const balancePath = (tick: string) =>
  `/v1/brc20/get_current_balance_of_wallet?address=${ADDRESS}&ticker=${tick}`
const notesPath = `/v1/brc20/get_valid_tx_notes_of_wallet?address=${ADDRESS}`
const tokenPath = (tick: string) => `/v1/brc20/ticker_info?ticker=${tick}`

const result = (value: unknown) => asJson({ error: null, result: value })
const refusal = (error: string): Answer => ({
  status: 400,
  body: JSON.stringify({ error, result: null }),
})

const ORDI = {
  id: 1,
  original_tick: 'ordi',
  tick: 'ordi',
  max_supply: '21000000000000000000000000',
  decimals: 18,
  limit_per_mint: '1000000000000000000000',
  remaining_supply: '1000000000000000000',
  burned_supply: '0',
  is_self_mint: false,
  deploy_inscription_id: ID,
  block_height: 779832,
}

describe('OPI', () => {
  it('tells its newest block as text', async () => {
    server.say({ '/v1/brc20/block_height': { body: '838346' } })
    expect(await open().fetchTip()).toEqual({ height: 838_346 })
  })

  it.each(['-1', 'null', 'undefined', '', '<html>', '1e9', '83834600000'])(
    'that says %j is no height',
    async body => {
      server.say({ '/v1/brc20/block_height': { body } })
      expect(await problemOf(open().fetchTip())).toMatchObject({ kind: 'nonsense' })
    },
  )

  it('is asked for each ticker, in lower case, and for those that lie as transferables', async () => {
    server.say({
      [notesPath]: result({
        unused_txes: [
          { tick: 'meme', inscription_id: ID, amount: `${5n * UNIT}`, genesis_height: 300_300 },
        ],
        block_height: 300_301,
      }),
      [balancePath('ordi')]: result({
        overall_balance: '550000000000000000000',
        available_balance: '50000000000000000000',
        block_height: 300_301,
      }),
      [balancePath('meme')]: result({
        overall_balance: `${5n * UNIT}`,
        available_balance: '0',
        block_height: 300_301,
      }),
      [balancePath('none')]: refusal('no balance found'),
    })
    expect(await open().fetchBalances(ADDRESS, ['ORDI', 'ordi', 'none'])).toEqual([
      { tick: 'ordi', available: 50n * UNIT, transferable: 500n * UNIT },
      { tick: 'meme', available: 0n, transferable: 5n * UNIT },
    ])
    expect(server.asked.filter(path => path.includes('ordi'))).toHaveLength(1)
  })

  it('without its further tables tells balances all the same, and that it has no transferables', async () => {
    const row = { overall_balance: `${UNIT}`, available_balance: `${UNIT}` }
    server.say({
      [notesPath]: refusal('not supported'),
      // As OrdinalsBot's answers.
      [balancePath('ordi')]: result([{ ...row, tick: 'ordi', block_height: 1 }]),
    })
    const opi = open()
    expect(await opi.fetchBalances(ADDRESS, ['ordi'])).toEqual([
      { tick: 'ordi', available: UNIT, transferable: 0n },
    ])
    expect(await problemOf(opi.fetchTransferables(ADDRESS))).toMatchObject({
      kind: 'nonsense',
      detail: 'keeps no list of transfer inscriptions',
    })
  })

  it('says that an address has no transferables with an error', async () => {
    server.say({ [notesPath]: refusal('no unused tx found') })
    expect(await open().fetchTransferables(ADDRESS)).toEqual([])
  })

  it('tells of a token where it can, of one that is none, and where it cannot', async () => {
    server.say({
      [tokenPath('ordi')]: result(ORDI),
      [tokenPath('none')]: refusal('no ticker found'),
      [tokenPath('%F0%9F%8D%8A')]: result({ ...ORDI, tick: '🍊', is_self_mint: true }),
    })
    const opi = open()
    expect(await opi.fetchToken('ORDI')).toEqual({
      tick: 'ordi',
      decimals: 18,
      supply: 21_000_000n * UNIT,
      limit: 1000n * UNIT,
      minted: 20_999_999n * UNIT,
      selfMint: false,
      deploy: ID,
    })
    expect(await opi.fetchToken('none')).toBeNull()
    expect(await opi.fetchToken('🍊')).toMatchObject({ selfMint: true })
    expect(await opi.fetchToken('else')).toBe('unknown')
  })

  it.each<[string, unknown]>([
    ['an amount below zero', { overall_balance: '-1', available_balance: '0' }],
    ['an amount with a point', { overall_balance: '1.5', available_balance: '1' }],
    ['an amount that a number does not hold', { overall_balance: 1e30, available_balance: 0 }],
    ['more available than there is', { overall_balance: '1', available_balance: '2' }],
    ['more than there can be', { overall_balance: '9'.repeat(39), available_balance: '0' }],
    ['no amounts', {}],
    ['a text', 'rich'],
    ['of another token', { tick: 'meme', overall_balance: '1', available_balance: '1' }],
  ])('is not believed %s', async (_, row) => {
    server.say({ [notesPath]: refusal('no unused tx found'), [balancePath('ordi')]: result(row) })
    expect(await problemOf(open().fetchBalances(ADDRESS, ['ordi']))).toMatchObject({
      kind: 'nonsense',
      host: server.host,
    })
  })

  it.each<[string, object]>([
    ['nineteen decimals', { decimals: 19 }],
    ['the ticker of another', { tick: 'meme' }],
    ['more left than there is', { remaining_supply: '21000000000000000000000001' }],
    ['a deploy that is no inscription', { deploy_inscription_id: 'ab' }],
    ['self-mint as a text', { is_self_mint: 'true' }],
  ])('is not believed a token with %s', async (_, changes) => {
    server.say({ [tokenPath('ordi')]: result({ ...ORDI, ...changes }) })
    expect(await problemOf(open().fetchToken('ordi'))).toMatchObject({ kind: 'nonsense' })
  })

  it('reads amounts whole that come as numbers', async () => {
    const body =
      '{"error":null,"result":{"overall_balance":9007199254740993,"available_balance":1}}'
    server.say({ [notesPath]: refusal('no unused tx found'), [balancePath('ordi')]: { body } })
    expect(await open().fetchBalances(ADDRESS, ['ordi'])).toEqual([
      { tick: 'ordi', available: 1n, transferable: 9_007_199_254_740_992n },
    ])
  })

  it('that fails inside is a server that cannot be reached', async () => {
    server.say({
      [notesPath]: { status: 500, body: '{"error":"internal error","result":null}' },
    })
    const problem = await problemOf(open().fetchTransferables(ADDRESS))
    expect(problem).toMatchObject({ kind: 'unreachable' })
  })
})

import { describe, expect, it } from 'vitest'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createAddresses } from '../accounts/addresses.ts'
import type { SentRecord } from '../activity/activity.ts'
import type { AccountView } from '../views/account-views.ts'
import type { CoinDecision } from './coin-choices.ts'
import {
  type CoinParts,
  listOwnScripts,
  listYielding,
  loadCoinRules,
  loadCoins,
  scriptOf,
} from './coins.ts'
import { isEndedPayment } from './ended-payments.ts'

/** BIP-84's first receiving key, and its address on a test network by BIP-173's rules. */
const KEY = '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c'
const PROGRAM = 'c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2'
const ACCOUNT = {
  descriptor: null,
  ordinals: null,
  ...{ id: 'one', source: 'seed', addressType: 'p2wpkh', address: '', publicKey: KEY },
} as unknown as AccountView

const outpoint = (n: number, vout = 0) => `${txid(n)}:${vout}`
const txid = (n: number) => n.toString(16).padStart(64, '0')

type Given = { n: number; amount: bigint; height?: number | null }

const record = (changes: Partial<SentRecord>): SentRecord =>
  ({
    ...{
      txid: txid(900),
      network: 'regtest',
      accountId: 'one',
      kind: 'payment',
      status: 'pending',
    },
    ...{ spends: [], creates: [], replaces: null, payment: {} },
    ...changes,
  }) as SentRecord

/** A wallet whose servers and stores say all this, and nothing else. */
async function load(
  coins: readonly Given[],
  {
    records = [],
    planned = [],
    choices = [],
  }: { records?: SentRecord[]; planned?: string[]; choices?: [string, CoinDecision][] } = {},
) {
  const utxos = coins.map(({ n, amount, height = 100 }) => ({
    ...{ txid: txid(n), vout: 0, amount, height, scriptPubKey: new Uint8Array() },
  }))
  const wallet = {
    addresses: createAddresses({
      local: createMemoryArea(),
      session: createMemoryArea(),
      now: () => 0,
    }),
    chain: async () => ({ fetchUtxos: async () => utxos }),
    coinAssets: {
      classify: async () =>
        new Map(coins.map(({ n }) => [outpoint(n), { known: true, assets: [] }])),
    },
    activity: {
      listSent: async () => records,
      listAsked: async () => ({ asked: { has: () => true }, hasOtherThan: () => true }),
    },
    listReserved: async () => new Set(planned),
    coinChoices: { load: async () => new Map(choices) },
    settings: { load: async () => ({ expert: { holdSmallCoins: false } }) },
    atomicals: async () => null,
  } as unknown as CoinParts
  return loadCoins(wallet, ACCOUNT, 'regtest')
}

const placesOf = (coins: readonly { txid: string }[]) =>
  coins.map(({ txid }) => Number.parseInt(txid, 16))

describe('coins of payments under way', () => {
  const held = async (...asked: Parameters<typeof load>) =>
    (await load(...asked)).all.map(({ held }) => held)
  const coins = [
    { n: 1, amount: 50_000n },
    { n: 2, amount: 50_000n },
  ]

  it.each(['pending', 'sending', 'unsent'] as const)(
    'are reserved while it is %s',
    async status => {
      const records = [record({ status, spends: [outpoint(1)] })]
      expect(await held(coins, { records })).toEqual(['reserved', null])
    },
  )

  it.each(['failed', 'replaced'] as const)('are free again once it is %s', async status => {
    const records = [record({ status, spends: [outpoint(1)] })]
    expect(await held(coins, { records })).toEqual([null, null])
  })

  it('are reserved before it is in activity, and while a replacement takes them back', async () => {
    expect(await held(coins, { planned: [outpoint(2)] })).toEqual([null, 'reserved'])
    const bump = record({ replaces: txid(1) } as Partial<SentRecord>)
    expect(await held(coins, { records: [bump] })).toEqual(['reserved', null])
    const failed = { ...bump, status: 'failed' as const }
    expect(await held(coins, { records: [failed] })).toEqual([null, null])
    expect([...listYielding([bump, record({})])]).toEqual([txid(1)])
  })

  it('that it makes may be spent before they are in a block, and those of others may not', async () => {
    const fresh = coins.map(coin => ({ ...coin, height: null }))
    const records = [record({ creates: [outpoint(1)] })]
    expect(await held(fresh, { records })).toEqual([null, 'unconfirmed'])
  })

  it('that the person locked are told as such', async () => {
    const choices: [string, CoinDecision][] = [
      [outpoint(1), { choice: 'locked', knew: { assets: [] } }],
    ]
    const { all, spendable } = await load(coins, { choices })
    expect(all.map(({ choice, held }) => [choice, held])).toEqual([
      ['locked', 'locked'],
      [null, null],
    ])
    expect(placesOf(spendable)).toEqual([2])
  })
})

describe('a payment that a server says was refused or replaced', () => {
  it('is one that this wallet made; what sites pushed chooses no coins for it', () => {
    const ended = (changes: Partial<SentRecord>) =>
      isEndedPayment(record({ status: 'failed', ...changes }))
    expect(ended({})).toBe(true)
    expect(ended({ status: 'replaced' })).toBe(true)
    expect(ended({ payment: null })).toBe(false)
    expect(ended({ payment: null, kind: 'commit' })).toBe(true)
    expect(ended({ status: 'pending' })).toBe(false)
  })

  const required = async (
    coins: readonly Given[],
    chosen: readonly number[],
    ...spends: number[][]
  ) => {
    const records = spends.map(some =>
      record({ status: 'failed', spends: some.map(n => outpoint(n)) }),
    )
    const loaded = await load(coins, { records })
    return placesOf(
      loaded.withRequired(loaded.all.filter(coin => chosen.map(txid).includes(coin.txid))),
    )
  }
  const coins: Given[] = [
    { n: 1, amount: 10_000n },
    { n: 2, amount: 20_000n },
    { n: 3, amount: 30_000n },
    { n: 4, amount: 30_000n },
  ]

  it('has one of its coins in the next payment, the largest, so that only one of the two can be mined', async () => {
    expect(await required(coins, [1], [1, 2])).toEqual([1])
    expect(await required(coins, [1], [2, 3])).toEqual([1, 3])
    expect(await required(coins, [1], [3, 2])).toEqual([1, 3])
    expect(await required(coins, [1], [3, 4])).toEqual([1, 3])
  })

  it('has one that is in a block rather than a larger one that is not', async () => {
    const mixed: Given[] = [
      { n: 1, amount: 10_000n },
      { n: 2, amount: 20_000n },
      { n: 3, amount: 90_000n, height: null },
      { n: 5, amount: 95_000n, height: null },
    ]
    const records = [
      record({ status: 'failed', spends: [outpoint(3), outpoint(2)] }),
      record({ txid: txid(901), creates: [outpoint(3), outpoint(5)] }),
    ]
    const loaded = await load(mixed, { records })
    expect(placesOf(loaded.withRequired([]))).toEqual([2])
    const [first, ...rest] = records
    const reversed = { ...first, spends: [outpoint(2), outpoint(3)] } as SentRecord
    expect(
      placesOf((await load(mixed, { records: [reversed, ...rest] })).withRequired([])),
    ).toEqual([2])
    const fresh = { ...first, spends: [outpoint(3), outpoint(5)] } as SentRecord
    expect(placesOf((await load(mixed, { records: [fresh, ...rest] })).withRequired([]))).toEqual([
      5,
    ])
  })

  it('shares a coin with another one that ended, where it can', async () => {
    expect(await required(coins, [], [2, 3], [3, 1])).toEqual([3])
    expect(await required(coins, [], [2], [1])).toEqual([2, 1])
  })

  it('asks for nothing where none of its coins is there any more, or a later payment has one', async () => {
    expect(await required(coins, [1], [77])).toEqual([1])
    expect(await required(coins, [1])).toEqual([1])
    const records = [
      record({ status: 'failed', spends: [outpoint(2), outpoint(3)] }),
      record({ txid: txid(901), spends: [outpoint(3)] }),
    ]
    expect(placesOf((await load(coins, { records })).withRequired([]))).toEqual([])
  })
})

describe('the script of an account', () => {
  it('is that of its key, or of its address where it has none', async () => {
    const watched = {
      ...{ ...ACCOUNT, source: 'watch', publicKey: null },
      address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    } as unknown as AccountView
    const hex = (script: Uint8Array) => Buffer.from(script).toString('hex')
    expect(hex(scriptOf(ACCOUNT, 'regtest'))).toBe(`0014${PROGRAM}`)
    expect(hex(scriptOf(watched, 'regtest'))).toBe('0014751e76e8199196d454941c45d1b3a323f1433bd6')
    const [own, ...others] = await listOwnScripts(
      {
        accounts: { list: async () => [watched, ACCOUNT] },
        addresses: createAddresses({
          local: createMemoryArea(),
          session: createMemoryArea(),
          now: () => 0,
        }),
      },
      'regtest',
    )
    expect(others).toEqual([])
    expect(own?.accountId).toBe('one')
    expect(hex(own?.publicKey ?? new Uint8Array())).toBe(KEY)
    expect(hex(own?.scriptPubKey ?? new Uint8Array())).toBe(`0014${PROGRAM}`)
  })
})

describe('small coins', () => {
  it('are held where the person wants that and nobody tells of Atomicals', async () => {
    const rules = async (holdSmallCoins: boolean, tells: boolean) => {
      const wallet = {
        settings: { load: async () => ({ expert: { holdSmallCoins } }) },
        atomicals: async () => (tells ? {} : null),
      } as unknown as CoinParts
      return (await loadCoinRules(wallet, 'regtest')).holdSmall
    }
    expect(await rules(true, false)).toBe(true)
    expect(await rules(true, true)).toBe(false)
    expect(await rules(false, false)).toBe(false)
  })
})

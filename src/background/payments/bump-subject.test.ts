import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { BackendUnavailableError, TransactionNotFoundError } from '../../chain/chain-source.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { inscription } from '../../ordinals/testing/test-assets.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createAddresses } from '../accounts/addresses.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import type { StoredPayment } from '../activity/stored-payment.ts'
import type { CoinParts } from '../coins/coins.ts'
import { loadBumpSubject } from './bump-subject.ts'

/** BIP-84's first key, whose program is the account's own. */
const KEY = '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c'
const OWN = '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2'
const THEM = '0014751e76e8199196d454941c45d1b3a323f1433bd6'
const CLEAN: CoinAssets = { known: true, assets: [] }

const txid = (n: number) => n.toString(16).padStart(64, '0')

/** Outputs of the transaction: to the account, to others, to the account. */
const OUTPUTS = [
  [OWN, 5_000n],
  [THEM, 7_000n],
  [OWN, 293n],
  [OWN, 9_000n],
] as const

const transaction = new Transaction()
transaction.version = 2
transaction.addInput(new Uint8Array(32).fill(1), 0)
for (const [script, sats] of OUTPUTS) transaction.addOutput(fromHex(script), sats)
const TXID = transaction.getId()
const outpoint = (vout: number) => `${TXID}:${vout}`

const record = (changes: Partial<SentRecord> = {}): SentRecord =>
  ({
    ...{ txid: TXID, kind: 'payment', status: 'pending', payment: null, about: null },
    ...{ spends: [`${txid(1)}:0`], creates: [], replaces: null },
    ...changes,
  }) as SentRecord

const PAYMENT: StoredPayment = {
  ...{ inputs: [], addressType: 'p2wpkh', fee: '250', vsize: 125, feeRate: 2, changeIndex: 0 },
  outputs: [{ script: OWN, sats: '5000' }],
}

const AWAY = { kind: 'unreachable', host: 'chain.test', detail: '', retryInMs: 0 } as const

function load({
  records = [],
  height = null,
  isKnown = true,
  reserved = [],
  locked = [],
  told = {},
  missing,
}: {
  records?: SentRecord[]
  height?: number | null
  /** Whether the server knows the transaction. */
  isKnown?: boolean
  reserved?: string[]
  locked?: string[]
  told?: { [outpoint: string]: CoinAssets }
  missing?: Error
} = {}) {
  const answer = <T>(value: T) => (missing ? Promise.reject(missing) : Promise.resolve(value))
  const wallet = {
    chain: async () => ({
      fetchUtxos: async () => [],
      fetchTransactionHeight: async () => (isKnown ? height : undefined),
      fetchTransactionRecord: () => answer({ fee: 321n }),
      fetchTransaction: () => answer(new Uint8Array(transaction.toBuffer())),
    }),
    addresses: createAddresses({
      local: createMemoryArea(),
      session: createMemoryArea(),
      now: () => 0,
    }),
    activity: {
      listSent: async () => records,
      listAsked: async () => ({ asked: { has: () => true }, hasOtherThan: () => true }),
    },
    coinAssets: {
      classify: async (...[, , , utxos]: [unknown, unknown, unknown, { vout: number }[]]) =>
        new Map(utxos.map(({ vout }) => [outpoint(vout), told[outpoint(vout)] ?? CLEAN])),
    },
    coinChoices: {
      load: async () =>
        new Map(locked.map(one => [one, { choice: 'locked', knew: { assets: [] } }])),
    },
    settings: {
      load: async () => ({ expert: { spendUnconfirmed: false, holdSmallCoins: false } }),
    },
    atomicals: async () => null,
    listReserved: async () => new Set(reserved),
  }
  const account = {
    id: 'one',
    addressType: 'p2wpkh',
    publicKey: KEY,
    address: '',
    descriptor: null,
    ordinals: null,
  }
  const context = { wallet, network: 'regtest', account } as unknown as PaymentContext<CoinParts>
  return loadBumpSubject(context, TXID)
}

const placesOf = (outputs: readonly { vout: number }[]) => outputs.map(({ vout }) => vout)

describe('whether a transaction can be bumped', () => {
  it.each<[string, Parameters<typeof load>[0], string]>([
    ['waits: nobody has it in a block', { records: [record()] }, 'waiting'],
    ['is of others and waits', {}, 'waiting'],
    ['is of others and in a block', { height: 7 }, 'CONFIRMED'],
    ['is of others and not known', { isKnown: false }, 'ENDED'],
    ['is in a block', { records: [record()], height: 7 }, 'CONFIRMED'],
    ['is in the first block of all', { records: [record()], height: 0 }, 'CONFIRMED'],
    ['was in a block', { records: [record({ status: 'confirmed' })] }, 'CONFIRMED'],
    ['was refused', { records: [record({ status: 'failed' })] }, 'ENDED'],
    ['is not sent yet', { records: [record({ status: 'unsent' })] }, 'ENDED'],
    ['has a rival for its coins', { records: [record(), record({ txid: txid(8) })] }, 'ENDED'],
    [
      'had a rival that was refused',
      { records: [record(), record({ txid: txid(8), status: 'failed' })] },
      'waiting',
    ],
    [
      'stands beside another one',
      { records: [record(), record({ txid: txid(8), spends: [`${txid(2)}:0`] })] },
      'waiting',
    ],
  ])('one that %s', async (_, given, state) => {
    expect((await load(given)).state).toBe(state)
  })
})

describe('what it pays', () => {
  it('is what our own record says where this wallet made it', async () => {
    const about = { kind: 'nft', inscription: null } as const
    const {
      paid,
      sent,
      ownOutputs,
      about: said,
    } = await load({
      records: [record({ payment: PAYMENT, about })],
    })
    expect(paid).toMatchObject({ fee: 250n, vsize: 125 })
    expect([sent?.fee, said, placesOf(ownOutputs)]).toEqual([250n, about, [0]])
  })

  it('is the word of the server, and its size from its bytes, where others made it', async () => {
    const { paid, sent, about } = await load({ records: [record()] })
    expect(paid).toEqual({ fee: 321n, vsize: transaction.virtualSize() })
    expect([sent, about]).toEqual([null, null])
  })

  it('is nothing where the server does not know it, and a failure where it is away', async () => {
    const missing = new TransactionNotFoundError('chain.test', TXID)
    expect(await load({ missing, isKnown: false })).toMatchObject({
      ...{ paid: { fee: 0n, vsize: 0 }, ownOutputs: [], sent: null, hasChildren: false },
    })
    const away = new BackendUnavailableError(AWAY)
    await expect(load({ missing: away })).rejects.toBe(away)
  })
})

describe('its outputs to the account', () => {
  const mine = { records: [record({ creates: [0, 2, 3].map(outpoint) })] }

  it('are free where it is our own change and nothing sits on it', async () => {
    const { ownOutputs, freeOutputs, laden, hasChildren } = await load(mine)
    expect([ownOutputs, freeOutputs, laden].map(placesOf)).toEqual([[0, 2, 3], [0, 2, 3], []])
    expect(hasChildren).toBe(false)
    expect(ownOutputs[0]).toMatchObject({ txid: TXID, amount: 5_000n, height: null })
  })

  it('can only be spent whole where something may sit on them, and are more than dust', async () => {
    const theirs = await load()
    expect([theirs.freeOutputs, theirs.laden].map(placesOf)).toEqual([[], [0, 3]])
    const told = {
      [outpoint(0)]: { known: true, assets: [inscription(1, 0n)] } as const,
      [outpoint(2)]: { known: false, why: 'contradicted' } as const,
    }
    const inscribed = await load({ ...mine, told })
    expect([inscribed.freeOutputs, inscribed.laden].map(placesOf)).toEqual([[3], [0]])
  })

  it('that the person locked are neither', async () => {
    const { freeOutputs, laden, ownOutputs } = await load({ ...mine, locked: [outpoint(3)] })
    expect([ownOutputs, freeOutputs, laden].map(placesOf)).toEqual([[0, 2, 3], [0, 2], []])
  })

  it('that another payment spends, or is about to, are its children', async () => {
    const child = record({ txid: txid(8), spends: [outpoint(3)] })
    const spent = await load({ records: [...mine.records, child] })
    expect([placesOf(spent.freeOutputs), spent.hasChildren]).toEqual([[0, 2], true])
    const failed = { ...child, status: 'failed' as const }
    expect((await load({ records: [...mine.records, failed] })).hasChildren).toBe(false)
    const planned = await load({ ...mine, reserved: [outpoint(0)] })
    expect([placesOf(planned.freeOutputs), planned.hasChildren]).toEqual([[2, 3], true])
  })
})

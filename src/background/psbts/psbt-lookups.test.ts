import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { type BuiltInput, buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { BackendUnavailableError, TransactionNotFoundError } from '../../chain/chain-source.ts'
import type { SentRecord } from '../activity/activity.ts'
import { readPsbtElsewhere } from '../testing/psbt-site.ts'
import { fetchPreviousTransactions } from './psbt-lookups.ts'

const KEY = new Uint8Array(32).fill(3)
const RAW = Uint8Array.of(1, 2, 3)
const AWAY = { kind: 'unreachable', host: 'chain.test', detail: '', retryInMs: 0 } as const

const ours = (changes: Partial<BuiltInput> = {}): BuiltInput => ({
  ...{ type: 'p2wpkh', key: KEY, amount: 1_000n },
  ...changes,
})
const theirs = (changes: Partial<BuiltInput> = {}): BuiltInput => ({
  ...{ type: 'p2wpkh', amount: 1_000n },
  ...changes,
})
/** Output 0 of a transaction whose txid is this number. */
const at = (n: number) => ({ outpoint: { txid: n.toString(16).padStart(64, '0'), vout: 0 } })

function psbtOf(...inputs: BuiltInput[]): Psbt {
  return parsePsbt(buildPsbt({ inputs, outputs: [{ type: 'p2wpkh', amount: 500n }] }).bytes)
}

/** What is fetched for PSBTs, of which a page names inputs, from a server that gives `answer`. */
async function lookUp(
  psbts: readonly Psbt[],
  {
    named = [],
    answer = () => RAW,
    prepared = [],
    msEach = 0,
  }: {
    named?: number[]
    answer?: (txid: string, count: number) => Uint8Array | Error
    prepared?: Partial<SentRecord>[]
    msEach?: number
  } = {},
) {
  let now = 1_000
  const asked: string[] = []
  const context = {
    network: 'regtest',
    account: {
      ...{ id: 'a', name: 'A', source: 'seed', addressType: 'p2wpkh', hidden: false },
      ...{
        address: '',
        publicKey: toHex(publicKeyOf(KEY)),
        descriptor: null,
        ordinals: null,
        derivationPath: null,
      },
    },
    wallet: {
      now: () => now,
      activity: { listOpenOfAll: async () => prepared as SentRecord[] },
      chain: async () => ({
        async fetchTransaction(txid: string) {
          asked.push(txid)
          now += msEach
          const given = answer(txid, asked.length)
          if (given instanceof Error) throw given
          return given
        },
      }),
    },
  } as unknown as Parameters<typeof fetchPreviousTransactions>[0]
  const items = psbts.map(psbt => ({ psbt, named: new Set(named) }))
  const { raw, missing } = await fetchPreviousTransactions(context, items)
  return { asked, raw, missing }
}

const txidOf = ({ outpoint: { txid } }: ReturnType<typeof at>) => txid

describe('the transactions that a PSBT spends and does not bring', () => {
  it('are fetched, each once', async () => {
    const [input] = psbtOf(ours(at(7))).inputs
    const { asked, raw, missing } = await lookUp([psbtOf(ours(at(7)), theirs(at(8)))])
    expect(asked).toEqual([txidOf(at(7)), txidOf(at(8))])
    expect(raw.get(input?.txid ?? '')).toEqual(RAW)
    expect(missing).toBeNull()
  })

  it('are not fetched where all is taproot, whose signatures cover what is claimed', async () => {
    const { asked, missing } = await lookUp([psbtOf(ours({ ...at(7), type: 'p2tr' }))])
    expect([asked, missing]).toEqual([[], null])
  })

  it('are taken from what is kept back, without asking for it', async () => {
    const kept = { kind: 'prepared', status: 'unsent', txid: txidOf(at(7)), rawTx: '0a0b' } as const
    const { asked, raw } = await lookUp([psbtOf(ours(at(7)), ours(at(8)))], { prepared: [kept] })
    expect(asked).toEqual([txidOf(at(8))])
    expect(raw.get(txidOf(at(7)))).toEqual(fromHex('0a0b'))
  })

  it('of a batch are also the other PSBTs, so that nobody is asked for them', async () => {
    const built = buildPsbt({
      inputs: [ours({ ...at(7), type: 'p2tr' })],
      outputs: [{ type: 'p2wpkh', amount: 500n }],
    })
    const parent = parsePsbt(built.bytes)
    const transaction = Transaction.fromBuffer(
      readPsbtElsewhere(toHex(built.bytes)).data.getTransaction(),
    )
    const { asked, raw } = await lookUp([parent, psbtOf(ours(at(8)))])
    // Nobody in the batch spends the first one, so that its signatures alone have to hold.
    expect(asked).toEqual([txidOf(at(8))])
    expect(raw.get(transaction.getId())).toEqual(new Uint8Array(transaction.toBuffer()))
    const child = psbtOf(ours({ outpoint: { txid: transaction.getId(), vout: 0 } }))
    expect((await lookUp([parent, child])).asked).toEqual([txidOf(at(7))])
  })
})

describe('what our signatures need', () => {
  const LATE = { msEach: 6_000 }
  const order = async (psbt: Psbt, named: number[] = []) => (await lookUp([psbt], { named })).asked

  it('is fetched first: what is ours, what the page names, and what tells nothing of itself', async () => {
    const taproot = { ...at(2), type: 'p2tr' as const }
    const psbt = psbtOf(theirs(at(1)), ours(taproot), theirs(at(3)), ours(at(4)))
    expect(await order(psbt)).toEqual([4, 1, 2, 3].map(n => txidOf(at(n))))
    expect(await order(psbt, [2])).toEqual([3, 4, 1, 2].map(n => txidOf(at(n))))
    expect(await order(psbt, [1])).toEqual([4, 1, 2, 3].map(n => txidOf(at(n))))
    const silent = psbtOf(theirs(at(1)), theirs({ ...at(2), proof: 'none' }))
    expect(await order(silent)).toEqual([2, 1].map(n => txidOf(at(n))))
  })

  it('is waited for, and what only tells of others for ten seconds', async () => {
    const inputs = Array.from({ length: 30 }, (_, n) => theirs(at(n + 1)))
    const { asked, missing } = await lookUp([psbtOf(...inputs)], LATE)
    expect(asked.length).toBeLessThan(15)
    expect(missing).toBe('unanswered')
    const own = Array.from({ length: 30 }, (_, n) => ours(at(n + 1)))
    const whole = await lookUp([psbtOf(...own)], LATE)
    expect([whole.asked.length, whole.missing]).toEqual([30, null])
  })

  it('is waited for exactly ten seconds', async () => {
    const inputs = Array.from({ length: 9 }, (_, n) => theirs(at(n + 1)))
    // Eight are asked for at once; by the last of them ten seconds are over, and not more.
    expect((await lookUp([psbtOf(...inputs)], { msEach: 1_250 })).missing).toBeNull()
    expect((await lookUp([psbtOf(...inputs)], { msEach: 1_251 })).missing).toBe('unanswered')
  })
})

describe('a server', () => {
  const psbt = psbtOf(...Array.from({ length: 20 }, (_, n) => ours(at(n + 1))))

  it('that does not answer is not asked for more', async () => {
    const { asked, missing } = await lookUp([psbt], {
      answer: () => new BackendUnavailableError(AWAY),
    })
    expect(asked).toHaveLength(8)
    expect(missing).toBe('unanswered')
  })

  it('that does not know one is asked for the others', async () => {
    const { asked, raw, missing } = await lookUp([psbt], {
      answer: txid =>
        txid === txidOf(at(1)) ? new TransactionNotFoundError('chain.test', txid) : RAW,
    })
    expect([asked.length, raw.size, missing]).toEqual([20, 19, null])
  })

  it('whose failure is one of our own code is not taken for an answer', async () => {
    await expect(lookUp([psbt], { answer: () => new TypeError('broken') })).rejects.toThrow(
      'broken',
    )
  })

  it('is asked for no more than 1,000, and for 20 MB', async () => {
    const many = (count: number) =>
      psbtOf(...Array.from({ length: count }, (_, n) => ours(at(n + 1))))
    const all = await lookUp([many(1_000)])
    expect([all.asked.length, all.missing]).toEqual([1_000, null])
    const most = await lookUp([many(1_001)])
    expect([most.asked.length, most.missing]).toEqual([1_000, 'too-many'])
    const large = (bytes: number) => {
      const raw = new Uint8Array(bytes)
      return lookUp([psbt], { answer: (_, count) => (count === 1 ? raw : new Uint8Array(0)) })
    }
    expect((await large(20_000_000)).missing).toBeNull()
    const tooLarge = await large(20_000_001)
    expect([tooLarge.asked.length, tooLarge.missing]).toEqual([8, 'too-many'])
  })
})

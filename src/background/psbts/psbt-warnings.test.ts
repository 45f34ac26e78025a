import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { PsbtReview } from '../../bitcoin/psbt/review.ts'
import type { Contents } from '../../ordinals/flow/batch-flow.ts'
import type { CoinDecision } from '../coins/coin-choices.ts'
import type { FeeReferences } from '../review/fee-rates.ts'
import type { Warning } from '../views/payment-views.ts'
import { warnOfPsbt } from './psbt-warnings.ts'

/** The witness program of BIP-173's example, and the address that BIP-173 gives it on a test network. */
const P2WPKH = fromHex('0014751e76e8199196d454941c45d1b3a323f1433bd6')
const P2WPKH_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
/** Bitcoin Core calls less than this dust for a P2WPKH output. */
const DUST = 294n

type Input = PsbtReview['inputs'][number]
type Output = PsbtReview['outputs'][number]

const input = (changes: Partial<Input> = {}): Input => ({
  owner: 'own',
  accountId: 'a',
  outpoint: 'coin:0',
  amount: 100_000n,
  scriptPubKey: P2WPKH,
  proof: 'proven',
  state: 'to-sign',
  sighash: 1,
  open: false,
  placeholder: false,
  badSignature: false,
  fixes: 'all',
  onlyLeaf: null,
  ...changes,
})

const output = (changes: Partial<Output> = {}): Output => ({
  owner: 'foreign',
  accountId: null,
  scriptPubKey: P2WPKH,
  amount: 99_000n,
  open: false,
  ...changes,
})

const FEES: FeeReferences = { rates: null, otherFastest: null, recent: null }
const RATES = { fastest: 10, halfHour: 5, hour: 4, minimum: 2 }

/** A payment with nothing to warn of, but for what is changed. */
function warn(
  changes: Partial<PsbtReview> = {},
  known: {
    fees?: Partial<FeeReferences>
    names?: [string, string][]
    unasked?: string[]
    contents?: Contents[]
    unconfirmed?: string[]
    locked?: string[]
  } = {},
): Warning[] {
  const review: PsbtReview = {
    inputs: [input()],
    outputs: [output()],
    certainty: 'certain',
    txid: { value: 'ab', certainty: 'certain' },
    locktime: null,
    net: { value: new Map([['a', -100_000n]]), certainty: 'certain' },
    worst: -100_000n,
    fee: { sats: 1_000n, feeRate: 10, certainty: 'certain' },
    leastFee: null,
    vsize: 100,
    vsizeExact: true,
    leastVsize: 100,
    after: 'complete',
    ...changes,
  }
  const decision: CoinDecision = { choice: 'locked', knew: { assets: [] } }
  return warnOfPsbt(review, {
    network: 'signet',
    fees: { ...FEES, ...known.fees },
    knownAddresses: { names: new Map(known.names), peers: [], strangers: new Map() },
    unasked: new Set(known.unasked),
    unconfirmed: new Set(known.unconfirmed),
    contents: known.contents ?? [],
    choices: new Map((known.locked ?? []).map(outpoint => [outpoint, decision])),
  })
}

it('a payment that is like any other is warned of in no way', () => {
  expect(warn()).toEqual([])
})

describe('an open signature', () => {
  it('is warned of for the sighash, with what it may cost', () => {
    const open = { kind: 'open-signature', worst: '-100000', proposed: '-100000' }
    for (const sighash of [0x81, 0x83])
      expect(warn({ inputs: [input({ sighash })] })).toEqual([open])
    for (const sighash of [0, 1, null]) expect(warn({ inputs: [input({ sighash })] })).toEqual([])
  })

  it('is warned of where an earlier signature makes it cost more, whatever the sighash', () => {
    const value = new Map([
      ['a', -70_000n],
      ['b', 20_000n],
    ])
    const net = { value, certainty: 'certain' } as const
    expect(warn({ net, worst: -50_001n })).toEqual([
      { kind: 'open-signature', worst: '-50001', proposed: '-50000' },
    ])
    expect(warn({ net, worst: -50_000n })).toEqual([])
  })

  it.each([2, 3, 0x82])('of type %i is called blank besides', sighash => {
    const kinds = warn({ inputs: [input(), input({ sighash })] }).map(({ kind }) => kind)
    expect(kinds).toEqual(['open-signature', 'blank-signature'])
  })
})

describe('a sighash that only the PSBT asks for', () => {
  const asked = (changes: Partial<Input>, unasked = ['sold:0']) =>
    warn({ inputs: [input(), input({ outpoint: 'sold:0', ...changes })] }, { unasked }).filter(
      ({ kind }) => kind === 'unasked-sighash',
    )

  it('is named where it leaves something to others and is to be signed now', () => {
    expect(asked({ sighash: 0x83 })).toEqual([{ kind: 'unasked-sighash', inputs: [1] }])
  })

  it('is not named where it fixes everything, was given before, or was asked for', () => {
    for (const sighash of [0, 1, null]) expect(asked({ sighash })).toEqual([])
    expect(asked({ sighash: 0x83, state: 'signed' })).toEqual([])
    expect(asked({ sighash: 0x83 }, ['coin:0'])).toEqual([])
  })
})

describe('inputs are named', () => {
  const other = (changes: Partial<Input>) =>
    warn({ inputs: [input(), input({ outpoint: 'other:0', ...changes })] })

  it('that carry a wrong signature', () => {
    expect(other({ badSignature: true })).toEqual([{ kind: 'bad-signature', inputs: [1] }])
  })

  it('whose amounts only the PSBT states', () => {
    expect(other({ proof: 'claimed' })).toEqual([{ kind: 'claimed-amounts', inputs: [1] }])
    for (const proof of ['committed', null] as const) expect(other({ proof })).toEqual([])
  })

  it('that are in no block', () => {
    const unconfirmed = ['b:0', 'c:0']
    const inputs = [input(), input({ outpoint: 'b:0' }), input({ outpoint: 'c:0' })]
    expect(warn({ inputs }, { unconfirmed })).toEqual([
      { kind: 'spends-unconfirmed', inputs: [1, 2] },
    ])
  })

  it('that we sign though others can spend them too, with all that they hold', () => {
    const inputs = [
      input({ owner: 'shared', amount: 7_000n }),
      input({ owner: 'shared', amount: 5_000n, sighash: null, outpoint: 'b:0' }),
      input({ owner: 'shared', amount: null, outpoint: 'c:0' }),
      input({ owner: 'foreign', amount: 3_000n, outpoint: 'd:0' }),
      input({ owner: 'shared', amount: 4_000n, outpoint: 'e:0' }),
    ]
    expect(warn({ inputs })).toEqual([{ kind: 'shared-inputs', inputs: [0, 2, 4], sats: '11000' }])
  })

  it('of this wallet that the person locked, or that nobody could look at', () => {
    const inputs = [
      input(),
      input({ outpoint: 'b:0' }),
      input({ outpoint: 'c:0', owner: 'shared' }),
    ]
    const contents = inputs.map(() => ({ assets: [], unknown: 'unanswered' as const }))
    const locked = ['b:0', 'c:0']
    expect(warn({ inputs }, { contents, locked })).toEqual([
      expect.objectContaining({ kind: 'shared-inputs' }),
      { kind: 'unchecked-coins', inputs: [0, 1], why: 'unanswered' },
      { kind: 'locked-coins', inputs: [1] },
    ])
  })
})

describe('outputs are named', () => {
  it('that burn sats, with their sum, and not those that hold none', () => {
    const data = (amount: bigint) =>
      output({ owner: 'data', scriptPubKey: fromHex('6a0548656c6c6f'), amount })
    const outputs = [output({ amount: 90_000n }), data(4_000n), data(5_000n)]
    expect(warn({ outputs })).toEqual([{ kind: 'burned-sats', sats: '9000' }])
    expect(warn({ outputs: [output(), data(0n)] })).toEqual([])
  })

  it('whose scripts have no address', () => {
    const outputs = [output(), output({ owner: 'unknown', scriptPubKey: fromHex('51') })]
    expect(warn({ outputs })).toEqual([{ kind: 'unknown-outputs', outputs: [1] }])
  })

  it('below the dust limit, unless others will put something else there', () => {
    const of = (changes: Partial<Output>) => warn({ outputs: [output(), output(changes)] })
    expect(of({ amount: DUST - 1n })).toEqual([{ kind: 'dust-outputs', outputs: [1] }])
    expect(of({ amount: DUST })).toEqual([])
    expect(of({ amount: DUST - 1n, open: true })).toEqual([])
  })

  it('that go to an address which only looks like a known one, and not what comes back to us', () => {
    const known = `tb1qw508d6${'q'.repeat(26)}kxpjzsx`
    const names: [string, string][] = [[known, 'Ann']]
    expect(warn({}, { names })).toEqual([
      { kind: 'looks-like', to: P2WPKH_ADDRESS, known, name: 'Ann' },
    ])
    expect(warn({ outputs: [output({ owner: 'own' })] }, { names })).toEqual([])
  })
})

describe('a fee', () => {
  const SETTLED = { feeRate: 1, certainty: 'certain' } as const
  const high = (percent: number | null, fastest: number | null = null) => ({
    ...{ kind: 'high-fee', percent, fastest, recent: null },
  })

  it('is high beside what goes to others, or beside all where nothing goes to others', () => {
    const outputs = [
      output({ amount: 50_000n }),
      output({ amount: 50_000n }),
      output({ owner: 'own', amount: 1_000_000n }),
    ]
    const fee = { ...SETTLED, sats: 20_000n }
    expect(warn({ outputs, fee, vsize: 1_000, leastVsize: 1_000 })).toEqual([high(20)])
    const kept = outputs.map(each => ({ ...each, owner: 'own' as const }))
    expect(warn({ outputs: kept, fee, vsize: 1_000, leastVsize: 1_000 })).toEqual([])
  })

  it('is high by the smallest size that others can give it, and low by the size that it has', () => {
    const fees = { rates: RATES }
    const fee = { ...SETTLED, sats: 1_000n }
    expect(warn({ fee, vsize: 501, leastVsize: 19 }, { fees })).toEqual([high(1, 10)])
    expect(warn({ fee, vsize: 501, leastVsize: 20 }, { fees })).toEqual([
      { kind: 'low-fee', minimum: 2 },
    ])
    expect(warn({ fee, vsize: 500, leastVsize: 20 }, { fees })).toEqual([])
  })

  it('that is not settled is told only where it is high', () => {
    const fees = { rates: RATES }
    const sizes = { vsize: 501, leastVsize: 400 }
    const open = { sats: 1_000n, feeRate: 1, certainty: 'open' } as const
    expect(warn({ ...sizes, fee: open }, { fees })).toEqual([])
    expect(warn({ ...sizes, fee: null, leastFee: 1_000n }, { fees })).toEqual([])
    expect(warn({ ...sizes, fee: { ...open, sats: 20_001n } }, { fees })).toMatchObject([
      { kind: 'high-fee' },
    ])
    expect(warn({ ...sizes, fee: null, leastFee: 20_001n }, { fees })).toMatchObject([
      { kind: 'high-fee' },
    ])
  })

  it('that nobody knows, or that others will have to pay, is not warned of', () => {
    const fees = { rates: RATES }
    expect(warn({ fee: null, leastFee: null }, { fees })).toEqual([])
    expect(warn({ fee: null, leastFee: -1n }, { fees })).toEqual([])
    expect(warn({ fee: null, leastFee: 0n }, { fees })).toEqual([])
    expect(warn({ fee: { ...SETTLED, sats: 0n } }, { fees })).toEqual([
      { kind: 'low-fee', minimum: 2 },
    ])
  })

  it('that is absurd is refused', () => {
    const fee = { ...SETTLED, sats: 1_000_001n }
    expect(() => warn({ fee })).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ reason: 'ABSURD_FEE' }) }),
    )
  })
})

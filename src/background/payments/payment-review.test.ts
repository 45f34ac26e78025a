import { describe, expect, it } from 'vitest'
import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import { keyOfAtomical } from '../../ordinals/asset-key.ts'
import type { AssetMove } from '../../ordinals/flow/asset-flow.ts'
import { atomicalIdOf, tokenOf } from '../../ordinals/testing/atomical-assets.ts'
import { idOf, inscription } from '../../ordinals/testing/test-assets.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { Coin } from '../coins/coins.ts'
import type { FeeReferences } from '../review/fee-rates.ts'
import { type PaymentPurpose, reviewPayment } from './payment-review.ts'

/** BIP-84's first key, whose program is the account's own; and that of BIP-173's examples. */
const KEY = '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c'
const OWN = fromHex('0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2')
const OWN_ADDRESS = addressOfScript(OWN, 'regtest') ?? ''
const THEM = fromHex('0014751e76e8199196d454941c45d1b3a323f1433bd6')
const THEIR_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const FEES: FeeReferences = { rates: null, otherFastest: null, recent: 7 }
const CLEAN: CoinAssets = { known: true, assets: [] }

const context = {
  network: 'regtest',
  account: { id: 'one', addressType: 'p2wpkh', publicKey: KEY, address: OWN_ADDRESS },
} as unknown as PaymentContext

const OWN_PLACE = { branch: 0, index: 0, address: OWN_ADDRESS, scriptPubKey: OWN }

const txid = (n: number) => n.toString(16).padStart(64, '0')
const utxo = (n: number, amount: bigint, height: number | null = 1) => ({
  ...{ txid: txid(n), vout: 0, amount, height, scriptPubKey: OWN },
})
const coin = (n: number, amount: bigint): Coin => ({
  ...{ ...utxo(n, amount), outpoint: `${txid(n)}:0`, assets: CLEAN, held: null, choice: null },
})
const out = (scriptPubKey: Uint8Array, amount: bigint) => ({ scriptPubKey, amount })

/** A payment of 30,000 sats out of 100,000 with 1,000 sats of fee, but for what is changed. */
function review(
  changes: Partial<Payment> = {},
  {
    purpose = 'send',
    previous = null,
    moving,
    spendable = [coin(1, 100_000n), coin(2, 40_000n)],
    held = [CLEAN],
    moves = [],
    names = [],
    fees = FEES,
  }: Partial<PaymentPurpose> & {
    spendable?: Coin[]
    held?: CoinAssets[]
    moves?: AssetMove[]
    names?: [string, string][]
    fees?: FeeReferences
  } = {},
) {
  const payment: Payment = {
    inputs: [utxo(1, 100_000n)],
    outputs: [out(THEM, 30_000n), out(OWN, 69_000n)],
    ...{ addressType: 'p2wpkh', fee: 1_000n, vsize: 100, feeRate: 10, changeIndex: 1 },
    leading: { inputs: 0, outputs: 0 },
    ...changes,
  }
  const coins = { all: spendable, spendable, withRequired: () => [], isSecret: false }
  const knownAddresses = { names: new Map(names), peers: [], strangers: new Map() }
  const own = [{ ...OWN_PLACE, addressType: null, publicKey: null, origin: null }]
  const numbers = new Map([[idOf(1), 42]])
  const known = { coins, fees, knownAddresses, repeated: [], held, moves, numbers, own }
  return reviewPayment(context, payment, { purpose, previous, ...(moving && { moving }) }, known)
}

const move = (asset: Asset, input: number, output: number): AssetMove => ({
  ...{ asset, input, to: { kind: 'output', output, offset: null } },
})

describe('a payment', () => {
  it('is shown with whom it pays, what it costs and what is left', () => {
    const shown = review({}, { names: [[THEIR_ADDRESS, 'Ann']] })
    expect(shown).toEqual({
      ...{
        kind: 'payment',
        purpose: 'send',
        runestone: null,
        previous: null,
        memo: null,
        asked: 0,
        assets: [],
      },
      recipients: [{ address: THEIR_ADDRESS, sats: '30000', name: 'Ann' }],
      ...{ sats: '30000', fee: '1000', feeRate: 10, recentFeeRate: 7, vsize: 100, warnings: [] },
      inputs: [{ outpoint: `${txid(1)}:0`, address: OWN_ADDRESS, sats: '100000', own: true }],
      outputs: [
        {
          address: THEIR_ADDRESS,
          script: Buffer.from(THEM).toString('hex'),
          sats: '30000',
          own: false,
        },
        {
          address: OWN_ADDRESS,
          script: Buffer.from(OWN).toString('hex'),
          sats: '69000',
          own: true,
        },
      ],
      balanceAfter: '109000',
    })
  })

  it('to oneself says so, and counts as what is paid', () => {
    const shown = review({ outputs: [out(OWN, 30_000n), out(OWN, 69_000n)] })
    expect(shown).toMatchObject({
      recipients: [{ address: OWN_ADDRESS, sats: '30000', name: null }],
      ...{ sats: '30000', balanceAfter: '139000', warnings: [{ kind: 'own-address' }] },
    })
    const prepared = review(
      { outputs: [out(OWN, 30_000n), out(OWN, 69_000n)] },
      { purpose: 'prepare' },
    )
    expect(prepared.warnings).toEqual([])
  })

  it('says where it spends what is in no block', () => {
    expect(review({ inputs: [utxo(1, 100_000n, null)] }).warnings).toEqual([
      { kind: 'spends-unconfirmed', inputs: [0] },
    ])
  })

  it('has the fee compared with what it pays, or with what comes back where it pays nobody', () => {
    const dear = { fee: 20_000n, vsize: 1_000 }
    expect(
      review({ ...dear, outputs: [out(THEM, 100_000n), out(OWN, 1n)] }).warnings,
    ).toMatchObject([{ kind: 'high-fee', percent: 20 }])
    const back = review({ ...dear, outputs: [out(OWN, 80_000n)], changeIndex: 0 })
    expect(back).toMatchObject({ recipients: [], sats: '0', warnings: [{ percent: 25 }] })
  })

  it.each([
    ['up to 75 bytes', fromHex('6a05'), 'hello'],
    ['beyond 75 bytes', fromHex('6a4c50'), 'h'.repeat(80)],
    ['with a byte order mark', fromHex('6a06'), '\ufeffhel'],
  ])('has its note in the words in which it was written: %s', (_, head, text) => {
    const script = Uint8Array.from([...head, ...toUtf8(text)])
    const outputs = [out(THEM, 30_000n), out(script, 0n), out(OWN, 1n)]
    const shown = review({ outputs, changeIndex: 2 })
    expect(shown.memo).toBe(text)
    expect(shown.recipients).toHaveLength(1)
  })

  it('names coins of which nobody knows what they carry', () => {
    const unknown: CoinAssets = { known: false, why: 'behind' }
    const inputs = [utxo(1, 50_000n), utxo(2, 50_000n)]
    expect(review({ inputs }, { held: [CLEAN, unknown] }).warnings).toEqual([
      { kind: 'unchecked-coins', inputs: [1], why: 'behind' },
    ])
    const led = { inputs, leading: { inputs: 2, outputs: 1 } }
    expect(review(led, { held: [CLEAN, unknown] }).warnings).toEqual([])
  })
})

describe('a payment that is bumped', () => {
  const previous = { txid: txid(9), fee: 300n, vsize: 50 }

  it('does not count on what it takes the place of', () => {
    const spendable = [coin(1, 100_000n), coin(2, 40_000n), coin(9, 5_000n)]
    const shown = review({}, { purpose: 'speed-up', previous, spendable })
    expect(shown).toMatchObject({
      previous: { txid: txid(9), fee: '300' },
      ...{ balanceAfter: '109000', feeRate: 10 },
    })
  })

  it('by a child has the fee rate of both together, and the coins of its parent stay', () => {
    const spendable = [coin(1, 100_000n), coin(9, 5_000n)]
    const shown = review({}, { purpose: 'child', previous, spendable })
    expect(shown.feeRate).toBeCloseTo(1_300 / 150, 2)
    expect(shown).toMatchObject({ fee: '1000', vsize: 100, balanceAfter: '74000' })
    const low = { ...FEES, rates: { fastest: 90, halfHour: 50, hour: 40, minimum: 9 } }
    expect(review({}, { purpose: 'child', previous, fees: low }).warnings).toEqual([
      { kind: 'low-fee', minimum: 9 },
    ])
    expect(review({}, { purpose: 'speed-up', previous, fees: low }).warnings).toEqual([])
  })
})

describe('a transfer', () => {
  const led = (outputs: Payment['outputs'], changeIndex: number | null = outputs.length - 1) => ({
    ...{ outputs, changeIndex, leading: { inputs: 1, outputs: outputs.length - 1 } },
  })

  it('shows what was asked for first, in that order, and then what only shares a coin with it', () => {
    const moves = [3, 2, 1].map(n => move(inscription(n, 0n), 0, 0))
    const moving = { asked: [idOf(1), idOf(2)], unproven: [idOf(2)] }
    const shown = review(led([out(THEM, 30_000n), out(OWN, 69_000n)]), {
      ...{ purpose: 'transfer' as const, moving, moves },
    })
    expect(shown.asked).toBe(2)
    expect(shown.assets.map(({ asset }) => asset)).toEqual([
      { kind: 'inscription', id: idOf(1), number: 42 },
      { kind: 'inscription', id: idOf(2), number: null },
      { kind: 'inscription', id: idOf(3), number: null },
    ])
    expect(shown.assets[0]).toMatchObject({ own: true, to: 'foreign', certainty: 'certain' })
    expect(shown.warnings).toEqual([
      { kind: 'large-postage', sats: '30000' },
      { kind: 'unproven-inscriptions', ids: [idOf(2)] },
    ])
  })

  it('counts as recipients only what is asked for, and not what stays with the account', () => {
    const outputs = [out(OWN, 5_000n), out(THEM, 10_000n), out(OWN, 84_000n)]
    const moves = [move(inscription(1, 0n), 0, 1), move(inscription(2, 0n), 0, 0)]
    const moving = { asked: [idOf(1)], unproven: [] }
    const shown = review(led(outputs), { purpose: 'transfer', moving, moves })
    expect(shown.recipients).toEqual([{ address: THEIR_ADDRESS, sats: '10000', name: null }])
    // What carries an asset does not count as money that is left.
    expect(shown).toMatchObject({ balanceAfter: '124000', warnings: [] })
    const home = review(led(outputs), {
      ...{ purpose: 'transfer' as const, moves },
      moving: { asked: [idOf(2)], unproven: [] },
    })
    expect(home.recipients.map(({ address }) => address)).toEqual([OWN_ADDRESS, THEIR_ADDRESS])
    expect(home.warnings).toEqual([{ kind: 'own-address' }])
  })

  it('warns of large postage above 10,000 sats, all of it together', () => {
    const postage = (...sats: bigint[]) => {
      const outputs = [...sats.map(amount => out(THEM, amount)), out(OWN, 1_000n)]
      const moves = sats.map((_, n) => move(inscription(n + 1, 0n), 0, n))
      const moving = { asked: sats.map((_, n) => idOf(n + 1)), unproven: [] }
      return review(led(outputs), { purpose: 'transfer', moving, moves }).warnings
    }
    expect(postage(10_000n)).toEqual([])
    expect(postage(10_001n, 9_000n, 20_000n)).toEqual([{ kind: 'large-postage', sats: '30001' }])
  })

  it('has no fee compared with postage', () => {
    const dear = { fee: 20_000n, vsize: 1_000 }
    const outputs = [out(THEM, 5_000n), out(OWN, 5_000n)]
    expect(review({ ...led(outputs), ...dear }).warnings).toEqual([])
    const plain = review({ outputs, changeIndex: 1, ...dear })
    expect(plain.warnings).toMatchObject([{ kind: 'high-fee' }])
  })

  it('of a token asks for what lands on the first output, and not for what comes back', () => {
    const key = keyOfAtomical(atomicalIdOf(1))
    const outputs = [out(THEM, 600n), out(OWN, 400n), out(OWN, 5_000n)]
    const moves = [move(tokenOf(1, 400n), 0, 1), move(tokenOf(1, 600n), 0, 0)]
    const shown = review(led(outputs), {
      ...{ purpose: 'transfer' as const, moves },
      moving: { asked: [key], unproven: [key], landings: [0] },
    })
    expect(shown.asked).toBe(1)
    expect(shown.assets.map(({ asset, to }) => ['amount' in asset && asset.amount, to])).toEqual([
      ['600', 'foreign'],
      ['400', 'own'],
    ])
    expect(shown.recipients).toEqual([{ address: THEIR_ADDRESS, sats: '600', name: null }])
  })
})

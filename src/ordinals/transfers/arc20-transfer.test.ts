import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { type Payment, signPayment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import type { Asset } from '../asset.ts'
import { nftOf, tokenOf } from '../testing/atomical-assets.ts'
import { inscription } from '../testing/test-assets.ts'
import {
  buildArc20Transfer,
  InsufficientUnitsError,
  UnsendableUnitsError,
} from './arc20-transfer.ts'
import { MixedTokensError } from './transfer.ts'

const KEY = new Uint8Array(32).fill(7)
const OWN = { publicKey: publicKeyOf(KEY), addressType: 'p2tr' } as const
const [P2WPKH = new Uint8Array()] = RECIPIENT_SCRIPTS
const TOKEN = tokenOf(1, 0n).id
const clean = fund(KEY, 'p2tr', [60_000n, 3_000n], 1000)
const terms = { token: TOKEN, to: P2WPKH, own: OWN, feeRate: 2, seed: 'seed' }

/** Coins with so many units, and as many sats unless said. */
function tokenCoins(...contents: (bigint | [bigint, bigint])[]) {
  const pairs = contents.map(one => (Array.isArray(one) ? one : [one, one]) as [bigint, bigint])
  const { utxos, previous } = fund(
    KEY,
    'p2tr',
    pairs.map(([, sats]) => sats),
  )
  const coins = utxos.map((utxo, i) => ({ ...utxo, assets: [tokenOf(1, pairs[i]?.[0] ?? 0n)] }))
  return { coins, previous }
}

function send(amount: bigint, contents: (bigint | [bigint, bigint])[]) {
  const { coins } = tokenCoins(...contents)
  return buildArc20Transfer({ ...terms, coins, amount, utxos: clean.utxos })
}

/** Units of the chosen coins' sats, and of the outputs before the change. */
const shapeOf = ({ inputs, outputs, leading }: Payment) => ({
  spent: inputs.slice(0, leading.inputs).map(({ amount }) => amount),
  paid: outputs
    .slice(0, leading.outputs)
    .map(({ scriptPubKey, amount }) => [
      toHex(scriptPubKey) === toHex(P2WPKH) ? 'to' : 'own',
      amount,
    ]),
})

function refusalOf(amount: bigint, contents: (bigint | [bigint, bigint])[]): unknown {
  try {
    return send(amount, contents)
  } catch (error) {
    return error
  }
}

describe('a transfer of units', () => {
  it('pays exactly the amount, and returns the rest of the token before the change', () => {
    const payment = send(1_000n, [5_000n])
    expect(shapeOf(payment)).toEqual({
      spent: [5_000n],
      paid: [
        ['to', 1_000n],
        ['own', 4_000n],
      ],
    })
    expect(payment.changeIndex).toBe(2)
    const further = payment.inputs.slice(1).map(formatOutpoint)
    expect(clean.utxos.map(formatOutpoint)).toEqual(expect.arrayContaining(further))
  })

  it('returns nothing where the coins hold just the amount', () => {
    expect(shapeOf(send(2_000n, [900n, 2_000n, 9_000n]))).toEqual({
      spent: [2_000n],
      paid: [['to', 2_000n]],
    })
    expect(shapeOf(send(2_900n, [900n, 2_000n])).paid).toEqual([['to', 2_900n]])
  })

  it('returns the least that an output may hold, and leaves out no coin for it', () => {
    expect(shapeOf(send(4_454n, [5_000n])).paid).toEqual([
      ['to', 4_454n],
      ['own', 546n],
    ])
  })

  it('takes the fewest coins, and of those small ones', () => {
    expect(shapeOf(send(1_000n, [9_000n, 600n, 1_700n, 600n])).spent).toEqual([1_700n])
    expect(shapeOf(send(10_000n, [9_000n, 600n, 1_700n, 2_000n])).spent).toEqual([9_000n, 1_700n])
  })

  it('leaves sats without units to the fee and the change', () => {
    const payment = send(1_000n, [[1_600n, 50_000n]])
    expect(shapeOf(payment).paid).toEqual([
      ['to', 1_000n],
      ['own', 600n],
    ])
    expect(payment.outputs[2]?.amount).toBe(50_000n - 1_600n - payment.fee)
    expect(payment.inputs).toHaveLength(1)
  })

  it('leaves out small coins so that nothing comes back, where it must', () => {
    // 1,700 of 2,000 leave 300, too little for an output: coins of 100 and 200 make it.
    const payment = send(1_700n, [[100n, 546n], 1_500n, [200n, 546n], [200n, 546n]])
    expect(shapeOf(payment)).toEqual({ spent: [1_500n, 546n], paid: [['to', 1_700n]] })
    // One alone that holds just what is left.
    const alone = send(2_000n, [1_000n, [300n, 700n], 1_000n])
    expect(shapeOf(alone)).toEqual({ spent: [1_000n, 1_000n], paid: [['to', 2_000n]] })
    // As many small ones as make it, whichever is found first.
    const small = [100n, 100n, 100n].map((units): [bigint, bigint] => [units, 700n])
    for (const contents of [
      [[300n, 600n] as [bigint, bigint], ...small, 2_000n],
      [...small, [300n, 600n] as [bigint, bigint], 2_000n],
    ])
      expect(shapeOf(send(2_300n, contents)).spent).toEqual([600n, 2_000n])
  })

  it('is refused with the nearest amounts where too little would come back or be sent', () => {
    expect(refusalOf(4_700n, [5_000n])).toMatchObject({ below: 4_454n, above: 5_000n })
    expect(refusalOf(545n, [5_000n])).toMatchObject({ amount: 545n, below: null, above: 546n })
    expect(refusalOf(0n, [5_000n])).toMatchObject({ below: null, above: 546n })
    expect(refusalOf(546n, [1_091n])).toMatchObject({ below: null, above: 1_091n })
    expect(refusalOf(1_700n, [[100n, 546n], 1_500n, [300n, 546n]])).toMatchObject({
      below: 1_600n,
      above: 1_800n,
    })
    expect(refusalOf(100n, [[300n, 600n]])).toMatchObject({ below: null, above: null })
    expect(refusalOf(4_700n, [5_000n])).toBeInstanceOf(UnsendableUnitsError)
  })

  it('is refused where there are not enough units, or sats for the fee', () => {
    expect(refusalOf(5_001n, [5_000n])).toBeInstanceOf(InsufficientUnitsError)
    expect(refusalOf(1n, [])).toMatchObject({ needed: 1n, available: 0n })
    const { coins } = tokenCoins(5_000n)
    expect(() => buildArc20Transfer({ ...terms, coins, amount: 1_000n, utxos: [] })).toThrow(
      InsufficientFundsError,
    )
  })

  it.each<[string, Asset[]]>([
    ['nothing', []],
    ['another token', [tokenOf(2, 5n)]],
    ['two tokens', [tokenOf(1, 5n), tokenOf(2, 5n)]],
    ['an NFT', [nftOf(1)]],
    ['an inscription too', [tokenOf(1, 5n), inscription(1, 0n)]],
    ['more units than sats', [tokenOf(1, 5_001n)]],
    ['no units', [tokenOf(1, 0n)]],
  ])('spends no coin with %s', (_, assets) => {
    const coins = tokenCoins(5_000n).coins.map(coin => ({ ...coin, assets }))
    const order = { ...terms, coins, amount: 1_000n, utxos: clean.utxos }
    expect(() => buildArc20Transfer(order)).toThrow(MixedTokensError)
  })

  it('looks for what to leave out among a thousand crumbs in no time', () => {
    const crumbs = Array.from({ length: 1_000 }, (_, i): [bigint, bigint] => [
      BigInt(1 + (i % 40)),
      546n,
    ])
    const started = process.cpuUsage().user
    expect(refusalOf(20_400n, crumbs)).toMatchObject({ fee: expect.any(BigInt) })
    expect((process.cpuUsage().user - started) / 1_000_000).toBeLessThan(10)
  })
})

const situations = fc.record({
  units: fc.array(
    fc.oneof(fc.bigInt({ min: 1n, max: 600n }), fc.bigInt({ min: 546n, max: 5_000n })),
    { minLength: 1, maxLength: 6 },
  ),
  share: fc.integer({ min: 0, max: 1_100 }),
})

/** Every amount that some of the coins can send, by trying all of them. */
function isSendable(amount: bigint, units: readonly bigint[]): boolean {
  if (amount < 546n) return false
  return Array.from({ length: 2 ** units.length }, (_, bits) =>
    units.reduce((sum, one, i) => sum + ((bits >> i) & 1 ? one : 0n), 0n),
  ).some(sum => sum === amount || sum >= amount + 546n)
}

it('whatever the coins, just the amount goes, or no coins could send it', () => {
  const seen = { built: 0, short: 0, refused: 0, none: 0 }
  fc.assert(
    fc.property(situations, ({ units, share }) => {
      const contents = units.map((one): [bigint, bigint] => [one, one > 546n ? one : 546n])
      const available = units.reduce((sum, one) => sum + one, 0n)
      const amount = (available * BigInt(share)) / 1_000n
      const { coins, previous } = tokenCoins(...contents)
      let payment: Payment
      try {
        payment = buildArc20Transfer({ ...terms, coins, amount, utxos: clean.utxos })
      } catch (error) {
        if (error instanceof InsufficientUnitsError) {
          seen.short++
          expect(amount > available).toBe(true)
          return
        }
        if (!(error instanceof UnsendableUnitsError)) throw error
        seen.refused++
        expect(isSendable(amount, units)).toBe(false)
        const { below, above } = error
        seen.none += Number(below === null && above === null)
        for (const near of [below, above])
          if (near !== null) expect(isSendable(near, units)).toBe(true)
        const [from, until] = [below ?? amount - 1n, above ?? available + 1n]
        expect([from < amount, until > amount]).toEqual([true, true])
        for (let between = from + 1n; between < until; between++)
          expect([between, isSendable(between, units)]).toEqual([between, false])
        return
      }
      seen.built++
      const spent = payment.inputs.slice(0, payment.leading.inputs).map(formatOutpoint)
      const total = coins.reduce(
        (sum, coin) =>
          sum + (spent.includes(formatOutpoint(coin)) ? (coin.assets[0]?.amount ?? 0n) : 0n),
        0n,
      )
      const [sent, rest] = payment.outputs
      expect(sent).toEqual({ scriptPubKey: P2WPKH, amount })
      if (total > amount) {
        expect(rest?.amount).toBe(total - amount)
        expect(toHex(rest?.scriptPubKey ?? P2WPKH)).toBe(toHex(coins[0]?.scriptPubKey ?? P2WPKH))
      } else expect(payment.leading.outputs).toBe(1)
      for (const { amount: sats } of payment.outputs) expect(sats >= 330n).toBe(true)
      expect(
        signPayment(
          payment,
          [{ privateKey: KEY, addressType: payment.addressType }],
          new Map([...previous, ...clean.previous]),
        ).vsize,
      ).toBe(payment.vsize)
    }),
    { numRuns: 100 },
  )
  expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([])
})

describe('the coins of a token transfer', () => {
  it('are as few as will do, each the smallest of the others that still leaves enough to come back', () => {
    // Two coins are needed; 20,000 units leave 4,454 more than what has to come back.
    const { spent, paid } = shapeOf(send(15_000n, [10_000n, 10_000n, 9_000n, 8_000n]))
    expect(spent.toSorted((a, b) => Number(a - b))).toEqual([8_000n, 9_000n])
    expect(paid).toEqual([
      ['to', 15_000n],
      ['own', 2_000n],
    ])
  })

  it('are not exchanged for smaller ones that leave too little', () => {
    const { spent } = shapeOf(send(19_000n, [10_000n, 10_000n, 9_500n, 8_000n]))
    expect(spent.toSorted((a, b) => Number(a - b))).toEqual([10_000n, 10_000n])
    expect(shapeOf(send(18_954n, [10_000n, 10_000n, 9_500n])).spent.toSorted()).toEqual([
      10_000n,
      9_500n,
    ])
  })
})

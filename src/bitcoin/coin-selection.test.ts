import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { InsufficientFundsError, selectCoins } from './coin-selection.ts'
import { dustLimit } from './dust.ts'
import { feeForVsize } from './fee-rate.ts'
import { formatOutpoint } from './outpoint.ts'
import { publicKeyOf } from './secp256k1.ts'
import { shuffle } from './seeded-shuffle.ts'
import { ADDRESS_TYPES, spendOf } from './testing/spending.ts'
import { transactionVsize } from './transaction-size.ts'
import type { Utxo } from './utxo.ts'

// Searching sets of coins takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const PUBLIC_KEY = publicKeyOf(new Uint8Array(32).fill(3))
const SCRIPTS = ADDRESS_TYPES.map(type => spendOf(type, PUBLIC_KEY).script)
const EMPTY_SCRIPT = new Uint8Array(32)

const amounts = fc.oneof(
  fc.bigInt({ min: 1n, max: 2_000n }),
  fc.bigInt({ min: 1n, max: 200_000n }),
  fc.bigInt({ min: 1n, max: 10_000_000_000n }),
)
const feeRates = fc.integer({ min: 100, max: 200_000 }).map(milli => milli / 1000)
const situations = (most: number) =>
  fc.record({
    inputType: fc.constantFrom(...ADDRESS_TYPES),
    changeScript: fc.constantFrom(...SCRIPTS),
    amounts: fc.array(amounts, { maxLength: most }),
    outputs: fc.array(fc.record({ scriptPubKey: fc.constantFrom(...SCRIPTS), amount: amounts }), {
      minLength: 1,
      maxLength: 3,
    }),
    feeRate: feeRates,
    seed: fc.string(),
  })

function coinsOf(values: readonly bigint[]): Utxo[] {
  return values.map((amount, vout) => ({
    txid: vout.toString(16).padStart(64, '0'),
    vout,
    amount,
    scriptPubKey: EMPTY_SCRIPT,
    height: null,
  }))
}

const sum = (items: readonly { amount: bigint }[]) =>
  items.reduce((total, { amount }) => total + amount, 0n)

describe('selectCoins', () => {
  it('fails exactly when no set of the coins pays, and else balances, pays the rate and makes no dust', () => {
    let found = 0
    let failed = 0
    fc.assert(
      fc.property(situations(8), situation => {
        const { amounts: values, outputs, inputType, changeScript, feeRate } = situation
        const utxos = coinsOf(values)
        const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
        const feeOf = (count: number) =>
          feeForVsize(transactionVsize(inputType, count, scripts), feeRate)
        const possible = subsetsOf(utxos).some(
          coins => coins.length > 0 && sum(coins) >= sum(outputs) + feeOf(coins.length),
        )
        if (!possible) {
          failed++
          expect(() => selectCoins({ ...situation, utxos })).toThrow(InsufficientFundsError)
          return
        }
        found++
        const { inputs, change, fee, vsize } = selectCoins({ ...situation, utxos })
        expect(inputs.every(input => utxos.includes(input))).toBe(true)
        expect(new Set(inputs.map(formatOutpoint)).size).toBe(inputs.length)
        expect(sum(inputs)).toBe(sum(outputs) + change + fee)
        const withChange = [...scripts, changeScript]
        if (change > 0n) {
          expect(change >= dustLimit(changeScript)).toBe(true)
          expect(vsize).toBe(transactionVsize(inputType, inputs.length, withChange))
          expect(fee).toBe(feeForVsize(vsize, feeRate))
        } else {
          expect(vsize).toBe(transactionVsize(inputType, inputs.length, scripts))
          const mostFee = feeForVsize(
            transactionVsize(inputType, inputs.length, withChange),
            feeRate,
          )
          expect(fee >= feeOf(inputs.length)).toBe(true)
          expect(fee < mostFee + dustLimit(changeScript)).toBe(true)
        }
      }),
      { numRuns: 3_000 },
    )
    expect(Math.min(found, failed)).toBeGreaterThan(300)
  })

  it('does not depend on the order of the coins, nor on a coin being told twice', () => {
    fc.assert(
      fc.property(situations(30), fc.string(), (situation, order) => {
        const utxos = coinsOf(situation.amounts)
        const select = (coins: Utxo[]) => {
          try {
            return selectCoins({ ...situation, utxos: coins })
          } catch (error) {
            return String(error)
          }
        }
        const selection = select(utxos)
        expect(select(shuffle(utxos, order))).toEqual(selection)
        expect(select([...utxos, ...utxos])).toEqual(selection)
      }),
      { numRuns: 300 },
    )
  })

  const [scriptPubKey = EMPTY_SCRIPT] = SCRIPTS
  const base = { inputType: 'p2tr', changeScript: scriptPubKey, feeRate: 20, seed: 'a' } as const
  const feeWithoutChange = (count: number) =>
    feeForVsize(transactionVsize('p2tr', count, [scriptPubKey]), 20)

  it('finds the coins that need no change, among many', () => {
    const amount = 60_000n + 25_000n - feeWithoutChange(2)
    const utxos = coinsOf([500_000n, 70_000n, 60_000n, 40_000n, 31_000n, 25_000n, 9_000n])
    const selection = selectCoins({ ...base, utxos, outputs: [{ scriptPubKey, amount }] })
    expect(selection.inputs.map(coin => coin.amount)).toEqual([60_000n, 25_000n])
    expect([selection.change, selection.fee]).toEqual([0n, feeWithoutChange(2)])
  })

  it('gathers coins while fees are low and spends few while they are high', () => {
    const utxos = coinsOf([400_000n, ...Array<bigint>(30).fill(12_345n)])
    const outputs = [{ scriptPubKey, amount: 100_000n }]
    const count = (feeRate: number) =>
      Math.max(
        ...['a', 'b', 'c', 'd'].map(
          seed => selectCoins({ ...base, utxos, outputs, feeRate, seed }).inputs.length,
        ),
      )
    expect(count(100)).toBe(1)
    expect(count(1)).toBeGreaterThan(5)
  })

  it('says how much is needed and how much is there', () => {
    const utxos = coinsOf([1_000n, 2_000n])
    const outputs = [{ scriptPubKey, amount: 5_000n }]
    try {
      selectCoins({ ...base, utxos, outputs })
      expect.fail('it found coins')
    } catch (error) {
      expect(error).toMatchObject({
        name: 'InsufficientFundsError',
        needed: 5_000n + feeWithoutChange(2),
        available: 3_000n,
      })
    }
  })

  it('keeps to the weight that nodes relay', () => {
    const utxos = coinsOf(Array<bigint>(3_000).fill(1_000n))
    const pay = (amount: bigint) =>
      selectCoins({ ...base, feeRate: 0.1, utxos, outputs: [{ scriptPubKey, amount }] })
    expect(pay(1_500_000n).vsize).toBeLessThanOrEqual(100_000)
    try {
      pay(2_000_000n)
      expect.fail('it made a transaction that is too big')
    } catch (error) {
      if (!(error instanceof InsufficientFundsError)) throw error
      expect(error.needed > error.available && error.available < 1_800_000n).toBe(true)
    }
  })
})

describe('shuffle', () => {
  it('keeps every item and depends on the seed alone', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.string(), (items, seed) => {
        const shuffled = shuffle(items, seed)
        expect([...shuffled].sort()).toEqual([...items].sort())
        expect(shuffle(items, seed)).toEqual(shuffled)
      }),
    )
  })

  it('reaches every order of three items about equally often', () => {
    const counts = new Map<string, number>()
    for (let i = 0; i < 6_000; i++) {
      const order = shuffle(['a', 'b', 'c'], String(i)).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })
})

function subsetsOf(coins: readonly Utxo[]): Utxo[][] {
  return Array.from({ length: 2 ** coins.length }, (_, mask) =>
    coins.filter((_, i) => (mask >> i) % 2 === 1),
  )
}

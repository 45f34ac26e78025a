import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AddressType } from '../address.ts'
import { dustLimit } from '../dust.ts'
import { feeForVsize } from '../fee-rate.ts'
import { formatOutpoint } from '../outpoint.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { shuffle } from '../seeded-shuffle.ts'
import { sumOf } from '../testing/funding.ts'
import { ADDRESS_TYPES, spendOf } from '../testing/spending.ts'
import { transactionVsize } from '../transaction-size.ts'
import type { Utxo } from '../utxo.ts'
import {
  InsufficientFundsError,
  selectCoins,
  sweepCoins,
  TransactionTooLargeError,
} from './coin-selection.ts'

// Searching sets of coins takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const PUBLIC_KEY = publicKeyOf(new Uint8Array(32).fill(3))
const SCRIPTS: Uint8Array[] = ADDRESS_TYPES.map(type => spendOf(type, PUBLIC_KEY).script)
const scriptOf = (type: AddressType) => SCRIPTS[ADDRESS_TYPES.indexOf(type)] ?? new Uint8Array()
const TAPROOT_SCRIPT = scriptOf('p2tr')

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

function coinsOf(values: readonly bigint[], scriptPubKey = TAPROOT_SCRIPT): Utxo[] {
  return values.map((amount, vout) => ({
    txid: vout.toString(16).padStart(64, '0'),
    vout,
    amount,
    scriptPubKey,
    height: null,
  }))
}

describe('selectCoins', () => {
  it('fails exactly when no set of the coins pays, and else balances, pays the rate and makes no dust', () => {
    const seen = { found: 0, failed: 0, required: 0, returned: 0 }
    fc.assert(
      fc.property(situations(8), fc.nat({ max: 3 }), fc.boolean(), (situation, must, pays) => {
        const { amounts: values, inputType, changeScript, feeRate } = situation
        const outputs = pays || must === 0 ? situation.outputs : []
        const all = coinsOf(values, scriptOf(inputType))
        const [required, utxos] = [all.slice(0, must), all.slice(must)]
        const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
        const withChange = [...scripts, changeScript]
        const feeOf = (count: number, to: Uint8Array[]) =>
          feeForVsize(transactionVsize(inputType, count, to), feeRate)
        // With nothing to pay there must be change, or there would be no output.
        const least = (count: number) =>
          outputs.length > 0
            ? feeOf(count, scripts)
            : feeOf(count, withChange) + dustLimit(changeScript)
        const possible = subsetsOf(utxos)
          .map(coins => [...required, ...coins])
          .some(coins => coins.length > 0 && sumOf(coins) >= sumOf(outputs) + least(coins.length))
        const select = () => selectCoins({ ...situation, outputs, utxos, required })
        if (!possible) {
          seen.failed++
          expect(select).toThrow(InsufficientFundsError)
          return
        }
        seen.found++
        const { inputs, change, fee, vsize } = select()
        expect(inputs.every(input => all.includes(input))).toBe(true)
        expect(required.every(coin => inputs.includes(coin))).toBe(true)
        expect(new Set(inputs.map(formatOutpoint)).size).toBe(inputs.length)
        expect(sumOf(inputs)).toBe(sumOf(outputs) + change + fee)
        if (required.length > 0) seen.required++
        if (outputs.length === 0) seen.returned++
        if (change > 0n) {
          expect(change >= dustLimit(changeScript)).toBe(true)
          expect(vsize).toBe(transactionVsize(inputType, inputs.length, withChange))
          expect(fee).toBe(feeForVsize(vsize, feeRate))
        } else {
          expect(outputs).not.toEqual([])
          expect(vsize).toBe(transactionVsize(inputType, inputs.length, scripts))
          expect(fee >= feeOf(inputs.length, scripts)).toBe(true)
          const mostFee = feeOf(inputs.length, withChange)
          expect(fee < mostFee + dustLimit(changeScript)).toBe(true)
        }
      }),
      { numRuns: 3_000 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(100)
  })

  it('does not depend on the order of the coins, nor on a coin being told twice', () => {
    fc.assert(
      fc.property(situations(30), fc.string(), (situation, order) => {
        const utxos = coinsOf(situation.amounts, scriptOf(situation.inputType))
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

  const [scriptPubKey = TAPROOT_SCRIPT] = SCRIPTS
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

  it('counts the coins that must be spent in what is needed', () => {
    const required = coinsOf([1_000n, 2_000n])
    const utxos = coinsOf([0n, 0n, 1_500n, 2_500n]).slice(2)
    const outputs = [{ scriptPubKey, amount: 50_000n }]
    expect(() => selectCoins({ ...base, utxos, required, outputs })).toThrow(
      `${50_000n + feeWithoutChange(4)} sats are needed and 7000 sats are there`,
    )
    expect(() => selectCoins({ ...base, utxos: [], outputs })).toThrow(
      `${50_000n + feeWithoutChange(1)} sats are needed and 0 sats are there`,
    )
  })

  it('can spend all outputs of one transaction, of equal amounts too', () => {
    const utxos = coinsOf(Array<bigint>(5).fill(20_000n)).map(coin => ({
      ...coin,
      txid: 'ab'.repeat(32),
    }))
    const outputs = [{ scriptPubKey, amount: 90_000n }]
    const { inputs } = selectCoins({ ...base, utxos: [...utxos, ...utxos], outputs })
    expect(inputs.map(({ vout }) => vout).sort()).toEqual([0, 1, 2, 3, 4])
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

describe('selectCoins from coins of several kinds of addresses', () => {
  /** Of inputs: outpoint, sequence and scriptSig four times, and the witness, with signatures of 71 bytes or 64. */
  const INPUT_WEIGHTS = {
    p2tr: 4 * 41 + 66,
    p2wpkh: 4 * 41 + 107,
    'p2sh-p2wpkh': 4 * 64 + 107,
    p2pkh: 4 * (41 + 106),
  }
  const kinds = fc.array(fc.constantFrom(...ADDRESS_TYPES), { minLength: 8, maxLength: 8 })
  const mixed = (values: readonly bigint[], types: readonly AddressType[]): Utxo[] =>
    coinsOf(values).map((coin, i) => ({ ...coin, scriptPubKey: scriptOf(types[i] ?? 'p2tr') }))

  const at = (types: readonly AddressType[]) => {
    /** Size of a signed transaction from those of its parts (BIP-141). */
    return (coins: readonly { vout: number }[], scripts: readonly Uint8Array[]) => {
      const spent = coins.map(({ vout }) => types[vout] ?? 'p2tr')
      const hasWitness = spent.some(type => type !== 'p2pkh')
      const outputs = scripts.reduce((size, { length }) => size + 9 + length, 0)
      const inputs = spent.reduce((sum, type) => sum + INPUT_WEIGHTS[type], 0)
      const bare = hasWitness ? spent.filter(type => type === 'p2pkh').length + 2 : 0
      return Math.ceil((4 * (4 + 1 + 1 + outputs + 4) + inputs + bare) / 4)
    }
  }

  it('balances to the sat, and fails only where no set of the coins leaves more than a handful of sats', () => {
    const seen = { found: 0, failed: 0, close: 0, required: 0, mixed: 0, returned: 0 }
    fc.assert(
      fc.property(
        situations(8),
        kinds,
        fc.nat({ max: 2 }),
        fc.boolean(),
        (situation, types, must, pays) => {
          const { amounts: values, changeScript, feeRate } = situation
          const outputs = pays || must === 0 ? situation.outputs : []
          const all = mixed(values, types)
          const [required, utxos] = [all.slice(0, must), all.slice(must)]
          const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
          const withChange = [...scripts, changeScript]
          const vsizeOf = at(types)
          const feeOf = (coins: readonly Utxo[], to: readonly Uint8Array[]) =>
            feeForVsize(vsizeOf(coins, to), feeRate)
          const sparedBy = (coins: readonly Utxo[]) =>
            sumOf(coins) -
            sumOf(outputs) -
            (outputs.length > 0
              ? feeOf(coins, scripts)
              : feeOf(coins, withChange) + dustLimit(changeScript))
          const spare = subsetsOf(utxos)
            .map(coins => [...required, ...coins])
            .filter(coins => coins.length > 0)
            .map(sparedBy)
            .reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null)
          try {
            const { inputs, change, fee, vsize } = selectCoins({
              ...situation,
              outputs,
              utxos,
              required,
            })
            seen.found++
            expect(spare !== null && spare >= 0n).toBe(true)
            expect(inputs.every(input => all.includes(input))).toBe(true)
            expect(required.every(coin => inputs.includes(coin))).toBe(true)
            expect(new Set(inputs.map(formatOutpoint)).size).toBe(inputs.length)
            expect(sumOf(inputs)).toBe(sumOf(outputs) + change + fee)
            expect(vsize).toBe(vsizeOf(inputs, change > 0n ? withChange : scripts))
            const asked = feeForVsize(vsize, feeRate)
            if (change > 0n) {
              expect(change >= dustLimit(changeScript)).toBe(true)
              expect(fee).toBe(asked)
            } else {
              expect(outputs).not.toEqual([])
              expect(
                fee >= asked && fee < feeOf(inputs, withChange) + dustLimit(changeScript),
              ).toBe(true)
            }
            seen.required += Number(must > 0)
            seen.returned += Number(outputs.length === 0)
            seen.mixed += Number(new Set(inputs.map(({ vout }) => types[vout])).size > 1)
          } catch (error) {
            if (!(error instanceof InsufficientFundsError)) throw error
            seen.failed++
            // Each input's size is rounded up by itself: 1 vB of each.
            const handful = BigInt(Math.ceil(feeRate * (all.length + 1)))
            seen.close += Number(spare !== null && spare >= 0n)
            expect(spare === null || spare < handful, `${spare} at ${feeRate}`).toBe(true)
          }
        },
      ),
      { numRuns: 1_500 },
    )
    const { close: _, ...often } = seen
    expect(Math.min(...Object.values(often)), JSON.stringify(seen)).toBeGreaterThan(100)
  })

  it('pays from coins that are worth their own fee, though larger ones are not', () => {
    // At 100 sat/vB an input of P2PKH costs 14,700 sats and one of taproot 5,800.
    const utxos = mixed([14_600n, 14_500n, 14_000n], ['p2pkh', 'p2pkh', 'p2tr'])
    const outputs = [{ scriptPubKey: TAPROOT_SCRIPT, amount: 1_000n }]
    const terms = { changeScript: TAPROOT_SCRIPT, feeRate: 100, seed: '' }
    const { inputs } = selectCoins({ ...terms, inputType: 'p2tr', utxos, outputs })
    expect(inputs.map(({ amount }) => amount)).toEqual([14_000n])
  })
})

describe('selectCoins with required coins', () => {
  const [scriptPubKey = TAPROOT_SCRIPT] = SCRIPTS
  const base = { inputType: 'p2tr', changeScript: scriptPubKey, feeRate: 2, seed: '' } as const
  const outputs = [{ scriptPubKey, amount: 10_000n }]

  it('takes nothing else when they suffice, whatever it would save', () => {
    const [first, second, ...utxos] = coinsOf([60_000n, 50_000n, ...Array<bigint>(20).fill(3_000n)])
    if (!first || !second) expect.fail('no coins')
    const { inputs } = selectCoins({ ...base, outputs, utxos, required: [second, first] })
    expect(inputs).toEqual([first, second])
  })

  it('counts a coin once that is also among the others', () => {
    const coins = coinsOf([9_000n, 8_000n])
    const { inputs, fee, change } = selectCoins({
      ...base,
      outputs,
      utxos: coins,
      required: coins.slice(0, 1),
    })
    expect(inputs).toEqual(coins)
    expect(fee + change).toBe(7_000n)
  })

  it('pays what the rule for its size asks instead of the fee rate', () => {
    const required = coinsOf([60_000n])
    const leastFee = (vsize: number) => 5_000n + BigInt(vsize)
    const { fee, vsize, change } = selectCoins({ ...base, outputs, utxos: [], required, leastFee })
    expect([fee, change]).toEqual([5_000n + BigInt(vsize), 45_000n - BigInt(vsize)])
  })

  it('says so when they do not fit into one transaction', () => {
    const required = coinsOf(Array<bigint>(2_000).fill(10_000n))
    const select = () => selectCoins({ ...base, outputs, utxos: [], required })
    expect(select).toThrow(TransactionTooLargeError)
  })
})

describe('sweepCoins', () => {
  const [changeScript = TAPROOT_SCRIPT] = SCRIPTS
  const base = { inputType: 'p2tr', changeScript, outputs: [], seed: '' } as const

  it('spends all that is worth its own fee, and leaves the fee exactly', () => {
    const utxos = coinsOf([50_000n, 1_160n, 1_159n, 500n])
    // An input of 57.5 vB costs 1160 sats at 20 sat/vB, when it takes a whole vB to spend.
    const { inputs, change, fee, vsize } = sweepCoins({ ...base, utxos, feeRate: 20 })
    expect(inputs.map(({ amount }) => amount)).toEqual([50_000n])
    expect(fee).toBe(feeForVsize(vsize, 20))
    expect(change).toBe(50_000n - fee)
    expect(sweepCoins({ ...base, utxos, feeRate: 19 }).inputs).toHaveLength(3)
  })

  it('takes the largest coins when not all fit into a transaction', () => {
    const utxos = coinsOf(Array.from({ length: 3_000 }, (_, i) => 10_000n + BigInt(i)))
    const { inputs, vsize } = sweepCoins({ ...base, utxos, feeRate: 1 })
    expect(vsize > 99_900 && vsize <= 100_000).toBe(true)
    expect(inputs.at(-1)?.amount).toBe(13_000n - BigInt(inputs.length))
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

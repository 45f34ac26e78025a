import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { equalBytes } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { type Payment, signPayment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund } from '../../bitcoin/testing/funding.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { flowElsewhere, MINTED } from '../testing/rune-oracle.ts'
import { buildMintChain, chainTo, MAX_MINTS } from './rune-mint-chain.ts'

const KEY = new Uint8Array(32).fill(7)
const TYPES = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const
const RUNE = '5:1'

type Type = (typeof TYPES)[number]

function build(
  type: Type,
  count: number,
  amounts: bigint[],
  feeRate = 2,
  { changeScript, ...apart }: { changeScript?: Uint8Array; potScript?: Uint8Array } = {},
) {
  const { utxos, previous } = fund(KEY, type, amounts)
  const own = {
    publicKey: publicKeyOf(KEY),
    addressType: type,
    ...(changeScript && { changeScript }),
  }
  const terms = { rune: RUNE, count, utxos, own, feeRate, seed: 'seed', ...apart }
  const payments = buildMintChain(terms)
  return { payments, previous }
}

/** Signs them one after the other, each with the id that the one before it really has. */
function sign(payments: Payment[], known: ReadonlyMap<string, Uint8Array>) {
  const previous = new Map(known)
  const signed: { payment: Payment; rawTx: Uint8Array; txid: string; vsize: number }[] = []
  for (const [at, planned] of payments.entries()) {
    const before = signed[at - 1]
    const payment = before ? chainTo(planned, before.payment, before.txid) : planned
    const result = signPayment(
      payment,
      [{ privateKey: KEY, addressType: payment.addressType }],
      previous,
    )
    previous.set(result.txid, result.rawTx)
    signed.push({ payment, ...result })
  }
  return signed
}

describe('a chain of mints', () => {
  it('is signed as it was laid out, each spending the third output of the one before, for every type of address', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        fc.integer({ min: 1, max: MAX_MINTS }),
        fc.integer({ min: 100, max: 40_000 }).map(thousandths => thousandths / 1000),
        (type, count, feeRate) => {
          const { payments, previous } = build(type, count, [900_000n, 400_000n], feeRate)
          const signed = sign(payments, previous)
          const own = scriptPubKeyOf(publicKeyOf(KEY), type)
          for (const [at, { rawTx, payment }] of signed.entries()) {
            const { inputs, outputs, vsize } = parseTransaction(rawTx)
            expect(vsize).toBe(payment.vsize)
            const fee = Number(payment.fee)
            expect(fee).toBeGreaterThanOrEqual(vsize * feeRate - 1e-6)
            // A change too small for an output goes to the miner of the first one.
            if (at > 0) expect(fee).toBeLessThan(vsize * feeRate + 1)
            if (at > 0) expect(inputs.map(formatOutpoint)).toEqual([`${signed[at - 1]?.txid}:2`])
            expect(outputs[0]?.amount).toBe(546n)
            const paid = outputs.filter(({ amount }) => amount > 0n)
            expect(paid.every(({ scriptPubKey }) => equalBytes(scriptPubKey, own))).toBe(true)
            if (at > 0) expect(outputs).toHaveLength(at === count - 1 ? 2 : 3)
          }
          const scripts = ['potScript', 'changeScript'].map((_, at) =>
            scriptPubKeyOf(publicKeyOf(new Uint8Array(32).fill(8 + at)), type),
          )
          const [potScript = own, changeScript = own] = scripts
          const apart = build(type, count, [900_000n, 400_000n], feeRate, {
            potScript,
            changeScript,
          })
          for (const [at, { outputs, changeIndex }] of apart.payments.entries()) {
            const before = payments[at]?.outputs ?? []
            expect(outputs.map(({ amount }) => amount)).toEqual(before.map(({ amount }) => amount))
            const pots = outputs.flatMap(({ scriptPubKey }, vout) =>
              equalBytes(scriptPubKey, potScript) ? vout : [],
            )
            expect(pots).toEqual(at < count - 1 ? [2] : [])
            const ofChange = outputs.flatMap(({ scriptPubKey }, vout) =>
              equalBytes(scriptPubKey, changeScript) ? vout : [],
            )
            expect(ofChange).toEqual(changeIndex === null ? [] : [changeIndex])
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  it('puts each mint on the first output by another library’s index, and all that an input might hold', async () => {
    const { payments, previous } = build('p2tr', 3, [90_000n])
    for (const { rawTx } of sign(payments, previous)) {
      const scripts = parseTransaction(rawTx).outputs.map(({ scriptPubKey }) => scriptPubKey)
      expect(await flowElsewhere([], scripts)).toEqual([`${MINTED} of ${RUNE} to 0`])
      expect(await flowElsewhere([{ rune: '9:9', amount: 4n }], scripts)).toEqual(
        [`${MINTED} of ${RUNE} to 0`, '4 of 9:9 to 0'].sort(),
      )
    }
  })

  it('costs exactly what it says: no sat is left in it behind the last', () => {
    const { payments } = build('p2tr', 5, [90_000n])
    const spent = payments[0]?.inputs.reduce((sum, { amount }) => sum + amount, 0n) ?? 0n
    const change = payments[0]?.outputs[payments[0].changeIndex ?? -1]?.amount ?? 0n
    const fees = payments.reduce((sum, { fee }) => sum + fee, 0n)
    expect(spent - change).toBe(fees + 5n * 546n)
  })

  it('is small enough for the 101 kvB that nodes relay of one family', () => {
    for (const type of TYPES) {
      const { payments } = build(type, MAX_MINTS, [900_000n])
      expect(payments.reduce((sum, { vsize }) => sum + vsize, 0)).toBeLessThan(10_000)
    }
  })

  it('of one is a single transaction without a third output', () => {
    const { payments } = build('p2tr', 1, [10_000n])
    expect(payments).toHaveLength(1)
    expect(payments[0]?.outputs.map(({ amount }) => amount > 600n)).toEqual([false, false, true])
    expect(payments[0]?.changeIndex).toBe(2)
  })

  it('needs sats for all of it before any of it is built, and 1 to 24 mints', () => {
    expect(() => build('p2tr', 24, [20_000n], 4)).toThrow(InsufficientFundsError)
    for (const count of [0, 25, 1.5])
      expect(() => build('p2tr', count, [90_000n])).toThrow(RangeError)
  })
})

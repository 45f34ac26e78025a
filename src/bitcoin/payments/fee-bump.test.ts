import { Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { dustLimit } from '../dust.ts'
import { formatOutpoint } from '../outpoint.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { shuffle } from '../seeded-shuffle.ts'
import { fund, RECIPIENT_SCRIPTS, sumOf } from '../testing/funding.ts'
import { privateKeys } from '../testing/keys.ts'
import { ADDRESS_TYPES, spendOf } from '../testing/spending.ts'
import type { TransactionOutput } from '../transaction.ts'
import { transactionVsize } from '../transaction-size.ts'
import type { Utxo } from '../utxo.ts'
import { InsufficientFundsError } from './coin-selection.ts'
import {
  buildCancellation,
  buildChild,
  buildReplacement,
  FeeBumpError,
  leastCancellationFeeRate,
  leastChildFeeRate,
  leastReplacementFeeRate,
} from './fee-bump.ts'
import { buildPayment, DustError, type Payment, signPayment } from './payment.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const situations = fc.record({
  key: privateKeys,
  addressType: fc.constantFrom(...ADDRESS_TYPES),
  coins: fc.array(
    fc.oneof(fc.bigInt({ min: 400n, max: 9_000n }), fc.bigInt({ min: 9_000n, max: 200_000n })),
    { minLength: 1, maxLength: 4 },
  ),
  /** Sats that the coins hold beyond the payment, so that little or nothing comes back; null for anything. */
  slack: fc.option(fc.bigInt({ min: 0n, max: 1_500n }), { freq: 2 }),
  further: fc.array(fc.bigInt({ min: 300n, max: 200_000n }), { maxLength: 2 }),
  recipients: fc.array(
    fc.record({
      scriptPubKey: fc.constantFrom(...RECIPIENT_SCRIPTS),
      amount: fc.bigInt({ min: 600n, max: 60_000n }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  memo: fc.option(
    fc.record({
      data: fc.uint8Array({ minLength: 1, maxLength: 80 }),
      position: fc.nat({ max: 4 }),
    }),
    { freq: 2 },
  ),
  feeRate: fc.integer({ min: 100, max: 20_000 }).map(milli => milli / 1000),
  /** Thousandths of a sat/vB above the least. */
  more: fc.oneof(fc.constant(0), fc.nat({ max: 3_000 }), fc.nat({ max: 30_000 })),
  seed: fc.string(),
})

type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

/** A payment that was sent, and what can be added to it; null when the coins did not suffice. */
function send(situation: Situation) {
  const { key, addressType, memo, feeRate, seed } = situation
  const recipients = situation.recipients.map(recipient => ({ ...recipient }))
  const first = fund(key, addressType, situation.coins)
  const further = fund(key, addressType, situation.further, 100)
  const own = { publicKey: publicKeyOf(key), addressType }
  const previous = new Map([...first.previous, ...further.previous])
  const scripts = recipients.map(({ scriptPubKey }) => scriptPubKey)
  if (memo) scripts.push(new Uint8Array(memo.data.length + 3))
  const fee = feeAt(feeRate, transactionVsize(addressType, first.utxos.length, scripts))
  const [recipient, ...others] = recipients
  if (situation.slack !== null && recipient)
    recipient.amount = sumOf(first.utxos) - sumOf(others) - fee - situation.slack
  try {
    const sent = buildPayment({ recipients, memo, utxos: first.utxos, own, feeRate, seed })
    return {
      sent,
      utxos: further.utxos,
      own,
      previous,
      script: spendOf(addressType, own.publicKey).script,
    }
  } catch (error) {
    if (error instanceof InsufficientFundsError || error instanceof DustError) return null
    throw error
  }
}

/** The vB of the signed transaction as an independent library reads it. */
function signedVsize(payment: Payment, key: Uint8Array, previous: Map<string, Uint8Array>): number {
  const { rawTx } = signPayment(
    payment,
    [{ privateKey: key, addressType: payment.addressType }],
    previous,
  )
  return ScureTransaction.fromRaw(rawTx, { allowUnknownOutputs: true, disableScriptCheck: true })
    .vsize
}

const thousandths = (rate: number) => BigInt(Math.round(rate * 1000))
const addTo = (rate: number, milli: number) => (Math.round(rate * 1000) + milli) / 1000
const withoutChange = ({ outputs, changeIndex }: Payment) =>
  outputs.filter((_, i) => i !== changeIndex)

/** What any bump must keep to; `asked` is the fee rate times the size, in thousandths of a sat. */
function expectSound(payment: Payment, script: Uint8Array, allowed: readonly Utxo[]) {
  const { inputs, outputs, fee, changeIndex } = payment
  expect(sumOf(inputs)).toBe(sumOf(outputs) + fee)
  expect(new Set(inputs.map(formatOutpoint)).size).toBe(inputs.length)
  expect(inputs.every(coin => allowed.includes(coin))).toBe(true)
  expect(outputs.length).toBeGreaterThan(0)
  for (const { scriptPubKey, amount } of outputs)
    expect(amount >= dustLimit(scriptPubKey)).toBe(true)
  if (changeIndex !== null) expect(outputs[changeIndex]?.scriptPubKey).toEqual(script)
}

/** BIP-125 rules 3 and 4 with 1 sat/vB, and a higher fee rate, from the bytes that would be sent. */
function expectReplaces(fee: bigint, vsize: number, old: { fee: bigint; vsize: number }) {
  expect(fee >= old.fee + BigInt(vsize)).toBe(true)
  expect(fee * BigInt(old.vsize) > old.fee * BigInt(vsize)).toBe(true)
}

/** The least whole sats at a rate. */
const feeAt = (rate: number, vsize: number) => (thousandths(rate) * BigInt(vsize) + 999n) / 1000n

const larger = (a: bigint, b: bigint) => (a > b ? a : b)

describe('a replacement', () => {
  it('keeps recipients, memo and inputs, pays the exact fee, and is one by BIP-125, once and again', () => {
    const seen = { kept: 0, dropped: 0, added: 0, gained: 0, refused: 0, memo: 0 }
    fc.assert(
      fc.property(situations, situation => {
        const world = send(situation)
        if (!world) return
        const { utxos, own, previous, script } = world
        let { sent } = world
        for (const round of ['once', 'again']) {
          const feeRate = addTo(leastReplacementFeeRate(sent), situation.more)
          const seed = situation.seed + round
          const replace = (order: string) =>
            buildReplacement({ sent, utxos: shuffle(utxos, order), own, feeRate, seed })
          let bumped: Payment
          try {
            bumped = replace('a')
          } catch (error) {
            expect(error).toBeInstanceOf(InsufficientFundsError)
            seen.refused++
            return
          }
          expect(replace('b')).toEqual(bumped)
          expectSound(bumped, script, [...sent.inputs, ...utxos])
          expect(withoutChange(bumped)).toEqual(withoutChange(sent))
          expect(sent.inputs.every(coin => bumped.inputs.includes(coin))).toBe(true)
          const vsize = signedVsize(bumped, situation.key, previous)
          expect(bumped.vsize).toBe(vsize)
          expectReplaces(bumped.fee, vsize, sent)
          const least = larger(feeAt(feeRate, vsize), sent.fee + BigInt(vsize))
          const isLarger = bumped.inputs.length > sent.inputs.length
          const rest = sumOf(sent.inputs) - sumOf(withoutChange(sent))
          // Inputs are added only when the old ones cannot pay for the smallest form of it.
          if (isLarger) {
            const change = sent.changeIndex === null ? 0 : 9 + script.length
            const smallest = sent.vsize - change
            expect(
              rest < larger(feeAt(feeRate, smallest + 1), sent.fee + BigInt(smallest + 1)),
            ).toBe(true)
          }
          if (bumped.changeIndex === null) {
            // Change goes into the fee only when it would have been dust.
            const full = vsize + 9 + script.length + 1
            const mostFee = larger(feeAt(feeRate, full), sent.fee + BigInt(full))
            expect(bumped.fee >= least && bumped.fee < mostFee + dustLimit(script)).toBe(true)
          } else {
            expect(bumped.fee).toBe(least)
            if (sent.changeIndex !== null) expect(bumped.changeIndex).toBe(sent.changeIndex)
          }
          if (situation.memo) seen.memo++
          if (isLarger) seen.added++
          else if (bumped.changeIndex !== null) seen.kept++
          else if (sent.changeIndex !== null) seen.dropped++
          if (sent.changeIndex === null && bumped.changeIndex !== null) seen.gained++
          sent = bumped
        }
      }),
      { numRuns: 150 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
  })
})

describe('a cancellation', () => {
  it('returns every input to the payer for the least that nodes take or the rate asked', () => {
    const seen = { built: 0, lifted: 0, shown: 0 }
    fc.assert(
      fc.property(situations, situation => {
        const world = send(situation)
        if (!world) return
        const { sent, utxos, own, previous, script } = world
        const rate = addTo(leastReplacementFeeRate(sent), situation.more)
        const cancel = (feeRate: number, of = sent) =>
          buildCancellation({ sent: of, utxos, own, feeRate, seed: situation.seed })
        let cancelled: Payment
        try {
          cancelled = cancel(rate)
        } catch (error) {
          expect(error).toBeInstanceOf(InsufficientFundsError)
          return
        }
        expectSound(cancelled, script, [...sent.inputs, ...utxos])
        expect(cancelled.outputs).toHaveLength(1)
        expect(sent.inputs.every(coin => cancelled.inputs.includes(coin))).toBe(true)
        const vsize = signedVsize(cancelled, situation.key, previous)
        expectReplaces(cancelled.fee, vsize, sent)
        expect(cancelled.fee).toBe(larger(feeAt(rate, vsize), sent.fee + BigInt(vsize)))
        // What is shown as the least is what the least really comes to.
        if (cancelled.inputs.length === sent.inputs.length) {
          const least = leastCancellationFeeRate(sent, own)
          const { fee } = cancel(Math.max(least, rate))
          expect(fee).toBe(feeAt(Math.max(least, rate), vsize))
          seen.shown++
        }
        seen.built++
        // A cancellation can be sped up as well, and stays one.
        try {
          const lifted = buildReplacement({
            sent: cancelled,
            utxos,
            own,
            feeRate: leastReplacementFeeRate(cancelled),
            seed: '',
          })
          expectSound(lifted, script, [...cancelled.inputs, ...utxos])
          expect(lifted.outputs).toHaveLength(1)
          expectReplaces(lifted.fee, signedVsize(lifted, situation.key, previous), cancelled)
          seen.lifted++
        } catch (error) {
          expect(error).toBeInstanceOf(InsufficientFundsError)
        }
      }),
      { numRuns: 60 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
  })
})

describe('a child', () => {
  it('pays for itself and its parent together exactly, and goes back to the payer', () => {
    const seen = { built: 0, added: 0, whole: 0, refused: 0 }
    const parents = fc.record({
      vsize: fc.integer({ min: 80, max: 5_000 }),
      rate: fc.nat({ max: 9_000 }),
    })
    fc.assert(
      fc.property(situations, parents, fc.boolean(), (situation, parentOf, mayCarry) => {
        const { key, addressType, coins, further, more, seed } = situation
        const { vsize: size, rate } = parentOf
        const own = { publicKey: publicKeyOf(key), addressType }
        const parent = { fee: (BigInt(rate) * BigInt(size)) / 1000n, vsize: size }
        const received = fund(key, addressType, coins.slice(0, 1))
        const others = fund(key, addressType, further, 100)
        const coin = received.utxos.map(utxo => ({ ...utxo, height: null }))[0]
        if (!coin) expect.fail('no coin')
        const { script } = spendOf(addressType, own.publicKey)
        fc.pre(!mayCarry || coin.amount >= dustLimit(script))
        const feeRate = addTo(leastChildFeeRate(parent), more)
        let child: Payment
        try {
          child = buildChild({ parent, coin, mayCarry, utxos: others.utxos, own, feeRate, seed })
        } catch (error) {
          expect(error).toBeInstanceOf(InsufficientFundsError)
          seen.refused++
          return
        }
        expectSound(child, script, [coin, ...others.utxos])
        expect(child.inputs[0]).toBe(coin)
        if (mayCarry) {
          expect(child.outputs[0]).toEqual({ scriptPubKey: script, amount: coin.amount })
          expect(child.leading).toEqual({ inputs: 1, outputs: 1 })
          seen.whole++
        } else expect(child.outputs).toHaveLength(1)
        const vsize = signedVsize(child, key, new Map([...received.previous, ...others.previous]))
        const asked = feeAt(feeRate, parent.vsize + vsize)
        if (child.changeIndex !== null) expect(parent.fee + child.fee).toBe(asked)
        // Without change the fee takes what would be dust, or what another output costs.
        else expect(parent.fee + child.fee >= asked).toBe(true)
        expect(child.fee * BigInt(parent.vsize) > parent.fee * BigInt(vsize)).toBe(true)
        seen.built++
        if (child.inputs.length > 1) seen.added++
      }),
      { numRuns: 150 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
  })
})

describe('the least fee rates', () => {
  const key = new Uint8Array(32).fill(8)
  const own = { publicKey: publicKeyOf(key), addressType: 'p2wpkh' } as const
  const output = (amount: bigint): TransactionOutput => ({
    scriptPubKey: RECIPIENT_SCRIPTS[0] ?? new Uint8Array(),
    amount,
  })
  const { utxos } = fund(key, 'p2wpkh', [100_000n, 50_000n])
  const sent = buildPayment({
    recipients: [{ ...output(20_000n) }],
    memo: null,
    utxos: utxos.slice(0, 1),
    own,
    feeRate: 2,
    seed: '',
  })

  it('are one sat/vB more for a replacement and a trifle more for a child, rounded up', () => {
    expect(leastReplacementFeeRate({ fee: 282n, vsize: 141 })).toBe(3)
    expect(leastReplacementFeeRate({ fee: 283n, vsize: 141 })).toBe(3.008)
    expect(leastChildFeeRate({ fee: 282n, vsize: 141 })).toBe(2.008)
    expect(leastChildFeeRate({ fee: 282n, vsize: 100_000 })).toBe(0.003)
  })

  it('count what a cancellation must pay beyond a larger payment', () => {
    const large = { ...sent, fee: 2_000n, vsize: 1_000 }
    expect(leastReplacementFeeRate(large)).toBe(3)
    // 110 vB: one input and one output.
    expect(leastCancellationFeeRate(large, own)).toBe(19.182)
  })

  it('are named when less is asked', () => {
    const bump = { sent, utxos: [], own, feeRate: 2.999, seed: '' }
    for (const build of [buildReplacement, buildCancellation]) {
      try {
        build(bump)
        expect.fail('it was built')
      } catch (error) {
        if (!(error instanceof FeeBumpError)) throw error
        expect(error.leastFeeRate).toBe(leastReplacementFeeRate(sent))
      }
    }
    const [coin] = utxos
    if (!coin) expect.fail('no coin')
    const parent = { fee: 300n, vsize: 100 }
    expect(() =>
      buildChild({ parent, coin, mayCarry: false, utxos: [], own, feeRate: 3, seed: '' }),
    ).toThrow(FeeBumpError)
  })

  it('are more than a payment of little can pay', () => {
    const { utxos: poor } = fund(key, 'p2wpkh', [1_000n])
    const recipients = [{ ...output(400n) }]
    const little = buildPayment({ recipients, memo: null, utxos: poor, own, feeRate: 2, seed: '' })
    const bump = { sent: little, utxos: [], own, feeRate: 9, seed: '' }
    expect(() => buildReplacement(bump)).toThrow(InsufficientFundsError)
    expect(() => buildCancellation(bump)).toThrow(InsufficientFundsError)
    expect(buildCancellation({ ...bump, feeRate: 6 }).outputs[0]?.amount).toBe(1_000n - 660n)
  })

  it('are not got round by adding coins that no block has yet', () => {
    const further = utxos.slice(1).map(coin => ({ ...coin, height: null }))
    const poor = buildPayment({
      recipients: [{ ...output(99_600n) }],
      memo: null,
      utxos: utxos.slice(0, 1),
      own,
      feeRate: 2,
      seed: '',
    })
    const bump = { sent: poor, own, feeRate: 9, seed: '' }
    expect(() => buildReplacement({ ...bump, utxos: further })).toThrow(InsufficientFundsError)
    expect(buildReplacement({ ...bump, utxos: utxos.slice(1) }).inputs).toHaveLength(2)
  })
})

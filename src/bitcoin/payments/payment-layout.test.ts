import { Script, Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../bytes.ts'
import { dustLimit } from '../dust.ts'
import { feeForVsize } from '../fee-rate.ts'
import { formatOutpoint } from '../outpoint.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { shuffle } from '../seeded-shuffle.ts'
import { fund, RECIPIENT_SCRIPTS, sumOf } from '../testing/funding.ts'
import { privateKeys } from '../testing/keys.ts'
import { ADDRESS_TYPES, spendOf } from '../testing/spending.ts'
import { transactionVsize } from '../transaction-size.ts'
import { InsufficientFundsError } from './coin-selection.ts'
import { buildPayment, DustError, MemoError, signPayment } from './payment.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** Null three times out of five. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: arbitrary as fc.Arbitrary<T | null> },
  )
const coinAmounts = (minLength: number, maxLength: number) =>
  fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 2_000n }) },
      { weight: 3, arbitrary: fc.bigInt({ min: 2_000n, max: 300_000n }) },
      { weight: 1, arbitrary: fc.bigInt({ min: 1_000_000n, max: 5_000_000_000n }) },
    ),
    { minLength, maxLength },
  )
const situations = fc.record({
  key: privateKeys,
  addressType: fc.constantFrom(...ADDRESS_TYPES),
  free: coinAmounts(0, 6),
  required: seldom(coinAmounts(1, 3)).map(amounts => amounts ?? []),
  recipients: fc.array(
    fc.record({
      scriptPubKey: fc.constantFrom(...RECIPIENT_SCRIPTS),
      perMille: fc.integer({ min: 1, max: 400 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  max: seldom(fc.constantFrom(...RECIPIENT_SCRIPTS)),
  memo: seldom(
    fc.record({
      data: fc.uint8Array({ minLength: 1, maxLength: 80 }),
      position: fc.nat({ max: 7 }),
    }),
  ),
  /** Sats that the first coin holds beyond a payment of it alone; null pays by the share. */
  excess: seldom(fc.nat({ max: 800 })),
  feeRate: fc.integer({ min: 100, max: 60_000 }).map(milli => milli / 1000),
  seed: fc.string(),
})

describe('a built payment', () => {
  it('keeps to what was asked, balances, pays the exact fee of its signed bytes, and makes no dust', () => {
    const seen = { change: 0, noChange: 0, max: 0, memo: 0, required: 0, refused: 0 }
    fc.assert(
      fc.property(situations, situation => {
        const { key, addressType, memo, feeRate, seed } = situation
        const free = fund(key, addressType, situation.free)
        const must = fund(key, addressType, situation.required, 100)
        const own = { publicKey: publicKeyOf(key), addressType }
        const total = sumOf([...free.utxos, ...must.utxos])
        const asked = situation.recipients.map(({ scriptPubKey, perMille }) => ({
          scriptPubKey,
          amount: (total * BigInt(perMille)) / 1000n,
        }))
        const [first] = asked
        if (situation.excess !== null && first) {
          const fee = feeForVsize(transactionVsize(addressType, 1, [first.scriptPubKey]), feeRate)
          asked.splice(1)
          first.amount = (free.utxos[0]?.amount ?? 0n) - fee - BigInt(situation.excess)
        }
        const max = situation.excess === null &&
          situation.max && { scriptPubKey: situation.max, amount: 'max' as const }
        const recipients = max ? [...asked.slice(0, 1), max, ...asked.slice(1)] : asked
        const request = { recipients, memo, own, feeRate, seed }
        const build = (order: string) =>
          buildPayment({
            ...request,
            utxos: shuffle(free.utxos, order),
            required: shuffle(must.utxos, order),
          })
        let payment: ReturnType<typeof build>
        try {
          payment = build('a')
        } catch (error) {
          seen.refused++
          expect([InsufficientFundsError, DustError]).toContain(Object(error).constructor)
          const dust = asked.some(({ scriptPubKey, amount }) => amount < dustLimit(scriptPubKey))
          expect(error instanceof DustError).toBe(dust)
          return
        }
        expect(build('b')).toEqual(payment)

        const { inputs, outputs, fee, changeIndex } = payment
        expect(sumOf(inputs)).toBe(sumOf(outputs) + fee)
        const allowed = new Set([...free.utxos, ...must.utxos].map(formatOutpoint))
        const spent = new Set(inputs.map(formatOutpoint))
        expect(spent.size).toBe(inputs.length)
        expect([...spent].every(outpoint => allowed.has(outpoint))).toBe(true)
        expect(must.utxos.every(coin => spent.has(formatOutpoint(coin)))).toBe(true)

        const laidOut = [...outputs]
        if (memo) {
          const last = recipients.length + (changeIndex === null ? 0 : 1)
          const [output] = laidOut.splice(Math.min(memo.position, last), 1)
          expect(output?.amount).toBe(0n)
          const [opcode, data] = Script.decode(output?.scriptPubKey ?? new Uint8Array())
          // One byte that is a number is decoded as that number.
          expect(opcode).toBe('RETURN')
          if (memo.data.length > 1) expect(data).toEqual(memo.data)
          else
            expect(toHex(output?.scriptPubKey ?? new Uint8Array())).toBe(`6a01${toHex(memo.data)}`)
        }
        if (changeIndex !== null) {
          const change = laidOut.pop()
          expect(change).toBe(outputs[changeIndex])
          expect(change?.scriptPubKey).toEqual(spendOf(addressType, own.publicKey).script)
        }
        expect(laidOut).toHaveLength(recipients.length)
        for (const [i, { scriptPubKey, amount }] of recipients.entries()) {
          expect(laidOut[i]?.scriptPubKey).toEqual(scriptPubKey)
          if (amount !== 'max') expect(laidOut[i]?.amount).toBe(amount)
        }
        for (const { scriptPubKey, amount } of outputs)
          expect(amount >= dustLimit(scriptPubKey)).toBe(true)

        const previous = new Map([...free.previous, ...must.previous])
        const { rawTx } = signPayment(
          payment,
          [{ privateKey: key, addressType: payment.addressType }],
          previous,
        )
        const { vsize } = ScureTransaction.fromRaw(rawTx, {
          allowUnknownOutputs: true,
          disableScriptCheck: true,
        })
        expect(payment.vsize).toBe(vsize)
        const least = feeForVsize(vsize, feeRate)
        const { script } = spendOf(addressType, own.publicKey)
        const changeCost = feeForVsize(9 + script.length + 1, feeRate) + dustLimit(script)
        // Without change, the fee also takes what would not have been worth a change output.
        if (max || changeIndex !== null) expect(fee).toBe(least)
        else expect(fee >= least && fee < least + changeCost).toBe(true)
        seen[max ? 'max' : changeIndex === null ? 'noChange' : 'change']++
        if (memo) seen.memo++
        if (must.utxos.length > 0) seen.required++
      }),
      { numRuns: 160 },
    )
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(1)
  })
})

describe('buildPayment', () => {
  const key = new Uint8Array(32).fill(5)
  const own = { publicKey: publicKeyOf(key), addressType: 'p2wpkh' } as const
  const [scriptPubKey = new Uint8Array(), other = new Uint8Array()] = RECIPIENT_SCRIPTS
  const { utxos } = fund(key, 'p2wpkh', [100_000n, 200_000n, 50n])
  const pay = (amount: bigint | 'max') => ({
    recipients: [{ scriptPubKey, amount }],
    memo: null,
    utxos,
    own,
    feeRate: 2,
    seed: '',
  })

  it('puts the recipients first in their order and the change of the own address last', () => {
    const recipients = [
      { scriptPubKey: other, amount: 50_000n },
      { scriptPubKey, amount: 150_000n },
    ]
    const { outputs, changeIndex } = buildPayment({ ...pay(1n), recipients })
    expect(outputs.slice(0, 2)).toEqual(recipients)
    expect(outputs[2]?.scriptPubKey).toEqual(spendOf('p2wpkh', own.publicKey).script)
    expect([outputs.length, changeIndex]).toEqual([3, 2])
  })

  it('refuses dust of any recipient and takes the least that is not', () => {
    expect(() => buildPayment(pay(293n))).toThrow(DustError)
    expect(buildPayment(pay(294n)).outputs[0]?.amount).toBe(294n)
    const recipients = [...pay(10_000n).recipients, { scriptPubKey: other, amount: 329n }]
    expect(() => buildPayment({ ...pay(1n), recipients })).toThrow(DustError)
  })

  it('refuses more than there is', () => {
    expect(() => buildPayment(pay(300_000n))).toThrow(InsufficientFundsError)
    expect(() => buildPayment({ ...pay(1_000n), utxos: [] })).toThrow(InsufficientFundsError)
    expect(() => buildPayment({ ...pay('max'), utxos: [] })).toThrow(InsufficientFundsError)
  })

  it('sends max without the coins that cost more than they hold, unless they are required', () => {
    const [, , dust] = utxos
    if (!dust) expect.fail('no coin')
    // 10.5 + 2 x 67.75 + 31 vB.
    const two = buildPayment(pay('max'))
    expect([two.inputs.length, two.fee, two.outputs]).toEqual([
      2,
      354n,
      [{ scriptPubKey, amount: 300_000n - 354n }],
    ])
    const three = buildPayment({ ...pay('max'), required: [dust] })
    expect(three.inputs).toContain(dust)
    expect(three.outputs[0]?.amount).toBe(300_050n - three.fee)
    expect(three.changeIndex).toBeNull()
  })

  it('says what is missing when max would leave the recipient dust', () => {
    const { utxos: poor } = fund(key, 'p2wpkh', [500n])
    try {
      buildPayment({ ...pay('max'), utxos: poor })
      expect.fail('it was built')
    } catch (error) {
      // 110 vB at 2 sat/vB, and the least that a P2WPKH output may hold.
      expect(error).toMatchObject({ needed: 220n + 294n, available: 500n })
    }
  })

  it('spends required coins alone when they suffice, and others with them when not', () => {
    const [small, large] = utxos
    if (!small || !large) expect.fail('no coins')
    const alone = buildPayment({ ...pay(90_000n), required: [small] })
    expect(alone.inputs).toEqual([small])
    const both = buildPayment({ ...pay(250_000n), required: [small] })
    expect(new Set(both.inputs)).toEqual(new Set([small, large]))
  })

  it('puts the memo where it was asked, and last where there are fewer outputs', () => {
    const data = new TextEncoder().encode('thanks')
    const placeOf = (position: number) => {
      const { outputs, changeIndex } = buildPayment({ ...pay(150_000n), memo: { data, position } })
      return [outputs.findIndex(output => output.amount === 0n), changeIndex]
    }
    expect([0, 1, 2, 99].map(placeOf)).toEqual([
      [0, 2],
      [1, 2],
      [2, 1],
      [2, 1],
    ])
  })

  it('refuses memos that not every node relays, and places that are none', () => {
    const memo = (size: number, position = 0) => ({
      ...pay(150_000n),
      memo: { data: new Uint8Array(size), position },
    })
    const sizeOf = (size: number) => buildPayment(memo(size)).outputs[0]?.scriptPubKey.length
    expect([1, 75, 76, 80].map(sizeOf)).toEqual([3, 77, 79, 83])
    for (const size of [0, 81]) expect(() => buildPayment(memo(size))).toThrow(MemoError)
    for (const place of [-1, 0.5, Number.NaN])
      expect(() => buildPayment(memo(5, place))).toThrow(MemoError)
  })

  it('takes at least one recipient and at most one max', () => {
    expect(() => buildPayment({ ...pay(1n), recipients: [] })).toThrow('no recipient')
    const [first] = pay('max').recipients
    if (!first) expect.fail('no recipient')
    expect(() => buildPayment({ ...pay(1n), recipients: [first, first] })).toThrow('only one')
  })
})

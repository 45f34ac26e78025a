import { Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { feeForVsize } from '../fee-rate.ts'
import { UnverifiedInputError } from '../previous-output.ts'
import { ECDSA_SIGNATURE_SIZE, publicKeyOf } from '../secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS, sumOf } from '../testing/funding.ts'
import { privateKeys } from '../testing/keys.ts'
import { judgeSigned } from '../testing/mixed-account.ts'
import { ADDRESS_TYPES, spendOf } from '../testing/spending.ts'
import { parseTransaction } from '../transaction.ts'
import { InsufficientFundsError } from './coin-selection.ts'
import { buildPayment, DustError, type Payment, signPayment } from './payment.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** The same payment, signed by an independent library. */
function signWithScure(payment: Payment, key: Uint8Array, previous: Map<string, Uint8Array>) {
  const { addressType } = payment
  const spend = spendOf(addressType, publicKeyOf(key))
  const transaction = new ScureTransaction({
    version: 2,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  })
  for (const { txid, vout, amount } of payment.inputs)
    transaction.addInput({
      txid,
      index: vout,
      sequence: 0xfffffffd,
      ...('redeemScript' in spend ? { redeemScript: spend.redeemScript } : {}),
      ...('tapInternalKey' in spend
        ? { tapInternalKey: spend.tapInternalKey, witnessUtxo: { script: spend.script, amount } }
        : { nonWitnessUtxo: previous.get(txid) ?? new Uint8Array() }),
    })
  for (const { scriptPubKey, amount } of payment.outputs)
    transaction.addOutput({ script: scriptPubKey, amount })
  transaction.sign(key, undefined, new Uint8Array(32))
  transaction.finalize()
  return transaction
}

const situations = fc.record({
  key: privateKeys,
  addressType: fc.constantFrom(...ADDRESS_TYPES),
  amounts: fc.array(fc.bigInt({ min: 5_000n, max: 300_000n }), { minLength: 1, maxLength: 6 }),
  share: fc.integer({ min: 1, max: 95 }),
  to: fc.constantFrom(...RECIPIENT_SCRIPTS),
  feeRate: fc.integer({ min: 100, max: 20_000 }).map(milli => milli / 1000),
  seed: fc.string(),
})

function build(situation: typeof situations extends fc.Arbitrary<infer T> ? T : never) {
  const { key, addressType, amounts, share, to, feeRate, seed } = situation
  const { utxos, previous } = fund(key, addressType, amounts)
  const recipients = [{ scriptPubKey: to, amount: (sumOf(utxos) * BigInt(share)) / 100n }]
  const own = { publicKey: publicKeyOf(key), addressType }
  return {
    payment: buildPayment({ recipients, memo: null, utxos, own, feeRate, seed }),
    previous,
  }
}

/** Signature of each input of a raw transaction, wherever its type puts it. */
function signaturesOf(raw: Uint8Array): string[] {
  const transaction = ScureTransaction.fromRaw(raw, {
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  })
  return Array.from({ length: transaction.inputsLength }, (_, i) => {
    const { finalScriptSig, finalScriptWitness } = transaction.getInput(i)
    const inScript = finalScriptSig?.slice(1, 1 + (finalScriptSig[0] ?? 0))
    return toHex(finalScriptWitness?.[0] ?? inScript ?? new Uint8Array())
  })
}

describe('signPayment beside an independent library', () => {
  it('makes the same transaction, of the size and fee that were promised', () => {
    const compared = { same: 0, all: 0 }
    fc.assert(
      fc.property(situations, situation => {
        let built: ReturnType<typeof build>
        try {
          built = build(situation)
        } catch (error) {
          expect([InsufficientFundsError, DustError]).toContain(Object(error).constructor)
          return
        }
        const { payment, previous } = built
        const { rawTx, txid, vsize } = signPayment(
          payment,
          [{ privateKey: situation.key, addressType: payment.addressType }],
          previous,
        )
        const scure = signWithScure(payment, situation.key, previous)
        const parsed = ScureTransaction.fromRaw(rawTx, {
          allowUnknownOutputs: true,
          disableScriptCheck: true,
        })
        // The scriptSig of P2PKH holds signatures, which may differ in the number of tries; all else is the same.
        expect(toHex(parsed.toBytes(false))).toBe(toHex(scure.toBytes(false)))
        if (situation.addressType !== 'p2pkh') expect(txid).toBe(scure.id)
        expect([parsed.id, parsed.vsize, vsize]).toEqual([txid, payment.vsize, payment.vsize])
        expect(payment.fee >= feeForVsize(parsed.vsize, situation.feeRate)).toBe(true)
        const [ours, theirs] = [signaturesOf(rawTx), signaturesOf(scure.extract())]
        for (const [i, signature] of theirs.entries()) {
          compared.all++
          // The other library does not grind for a size; where its first try has the size, ours is that one.
          const ecdsa = situation.addressType !== 'p2tr'
          if (ecdsa && signature.length !== 2 * ECDSA_SIGNATURE_SIZE) continue
          compared.same++
          expect(ours[i]).toBe(signature)
        }
      }),
      { numRuns: 60 },
    )
    expect(compared.same).toBeGreaterThan(compared.all / 3)
  })
})

describe('a payment from addresses of several kinds', () => {
  it('has each input signed by the key of its address, in the size and for the fee that were promised', () => {
    const mixes = fc.record({
      keys: fc.uniqueArray(privateKeys, { minLength: 4, maxLength: 4, selector: toHex }),
      amounts: fc.array(fc.bigInt({ min: 20_000n, max: 90_000n }), { minLength: 4, maxLength: 4 }),
      types: fc.shuffledSubarray(['p2tr', 'p2wpkh', 'p2sh-p2wpkh'] as const, { minLength: 2 }),
      feeRate: fc.integer({ min: 100, max: 20_000 }).map(milli => milli / 1000),
    })
    fc.assert(
      fc.property(mixes, ({ keys, amounts, types, feeRate }) => {
        const own = types.map((addressType, i) => {
          const privateKey = keys[i] ?? new Uint8Array()
          const key = { privateKey, addressType }
          return { key, ...fund(privateKey, addressType, amounts.slice(i, i + 1), i * 100) }
        })
        const [first] = own
        if (!first) return
        const { privateKey, addressType } = first.key
        const required = own.flatMap(({ utxos }) => utxos)
        const payment = buildPayment({
          recipients: [{ scriptPubKey: RECIPIENT_SCRIPTS[0] ?? new Uint8Array(), amount: 1_000n }],
          own: { publicKey: publicKeyOf(privateKey), addressType },
          ...{ memo: null, utxos: [], required, feeRate, seed: '' },
        })
        const previous = new Map(own.flatMap(one => [...one.previous]))
        const signWith = (some: typeof own) =>
          signPayment(
            payment,
            some.map(({ key }) => key),
            previous,
          )
        const signed = signWith(own)
        const judged = judgeSigned(signed.rawTx, previous.values())
        const { fee, vsize } = payment
        expect(judged).toMatchObject({ fee, vsize, txid: signed.txid })
        expect(judged.spent).toHaveLength(types.length)
        expect(signWith(own.toReversed()).rawTx).toEqual(signed.rawTx)
        expect(() => signWith(own.slice(1))).toThrow('not of this key')
      }),
      { numRuns: 40 },
    )
  })
})

describe('a payment of many coins', () => {
  it.each([252, 253])(
    'has the size promised with %i inputs, where their count takes another byte',
    count => {
      const key = new Uint8Array(32).fill(4)
      const { utxos, previous } = fund(key, 'p2wpkh', Array<bigint>(count).fill(1_000n))
      const own = { publicKey: publicKeyOf(key), addressType: 'p2wpkh' } as const
      const scriptPubKey = fromHex(`0014${'11'.repeat(20)}`)
      const payment = buildPayment({
        recipients: [{ scriptPubKey, amount: 930n * BigInt(count) }],
        memo: null,
        utxos,
        own,
        feeRate: 1,
        seed: '',
      })
      expect(payment.inputs).toHaveLength(count)
      const { rawTx } = signPayment(
        payment,
        [{ privateKey: key, addressType: payment.addressType }],
        previous,
      )
      const scure = ScureTransaction.fromRaw(rawTx)
      expect([scure.inputsLength, scure.vsize]).toEqual([count, payment.vsize])
    },
  )
})

describe('signPayment', () => {
  const key = new Uint8Array(32).fill(6)
  const situation = {
    key,
    amounts: [80_000n, 70_000n],
    share: 90,
    to: RECIPIENT_SCRIPTS[0] ?? new Uint8Array(),
    feeRate: 1,
    seed: '',
  }
  const others = ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const

  it('makes version 2 transactions that can be replaced, and the same one each time', () => {
    for (const addressType of ADDRESS_TYPES) {
      const { payment, previous } = build({ ...situation, addressType })
      const { rawTx } = signPayment(
        payment,
        [{ privateKey: key, addressType: payment.addressType }],
        previous,
      )
      const { version, locktime, inputs } = parseTransaction(rawTx)
      expect([version, locktime]).toEqual([2, 0])
      expect(inputs.map(({ sequence }) => sequence)).toEqual([0xfffffffd, 0xfffffffd])
      expect(
        signPayment(payment, [{ privateKey: key, addressType: payment.addressType }], previous)
          .rawTx,
      ).toEqual(rawTx)
    }
  })

  it('signs taproot without previous transactions, as those signatures cover the amounts', () => {
    const { payment } = build({ ...situation, addressType: 'p2tr' })
    expect(
      signPayment(payment, [{ privateKey: key, addressType: payment.addressType }], new Map()).txid,
    ).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each(others)(
    'refuses %s coins whose previous transaction is missing, another or unreadable',
    addressType => {
      const { payment, previous } = build({ ...situation, addressType })
      const [[txid = '', raw = new Uint8Array()] = []] = previous
      const [, otherRaw = new Uint8Array()] = [...previous.values()]
      const refused = [new Uint8Array(), raw.slice(1), Uint8Array.of(...raw, 0), otherRaw]
      for (const wrong of refused)
        expect(() =>
          signPayment(
            payment,
            [{ privateKey: key, addressType: payment.addressType }],
            new Map(previous).set(txid, wrong),
          ),
        ).toThrow(UnverifiedInputError)
      expect(() =>
        signPayment(
          payment,
          [{ privateKey: key, addressType: payment.addressType }],
          new Map([...previous].slice(1)),
        ),
      ).toThrow(UnverifiedInputError)
    },
  )

  it.each(ADDRESS_TYPES)(
    'refuses %s coins whose amount or place is not that of the previous transaction',
    addressType => {
      const { payment, previous } = build({ ...situation, addressType })
      const [first, ...rest] = payment.inputs
      if (!first) expect.fail('no input')
      const lies = [
        { amount: first.amount + 1n },
        { amount: first.amount - 1n },
        { vout: first.vout + 1 },
        { vout: 9 },
      ]
      for (const lie of lies) {
        const inputs = [{ ...first, ...lie }, ...rest]
        expect(() =>
          signPayment(
            { ...payment, inputs },
            [{ privateKey: key, addressType: payment.addressType }],
            previous,
          ),
        ).toThrow(UnverifiedInputError)
      }
    },
  )

  it('refuses a coin of another key, and one that is said to be of this key but is not', () => {
    const { payment, previous } = build({ ...situation, addressType: 'p2wpkh' })
    const stranger = fund(new Uint8Array(32).fill(9), 'p2wpkh', [payment.inputs[0]?.amount ?? 0n])
    const [theirs] = stranger.utxos
    if (!theirs) expect.fail('no coin')
    const all = new Map([...previous, ...stranger.previous])
    const rest = payment.inputs.slice(1)
    expect(() =>
      signPayment(
        { ...payment, inputs: [theirs, ...rest] },
        [{ privateKey: key, addressType: payment.addressType }],
        all,
      ),
    ).toThrow('not of this key')
    const disguised = { ...theirs, scriptPubKey: spendOf('p2wpkh', publicKeyOf(key)).script }
    expect(() =>
      signPayment(
        { ...payment, inputs: [disguised, ...rest] },
        [{ privateKey: key, addressType: payment.addressType }],
        all,
      ),
    ).toThrow(UnverifiedInputError)
  })

  it('refuses a payment whose figures do not agree with each other', () => {
    const { payment, previous } = build({ ...situation, addressType: 'p2wpkh' })
    const [first] = payment.inputs
    const [output] = payment.outputs
    if (!first || !output) expect.fail('no input or output')
    const altered: Partial<Payment>[] = [
      { fee: payment.fee - 1n },
      { fee: payment.fee + 1n },
      { vsize: payment.vsize - 1 },
      { vsize: payment.vsize + 1 },
      { feeRate: payment.feeRate * 3 },
      { inputs: [...payment.inputs, first] },
      { inputs: [] },
      { changeIndex: 0 },
      { changeIndex: 2 },
      { changeIndex: -1 },
      { outputs: payment.outputs.slice(1) },
      { outputs: [{ ...output, amount: -1n }, ...payment.outputs.slice(1)] },
    ]
    for (const change of altered)
      expect(() =>
        signPayment(
          { ...payment, ...change },
          [{ privateKey: key, addressType: payment.addressType }],
          previous,
        ),
      ).toThrow('payment:')
  })

  it('refuses to spend a coin twice, which no node takes, though the fee agrees', () => {
    const { payment, previous } = build({ ...situation, addressType: 'p2wpkh' })
    const [first] = payment.inputs
    if (!first) expect.fail('no input')
    const fee = 2n * first.amount - sumOf(payment.outputs)
    const twice = { ...payment, inputs: [first, first], fee }
    expect(() =>
      signPayment(twice, [{ privateKey: key, addressType: payment.addressType }], previous),
    ).toThrow('repeated')
  })

  it('lets one recipient take what is left, and never two', () => {
    const { utxos } = fund(key, 'p2wpkh', [80_000n])
    const own = { publicKey: publicKeyOf(key), addressType: 'p2wpkh' } as const
    const pay = (...amounts: (bigint | 'max')[]) =>
      buildPayment({
        recipients: amounts.map(amount => ({ scriptPubKey: situation.to, amount })),
        ...{ memo: null, utxos, own, feeRate: 1, seed: '' },
      })
    const { outputs, fee, changeIndex } = pay(10_000n, 'max')
    expect(outputs.map(({ amount }) => amount)).toEqual([10_000n, 70_000n - fee])
    expect(changeIndex).toBeNull()
    expect(() => pay('max', 'max')).toThrow('only one recipient takes max')
    expect(() => pay()).toThrow('there is no recipient')
  })
})

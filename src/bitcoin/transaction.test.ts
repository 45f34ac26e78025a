import { Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from './bytes.ts'
import { publicKeyOf } from './secp256k1.ts'
import { ADDRESS_TYPES, fundingTransaction, spendOf } from './testing/spending.ts'
import { readJsonVectors, vectorsMissing } from './testing/vector-files.ts'
import { InvalidTransactionError, parseTransaction, txidOf } from './transaction.ts'

type Bip341Wallet = {
  keyPathSpending: { auxiliary: { fullySignedTx: string } }[]
}

const SCRIPT = spendOf('p2wpkh', publicKeyOf(new Uint8Array(32).fill(1))).script
const FUNDING = fundingTransaction([{ script: SCRIPT, amount: 5_000n }], 1)

function expectInvalid(raw: Uint8Array) {
  expect(() => parseTransaction(raw), toHex(raw)).toThrow(InvalidTransactionError)
}

describe('parseTransaction', () => {
  it('reads what an independent library writes', () => {
    const outputs = fc.array(
      fc.record({
        script: fc
          .constantFrom(...ADDRESS_TYPES)
          .map(type => spendOf(type, publicKeyOf(new Uint8Array(32).fill(2))).script),
        amount: fc.bigInt({ min: 0n, max: 10_000_000_000n }),
      }),
      { minLength: 1, maxLength: 300 },
    )
    fc.assert(
      fc.property(outputs, fc.nat(), (written, seed) => {
        const { raw, txid } = fundingTransaction(written, seed)
        const parsed = parseTransaction(raw)
        expect(parsed.txid).toBe(txid)
        expect(txidOf(raw)).toBe(txid)
        expect(parsed.vsize).toBe(raw.length)
        expect(parsed.outputs.map(({ amount }) => amount)).toEqual(
          written.map(({ amount }) => amount),
        )
        expect(parsed.outputs.map(({ scriptPubKey }) => toHex(scriptPubKey))).toEqual(
          written.map(({ script }) => toHex(script)),
        )
      }),
      { numRuns: 30 },
    )
  })

  it.skipIf(vectorsMissing)(
    'reads the signed transaction of BIP-341 as an independent library does',
    () => {
      const { keyPathSpending } = readJsonVectors('bip341-wallet.json') as Bip341Wallet
      const raw = fromHex(keyPathSpending[0]?.auxiliary.fullySignedTx ?? '')
      const expected = ScureTransaction.fromRaw(raw, {
        disableScriptCheck: true,
        allowUnknownInputs: true,
        allowUnknownOutputs: true,
      })
      const parsed = parseTransaction(raw)
      expect([parsed.txid, parsed.vsize, parsed.version, parsed.locktime]).toEqual([
        expected.id,
        expected.vsize,
        expected.version,
        expected.lockTime,
      ])
      expect(parsed.inputs).toHaveLength(expected.inputsLength)
      for (const [i, input] of parsed.inputs.entries()) {
        const { txid, index, sequence } = expected.getInput(i)
        expect(input).toEqual({ txid: toHex(txid ?? new Uint8Array()), vout: index, sequence })
      }
    },
  )

  it('refuses every shortened and every lengthened transaction', () => {
    for (let length = 0; length < FUNDING.raw.length; length++)
      expectInvalid(FUNDING.raw.slice(0, length))
    expectInvalid(concatBytes(FUNDING.raw, Uint8Array.of(0)))
  })

  it('refuses counts that are not written in the shortest way', () => {
    const inputCount = concatBytes(FUNDING.raw.slice(0, 4), fromHex('fd0100'), FUNDING.raw.slice(5))
    expectInvalid(inputCount)
  })

  it('refuses a witness flag without a witness', () => {
    const { raw } = FUNDING
    expectInvalid(
      concatBytes(raw.slice(0, 4), fromHex('0001'), raw.slice(4, -4), fromHex('00'), raw.slice(-4)),
    )
  })

  it('refuses amounts above 21 million BTC, alone and in sum, and negative ones', () => {
    const at = FUNDING.raw.length - 4 - SCRIPT.length - 1 - 8
    const withAmount = (amount: string) =>
      concatBytes(FUNDING.raw.slice(0, at), fromHex(amount), FUNDING.raw.slice(at + 8))
    expect(parseTransaction(withAmount('0040075af0750700')).outputs[0]?.amount).toBe(
      2_100_000_000_000_000n,
    )
    expectInvalid(withAmount('0140075af0750700'))
    expectInvalid(withAmount('ffffffffffffffff'))
    const most = { script: SCRIPT, amount: 2_100_000_000_000_000n }
    expectInvalid(fundingTransaction([most, { script: SCRIPT, amount: 1n }], 1).raw)
  })

  it('refuses a transaction without inputs or without outputs', () => {
    expectInvalid(fromHex(`02000000${'00'}${'00'}00000000`))
    const { raw } = FUNDING
    expectInvalid(concatBytes(raw.slice(0, 4 + 1 + 41), fromHex('00'), raw.slice(-4)))
  })

  it('throws nothing else on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        try {
          parseTransaction(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTransactionError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

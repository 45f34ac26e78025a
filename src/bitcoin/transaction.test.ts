import { Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from './bytes.ts'
import { publicKeyOf } from './secp256k1.ts'
import { ADDRESS_TYPES, fundingTransaction, spendOf } from './testing/spending.ts'
import bip341 from './testing/vectors/bip341-wallet.json' with { type: 'json' }
import { InvalidTransactionError, parseTransaction, txidOf } from './transaction.ts'

const SCRIPT = spendOf('p2wpkh', publicKeyOf(new Uint8Array(32).fill(1))).script
const FUNDING = fundingTransaction([{ script: SCRIPT, amount: 5_000n }], 1)

/** A coinbase as Core's vectors have it, with this length and these bytes of its scriptSig. */
const coinbase = (scriptSig: string) =>
  `0100000001${'00'.repeat(32)}ffffffff${scriptSig}ffffffff010000000000000000015100000000`

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

  it('reads the signed transaction of BIP-341 as an independent library does', () => {
    const { keyPathSpending } = bip341
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
  })

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

  // Bitcoin Core, src/test/data/tx_invalid.json (MIT), "Tests for CheckTransaction()".
  it.each([
    [
      'that spends an output twice',
      '01000000020001000000000000000000000000000000000000000000000000000000000000000000006c47304402204bb1197053d0d7799bf1b30cd503c44b58d6240cccbdc85b6fe76d087980208f02204beeed78200178ffc6c74237bb74b3f276bbb4098b5605d814304fe128bf1431012321039e8815e15952a7c3fada1905f8cf55419837133bd7756c0ef14fc8dfe50c0deaacffffffff0001000000000000000000000000000000000000000000000000000000000000000000006c47304402202306489afef52a6f62e90bf750bbcdf40c06f5c6b138286e6b6b86176bb9341802200dba98486ea68380f47ebb19a7df173b99e6bc9c681d6ccf3bde31465d1f16b3012321039e8815e15952a7c3fada1905f8cf55419837133bd7756c0ef14fc8dfe50c0deaacffffffff010000000000000000015100000000',
    ],
    ['that is a coinbase of one byte', coinbase('0151')],
    ['that is a coinbase of 101 bytes', coinbase(`65${'51'.repeat(101)}`)],
    [
      'that spends nothing first, and then an output',
      '01000000020000000000000000000000000000000000000000000000000000000000000000ffffffff00ffffffff00010000000000000000000000000000000000000000000000000000000000000000000000ffffffff010000000000000000015100000000',
    ],
    [
      'that spends an output first, and then nothing',
      '010000000200010000000000000000000000000000000000000000000000000000000000000000000000ffffffff0000000000000000000000000000000000000000000000000000000000000000ffffffff00ffffffff010000000000000000015100000000',
    ],
  ])('refuses a transaction %s', (_, hex) => {
    expectInvalid(fromHex(hex))
  })

  it('refuses one that spends an output twice with others between', () => {
    const outpoints = ['11', '22', '33', '22'].map(
      byte => `${byte.repeat(32)}07000000${'00'}ffffffff`,
    )
    const spending = (some: readonly string[]) =>
      fromHex(`01000000${`0${some.length}`}${some.join('')}010000000000000000015100000000`)
    expect(parseTransaction(spending(outpoints.slice(0, 3))).inputs).toHaveLength(3)
    expectInvalid(spending(outpoints))
  })

  it('refuses one that is larger than a block without its witnesses', () => {
    const large = (size: number) =>
      fundingTransaction([{ script: new Uint8Array(size), amount: 1n }], 1).raw
    const rest = large(100_000).length - 100_000
    expect(parseTransaction(large(1_000_000 - rest)).vsize).toBe(1_000_000)
    expect(() => parseTransaction(large(1_000_001 - rest))).toThrow(InvalidTransactionError)
  })

  // The first from block 0; the others from Bitcoin Core, src/test/data/tx_valid.json (MIT).
  it.each([
    [
      'of the first block',
      '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
      5_000_000_000n,
    ],
    ['of two bytes', coinbase('025151'), 0n],
    ['of 100 bytes', coinbase(`64${'51'.repeat(100)}`), 0n],
  ])('reads the coinbase %s', (_, hex, amount) => {
    const { inputs, outputs, txid } = parseTransaction(fromHex(hex))
    expect(inputs).toEqual([{ txid: '00'.repeat(32), vout: 0xffffffff, sequence: 0xffffffff }])
    expect(outputs.map(output => output.amount)).toEqual([amount])
    if (amount > 0n)
      expect(txid).toBe('4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b')
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

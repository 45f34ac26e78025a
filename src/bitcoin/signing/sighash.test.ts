import { Transaction as ScureTransaction } from '@scure/btc-signer'
import { Transaction } from 'bitcoinjs-lib/src/transaction'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { hashIndependently, PERMISSIVE } from '../testing/signature-oracle.ts'
import bip341 from '../testing/vectors/bip341-wallet.json' with { type: 'json' }
import { createSighashes, describeSighash, SIGHASHES, signsOneInput } from './sighash.ts'
import { leafHash } from './taproot-leaf.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const uint32 = fc.integer({ min: 0, max: 0xffffffff })
const sats = fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n })

const scripts = [
  fc.tuple(fc.constant('0014'), bytes(20), fc.constant('')),
  fc.tuple(fc.constant('5120'), bytes(32), fc.constant('')),
  fc.tuple(fc.constant('76a914'), bytes(20), fc.constant('88ac')),
  fc.tuple(fc.constant('5121'), bytes(33), fc.constant('51ae')),
  // Long enough for a size of three bytes.
  fc.tuple(fc.constant('4d2c01'), bytes(300), fc.constant('7551')),
].map(parts => parts.map(([head, body, tail]) => fromHex(head + toHex(body) + tail)))

const script = fc.oneof(...scripts)
const output = fc.record({ scriptPubKey: script, amount: sats })
const transactions = fc
  .record({
    version: fc.integer({ min: 1, max: 0x7fffffff }),
    locktime: uint32,
    inputs: fc.array(
      fc.record({ hash: bytes(32), vout: uint32, sequence: uint32, spent: output }),
      { minLength: 1, maxLength: 5 },
    ),
    outputs: fc.array(output, { minLength: 1, maxLength: 5 }),
  })
  .map(({ version, locktime, inputs, outputs }) => {
    const transaction = new Transaction()
    transaction.version = version
    transaction.locktime = locktime
    for (const { hash, vout, sequence } of inputs) transaction.addInput(hash, vout, sequence)
    for (const { scriptPubKey, amount } of outputs) transaction.addOutput(scriptPubKey, amount)
    return { transaction, prevouts: inputs.map(({ spent }) => spent) }
  })

describe('createSighashes', () => {
  it('hashes as two other libraries do, for every type, input and scheme', () => {
    let count = 0
    fc.assert(
      fc.property(transactions, script, ({ transaction, prevouts }, code) => {
        const other = ScureTransaction.fromRaw(transaction.toBuffer(), PERMISSIVE)
        const hashes = createSighashes(transaction, prevouts)
        const amounts = prevouts.map(({ amount }) => amount)
        const spent = prevouts.map(({ scriptPubKey }) => scriptPubKey)
        const leaf = leafHash(code)
        for (const [index, { amount, scriptPubKey }] of prevouts.entries())
          for (const type of SIGHASHES) {
            if ((type & 3) === 3 && index >= transaction.outs.length) continue
            const others = (signed: Parameters<typeof hashIndependently>[3]) =>
              toHex(hashIndependently(other, prevouts, index, signed, type))
            const legacy = toHex(hashes.legacy(index, code, type))
            expect(legacy).toBe(toHex(transaction.hashForSignature(index, code, type)))
            expect(legacy).toBe(others({ scheme: 'legacy', script: code }))
            const v0 = toHex(hashes.v0(index, code, amount, type))
            expect(v0).toBe(toHex(transaction.hashForWitnessV0(index, code, amount, type)))
            expect(v0).toBe(others({ scheme: 'v0', script: code }))
            const keyPath = toHex(hashes.taproot(index, type))
            expect(keyPath).toBe(others({ scheme: 'taproot' }))
            const scriptPath = toHex(hashes.taproot(index, type, leaf))
            expect(scriptPath).toBe(others({ scheme: 'taproot', leaf: code }))
            count++
            // The other library has room for scripts of taproot alone.
            if (signsOneInput(type) && scriptPubKey.length !== 34) continue
            const byOther = (leaf?: Uint8Array) =>
              toHex(transaction.hashForWitnessV1(index, spent, amounts, type, leaf))
            expect([keyPath, scriptPath]).toEqual([byOther(), byOther(leaf)])
          }
      }),
      { numRuns: 30 },
    )
    expect(count).toBeGreaterThan(200)
  })

  it('refuses SINGLE without an output, where a legacy hash would be good for any transaction', () => {
    const transaction = new Transaction()
    for (const vout of [0, 1]) transaction.addInput(new Uint8Array(32).fill(7), vout)
    transaction.addOutput(fromHex('51'), 1n)
    const prevouts = [0, 1].map(() => ({ scriptPubKey: fromHex('51'), amount: 1n }))
    const hashes = createSighashes(transaction, prevouts)
    const code = fromHex('51')
    for (const type of [3, 0x83] as const) {
      const legacy = { scheme: 'legacy', script: code } as const
      const other = ScureTransaction.fromRaw(transaction.toBuffer(), PERMISSIVE)
      const one = hashIndependently(other, prevouts, 1, legacy, type)
      expect(toHex(one)).toBe(`01${'00'.repeat(31)}`)
      expect(() => hashes.legacy(1, code, type)).toThrow('no output 1')
      expect(() => hashes.v0(1, code, 1n, type)).toThrow('no output 1')
      expect(() => hashes.taproot(1, type)).toThrow('no output 1')
    }
  })

  it('hashes taproot without the other previous outputs only where they are not covered', () => {
    fc.assert(
      fc.property(transactions, ({ transaction, prevouts }) => {
        const known = createSighashes(transaction, prevouts)
        const alone = createSighashes(
          transaction,
          prevouts.map((prevout, index) => (index === 0 ? prevout : null)),
        )
        for (const type of SIGHASHES)
          if (signsOneInput(type) || prevouts.length === 1)
            expect(alone.taproot(0, type)).toEqual(known.taproot(0, type))
          else expect(() => alone.taproot(0, type)).toThrow('nothing is known')
      }),
      { numRuns: 30 },
    )
  })

  it('reads what a thousand inputs spend once, not once per input', () => {
    const transaction = new Transaction()
    let read = 0
    const prevouts = Array.from({ length: 1000 }, (_, vout) => {
      transaction.addInput(new Uint8Array(32).fill(7), vout)
      return {
        amount: 1n,
        get scriptPubKey() {
          read++
          return fromHex(`5120${'11'.repeat(32)}`)
        },
      }
    })
    transaction.addOutput(fromHex('51'), 1n)
    const hashes = createSighashes(transaction, prevouts)
    const all = prevouts.map((_, index) => toHex(hashes.taproot(index, 0)))
    expect(new Set(all).size).toBe(1000)
    expect(read).toBe(1000)
  })
})

describe('BIP-341', () => {
  it('gives the signature hashes of its wallet vectors', () => {
    const { keyPathSpending } = bip341
    let count = 0
    for (const { given, inputSpending } of keyPathSpending) {
      const prevouts = given.utxosSpent.map(({ scriptPubKey, amountSats }) => ({
        scriptPubKey: fromHex(scriptPubKey),
        amount: BigInt(amountSats),
      }))
      const transaction = Transaction.fromBuffer(fromHex(given.rawUnsignedTx))
      const hashes = createSighashes(transaction, prevouts)
      for (const { given, intermediary } of inputSpending) {
        const type = SIGHASHES.find(known => known === given.hashType)
        expect(toHex(hashes.taproot(given.txinIndex, type ?? 0))).toBe(intermediary.sigHash)
        count++
      }
    }
    expect(count).toBe(7)
  })
})

describe('describeSighash', () => {
  it('names the seven types that mean something, and no other of the 256', () => {
    const named = Array.from({ length: 256 }, (_, type) => [type, describeSighash(type)]).filter(
      ([, name]) => name !== null,
    )
    expect(Object.fromEntries(named)).toEqual({
      0: 'all',
      1: 'all',
      2: 'none',
      3: 'single',
      129: 'all-anyone',
      130: 'none-anyone',
      131: 'single-anyone',
    })
  })
})

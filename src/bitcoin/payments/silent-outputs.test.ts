import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import type { AddressType } from '../address.ts'
import { fromHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { fund } from '../testing/funding.ts'
import { scanTransaction, silentAddressOf } from '../testing/silent-payment-scanner.ts'
import { ADDRESS_TYPES } from '../testing/spending.ts'
import { buildReplacement } from './fee-bump.ts'
import { buildPayment, type Payment, signPayment } from './payment.ts'
import { deriveSilentOutputs, type PaymentKey } from './silent-outputs.ts'

const KEY = fromHex('41'.repeat(32))
const RECEIVER = { scanKey: fromHex('42'.repeat(32)), spendKey: fromHex('43'.repeat(32)) }
const TO = silentAddressOf(RECEIVER, 'tsp')
const SPENDABLE_BY_NOBODY = fromHex(`5120${'00'.repeat(32)}`)

function build(addressType: AddressType, amounts: readonly bigint[]) {
  const { utxos, previous } = fund(KEY, addressType, amounts)
  const own = { publicKey: publicKeyOf(KEY), addressType }
  const recipients = [
    { scriptPubKey: SPENDABLE_BY_NOBODY, amount: 30_000n, silentPaymentAddress: TO },
  ]
  const payment = buildPayment({ recipients, memo: null, utxos, own, feeRate: 3, seed: 'a' })
  return { payment, previous, own, keys: [{ privateKey: KEY, addressType }] }
}

function derive<T extends Payment>(payment: T, keys: readonly PaymentKey[]): T {
  return { ...payment, outputs: deriveSilentOutputs(payment, keys, 'regtest').outputs }
}

describe.each(ADDRESS_TYPES)('a silent payment from coins of %s', addressType => {
  it('is signed as it was derived, over all inputs and outputs, and found', () => {
    const { payment, previous, keys } = build(addressType, [20_000n, 25_000n])
    const derived = derive(payment, keys)
    const { rawTx, vsize } = signPayment(derived, keys, previous, 'regtest')
    expect(vsize).toBe(payment.vsize)
    const { inputs } = payment
    const found = scanTransaction(RECEIVER, rawTx, (txid, vout) => {
      const input = inputs.find(one => one.txid === txid && one.vout === vout)
      return input?.scriptPubKey ?? new Uint8Array()
    })
    expect(found).toMatchObject([{ vout: 0, amount: 30_000n }])
    const transaction = Transaction.fromRaw(rawTx, { allowUnknownOutputs: true })
    for (let index = 0; index < transaction.inputsLength; index++) {
      const { finalScriptWitness, finalScriptSig } = transaction.getInput(index)
      const signature = finalScriptWitness?.[0] ?? finalScriptSig?.slice(1, 1 + 71)
      // SIGHASH_DEFAULT has no byte; the others end in SIGHASH_ALL.
      if (addressType === 'p2tr') expect(signature).toHaveLength(64)
      else expect(signature?.at(-1)).toBe(1)
    }
  })

  it('is not signed before it is derived, nor with an input more or less, nor on another network', () => {
    const { payment, previous, keys } = build(addressType, [20_000n, 25_000n])
    const sign = (changed: Payment, network: 'regtest' | 'mainnet' | null = 'regtest') =>
      signPayment(changed, keys, previous, network)
    const derived = derive(payment, keys)
    expect(() => sign(payment)).toThrow('output 0 is not derived from the inputs')
    expect(() => sign(derived, null)).toThrow('need their network')
    expect(() => sign(derived, 'mainnet')).toThrow('belongs to a Bitcoin test network')
    const [first] = payment.inputs
    if (!first || payment.inputs.length !== 2) throw new Error('expected two inputs')
    // The output of one input alone, in the payment with two.
    const { outputs } = deriveSilentOutputs({ ...payment, inputs: [first] }, keys, 'regtest')
    expect(() => sign({ ...payment, outputs })).toThrow('output 0 is not derived')
  })

  it('keeps its address in a replacement, where it has to be derived again with a further coin', () => {
    const { payment, previous, own, keys } = build(addressType, [20_000n, 25_000n])
    const sent = derive(payment, keys)
    const more = fund(KEY, addressType, [90_000n], 50)
    const replacement = buildReplacement({ sent, utxos: more.utxos, own, feeRate: 90, seed: 'b' })
    expect(replacement.inputs.length).toBe(3)
    expect(replacement.outputs[0]).toMatchObject({ silentPaymentAddress: TO, amount: 30_000n })
    const derived = derive(replacement, keys)
    expect(derived.outputs[0]?.scriptPubKey).not.toEqual(sent.outputs[0]?.scriptPubKey)
    const all = new Map([...previous, ...more.previous])
    expect(() => signPayment(replacement, keys, all, 'regtest')).toThrow('output 0 is not derived')
    expect(signPayment(derived, keys, all, 'regtest').vsize).toBe(replacement.vsize)
  })
})

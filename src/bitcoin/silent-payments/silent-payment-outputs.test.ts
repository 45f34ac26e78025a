import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AddressType, scriptPubKeyOf } from '../address.ts'
import { fromHex, toHex } from '../bytes.ts'
import { publicKeyOf, tweakPrivateKey } from '../secp256k1.ts'
import { nestedScriptSig } from '../signing/input-signature.ts'
import { privateKeys } from '../testing/keys.ts'
import {
  type Receiver,
  type ScannedInput,
  scan,
  silentAddressOf,
} from '../testing/silent-payment-scanner.ts'
import { parseSilentPaymentAddress } from './silent-payment-address.ts'
import { deriveSilentPaymentOutputs, type KeyedInput } from './silent-payment-outputs.ts'

type Coin = { txid: string; vout: number; privateKey: Uint8Array; type: AddressType }

const coins: fc.Arbitrary<Coin> = fc.record({
  txid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
  vout: fc.oneof(fc.nat(3), fc.nat(0xffffffff)),
  privateKey: privateKeys,
  type: fc.constantFrom('p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'),
})
const wallets = fc.uniqueArray(coins, {
  minLength: 1,
  maxLength: 5,
  selector: ({ txid, vout }) => `${txid}:${vout}`,
})
const receivers: fc.Arbitrary<Receiver> = fc.record({ scanKey: privateKeys, spendKey: privateKeys })
/** Receivers, and which of them with which label (0 for none) is paid by each output. */
type Paid = { receivers: Receiver[]; paid: { receiver: number; label: number }[] }
const payments: fc.Arbitrary<Paid> = fc.record({
  receivers: fc.array(receivers, { minLength: 1, maxLength: 3 }),
  paid: fc.array(fc.record({ receiver: fc.nat(2), label: fc.nat(3) }), {
    minLength: 1,
    maxLength: 6,
  }),
})

describe('outputs of silent payments', () => {
  it('are found by their receivers and by nobody else, from coins of any type', {
    timeout: 120_000,
  }, () => {
    const run = (wallet: Coin[], { receivers, paid }: Paid) => {
      const targets = paid.map(({ receiver, label }) => ({
        receiver: receiver % receivers.length,
        label: label === 0 ? undefined : label,
      }))
      const scripts = derive(
        wallet,
        targets.map(({ receiver, label }) =>
          silentAddressOf(at(receivers, receiver), 'tsp', label),
        ),
      )
      const keys = scripts.map(script => script.slice(2))
      for (const [index, receiver] of receivers.entries()) {
        const found = scan(receiver, wallet.map(signed), keys, [1, 2, 3])?.found ?? []
        const own = keys.filter((_, output) => targets[output]?.receiver === index)
        expect(found.map(({ publicKey }) => toHex(publicKey)).toSorted()).toEqual(
          own.map(toHex).toSorted(),
        )
      }
    }
    fc.assert(fc.property(wallets, payments, run), { numRuns: 15 })
  })

  it('are others with any other input', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(wallets, receivers, fc.nat(4), coins, (wallet, receiver, place, other) => {
        fc.pre(wallet.every(({ txid }) => txid !== other.txid))
        const address = silentAddressOf(receiver, 'tsp')
        const [script] = derive(wallet, [address])
        const changed = wallet.with(place % wallet.length, other)
        for (const inputs of [[...wallet, other], changed])
          expect(derive(inputs, [address])[0]).not.toEqual(script)
      }),
      { numRuns: 15 },
    )
  })

  it('do not depend on the order of the inputs', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(wallets, receivers, (wallet, receiver) => {
        const address = silentAddressOf(receiver, 'tsp')
        expect(derive(wallet.toReversed(), [address])).toEqual(derive(wallet, [address]))
      }),
      { numRuns: 10 },
    )
  })

  it('to one receiver twice are two', () => {
    const [coin] = fc.sample(coins, 1)
    const [receiver] = fc.sample(receivers, 1)
    if (!coin || !receiver) throw new Error('no sample')
    const address = silentAddressOf(receiver, 'tsp')
    const [first, second] = derive([coin], [address, address])
    expect(first).not.toEqual(second)
  })
})

const KEY = fromHex('11'.repeat(32))
const ADDRESS = parseSilentPaymentAddress(
  silentAddressOf({ scanKey: fromHex('22'.repeat(32)), spendKey: fromHex('33'.repeat(32)) }, 'tsp'),
  'regtest',
)

describe('inputs that no silent payment can have', () => {
  it.each([0x52, 0x60])('of witness program opcode 0x%s are refused', opcode => {
    const later = {
      ...keyed({ txid: 'ab'.repeat(32), vout: 1, privateKey: KEY, type: 'p2wpkh' }),
      scriptPubKey: Uint8Array.of(opcode, 2, 1, 2),
      privateKey: null,
    }
    const coin = keyed({ txid: 'ab'.repeat(32), vout: 0, privateKey: KEY, type: 'p2wpkh' })
    expect(() => deriveSilentPaymentOutputs([coin, later], [ADDRESS])).toThrow(
      expect.objectContaining({ problem: 'witness-version' }),
    )
    expect(deriveSilentPaymentOutputs([coin], [ADDRESS]).scripts).toHaveLength(1)
  })

  it('none with a key are refused', () => {
    const coin = keyed({ txid: 'ab'.repeat(32), vout: 0, privateKey: KEY, type: 'p2wpkh' })
    expect(() => deriveSilentPaymentOutputs([{ ...coin, privateKey: null }], [ADDRESS])).toThrow(
      expect.objectContaining({ problem: 'no-input-key' }),
    )
  })
})

function derive(wallet: readonly Coin[], addresses: readonly string[]): Uint8Array[] {
  const parsed = addresses.map(address => parseSilentPaymentAddress(address, 'regtest'))
  return deriveSilentPaymentOutputs(wallet.map(keyed), parsed).scripts
}

function keyed({ txid, vout, privateKey, type }: Coin): KeyedInput {
  return {
    txid,
    vout,
    scriptPubKey: scriptPubKeyOf(publicKeyOf(privateKey), type),
    privateKey: type === 'p2tr' ? tweakPrivateKey(privateKey) : privateKey,
  }
}

/** As the receiver sees it once it is signed; the signature does not matter. */
function signed({ txid, vout, privateKey, type }: Coin): ScannedInput {
  const publicKey = publicKeyOf(privateKey)
  const scriptPubKey = scriptPubKeyOf(publicKey, type)
  const signature = new Uint8Array(71).fill(1)
  const spend = { txid, vout, scriptPubKey, scriptSig: new Uint8Array() }
  if (type === 'p2tr') return { ...spend, witness: [signature.slice(0, 64)] }
  if (type === 'p2pkh')
    return { ...spend, scriptSig: Uint8Array.of(71, ...signature, 33, ...publicKey), witness: [] }
  const scriptSig = type === 'p2wpkh' ? new Uint8Array() : nestedScriptSig(publicKey)
  return { ...spend, scriptSig, witness: [signature, publicKey] }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new Error(`no item ${index}`)
  return item
}

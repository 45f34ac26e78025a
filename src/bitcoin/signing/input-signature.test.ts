import { Script, Transaction as ScureTransaction } from '@scure/btc-signer'
import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { describe, expect, it } from 'vitest'
import { publicKeyOf, taprootOutputKey } from '../secp256k1.ts'
import { lockOf } from '../testing/psbt-building.ts'
import { PERMISSIVE, type Signed, verifyIndependently } from '../testing/signature-oracle.ts'
import { ADDRESS_TYPES, spendOf } from '../testing/spending.ts'
import { type SpendMethod, signInputs, signSpends } from './input-signature.ts'
import { leafHash } from './taproot-leaf.ts'

const KEY = new Uint8Array(32).fill(7)
const PUBLIC_KEY = publicKeyOf(KEY)
const X_ONLY = PUBLIC_KEY.slice(1)

const transaction = new Transaction()
transaction.addInput(new Uint8Array(32).fill(9), 0)
transaction.addOutput(Uint8Array.of(0x51), 1_000n)
const prevouts = [{ scriptPubKey: lockOf('leaf', KEY).script, amount: 5_000n }]

/** `<key> OP_CHECKSIG` of a leaf, and of a script. */
const leaf = Uint8Array.of(32, ...X_ONLY, 0xac)
const script = Uint8Array.of(33, ...PUBLIC_KEY, 0xac)

const METHODS: [string, SpendMethod, Signed][] = [
  ['the untweaked key', { kind: 'raw-taproot' }, { scheme: 'taproot', publicKey: X_ONLY }],
  [
    'a leaf',
    { kind: 'leaf', leafHash: leafHash(leaf), script: leaf, controlBlock: new Uint8Array(33) },
    { scheme: 'taproot', publicKey: X_ONLY, leaf },
  ],
  [
    'a P2SH script',
    { kind: 'script', segwit: false, script },
    { scheme: 'legacy', publicKey: PUBLIC_KEY, script },
  ],
  [
    'a P2WSH script',
    { kind: 'script', segwit: true, script },
    { scheme: 'v0', publicKey: PUBLIC_KEY, script },
  ],
]

describe.each(ADDRESS_TYPES)('an account with %s addresses', addressType => {
  it.each(METHODS)('signs for %s with its own key, by the rules of that', (_, how, signed) => {
    for (const sighash of [1, 0x83] as const) {
      const spends = [{ index: 0, sighash, how }]
      const params = { transaction, prevouts, spends, addressType, privateKey: KEY }
      const [signature = new Uint8Array()] = signSpends(params)
      const other = ScureTransaction.fromRaw(transaction.toBuffer(), PERMISSIVE)
      const isRight = verifyIndependently(other, prevouts, 0, signed, sighash, signature)
      expect(isRight).toBe(true)
    }
  })
})

describe('signInputs', () => {
  it.each(ADDRESS_TYPES)('unlocks an input of a %s address as that type demands', addressType => {
    const spend = spendOf(addressType, PUBLIC_KEY)
    const spent = [{ scriptPubKey: spend.script, amount: 5_000n }]
    const signed = Transaction.fromBuffer(transaction.toBuffer())
    signInputs({ transaction: signed, prevouts: spent, addressType, privateKey: KEY })
    const { script: scriptSig, witness } = signed.ins[0] ?? {}
    const pushed = scriptSig?.length ? Script.decode(scriptSig) : []
    const items = addressType === 'p2pkh' ? pushed : witness
    const [signature] = items ?? []
    if (!(signature instanceof Uint8Array)) expect.fail('no signature')
    const isTaproot = addressType === 'p2tr'
    const redeemScripts = 'redeemScript' in spend ? [spend.redeemScript] : []
    expect(items?.slice(1)).toEqual(isTaproot ? [] : [PUBLIC_KEY])
    expect(addressType === 'p2pkh' ? witness : pushed).toEqual(redeemScripts)
    const script = spendOf('p2pkh', PUBLIC_KEY).script
    const how: Signed = isTaproot
      ? { scheme: 'taproot', publicKey: taprootOutputKey(PUBLIC_KEY) }
      : { scheme: addressType === 'p2pkh' ? 'legacy' : 'v0', publicKey: PUBLIC_KEY, script }
    const other = ScureTransaction.fromRaw(transaction.toBuffer(), PERMISSIVE)
    const sighash = isTaproot ? 0 : 1
    expect(verifyIndependently(other, spent, 0, how, sighash, signature)).toBe(true)
  })
})

describe('the key of a taproot address', () => {
  it('is the tweaked one (BIP-341), whose signature of all has no sighash byte', () => {
    const how = { kind: 'key' } as const
    const spends = [{ index: 0, sighash: 0 as const, how }]
    const params = { transaction, prevouts, spends, addressType: 'p2tr' as const, privateKey: KEY }
    const [signature = new Uint8Array()] = signSpends(params)
    const other = ScureTransaction.fromRaw(transaction.toBuffer(), PERMISSIVE)
    const signed = { scheme: 'taproot', publicKey: taprootOutputKey(PUBLIC_KEY) } as const
    expect(verifyIndependently(other, prevouts, 0, signed, 0, signature)).toBe(true)
    const untweaked = { scheme: 'taproot', publicKey: X_ONLY } as const
    expect(verifyIndependently(other, prevouts, 0, untweaked, 0, signature)).toBe(false)
  })
})

describe('an input whose previous output is not known', () => {
  it('is not signed before taproot: the amount would be a guess', () => {
    const how = { kind: 'script', segwit: true, script } as const
    const params = { transaction, addressType: 'p2wpkh' as const, privateKey: KEY }
    const spends = [{ index: 0, sighash: 1 as const, how }]
    expect(() => signSpends({ ...params, prevouts: [null], spends })).toThrow(
      'input 0: no previous output given',
    )
  })
})

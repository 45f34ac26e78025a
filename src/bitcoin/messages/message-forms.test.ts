import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Address, NETWORK, OutScript, p2wpkh, RawTx } from '@scure/btc-signer'
import { describe, expect, it, vi } from 'vitest'
import { type AddressType, encodeAddress } from '../address.ts'
import { concatBytes, fromHex, toBase64 } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { signToSign } from '../testing/to-sign.ts'
import { type MessageType, signMessage, verifyMessage } from './message.ts'
import { simpleStateOf, stateOf } from './testing/message-states.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const KEY = new Uint8Array(32).fill(8)
const MESSAGE = 'Sign in'
const network = 'mainnet'
const addressOf = (type: AddressType) => encodeAddress(publicKeyOf(KEY), type, network)
const verifyAt = (address: string, signature: string) =>
  stateOf({ message: MESSAGE, signature, address, network })

type Change = Parameters<typeof signToSign>[3]
type Raw = ReturnType<typeof RawTx.decode>

/** What the other library signed, with parts of it replaced that its signature does not cover. */
function verifyAltered(
  type: AddressType,
  alter: (raw: Raw) => Partial<Raw>,
  { change = {}, address = addressOf(type) }: { change?: Change; address?: string } = {},
) {
  const raw = RawTx.decode(signToSign(MESSAGE, KEY, type, change).toBytes(true, true))
  const altered = { ...raw, ...alter(raw) }
  return verifyAt(address, `ful${toBase64(RawTx.encode(altered))}`)
}

/** Another scriptSig in the first input. */
const scriptSig = (bytes: Uint8Array) => (raw: Raw) => ({
  inputs: raw.inputs.map(input => ({ ...input, finalScriptSig: bytes })),
})

/** Another witness of the first input. */
const witness = (items: Uint8Array[]) => () =>
  items.length > 0
    ? { segwitFlag: true, witnesses: [items] }
    : { segwitFlag: false, witnesses: undefined }

describe('a full signature, in parts that what is signed does not cover', () => {
  it.each(['p2tr', 'p2wpkh'] as const)('of %s has no scriptSig', type => {
    expect(verifyAltered(type, () => ({}))).toBe('valid')
    expect(verifyAltered(type, scriptSig(fromHex('51')))).toBe('invalid')
  })

  it('of P2PKH has no witness', () => {
    expect(verifyAltered('p2pkh', () => ({}))).toBe('valid')
    expect(verifyAltered('p2pkh', witness([fromHex('51')]))).toBe('invalid')
  })

  it('of P2TR has one that is there', () => {
    expect(verifyAltered('p2tr', witness([]))).toBe('invalid')
    expect(verifyAltered('p2tr', witness([new Uint8Array()]))).toBe('invalid')
  })

  it('of P2SH is invalid with another script than that of the address', () => {
    const nested = concatBytes(fromHex('160014'), ripemd160(sha256(publicKeyOf(KEY))))
    expect(verifyAltered('p2sh-p2wpkh', scriptSig(nested))).toBe('valid')
    for (const [at, byte] of [
      [0, 23],
      [1, 0x51],
      [2, 19],
    ] as const)
      expect(verifyAltered('p2sh-p2wpkh', scriptSig(nested.with(at, byte)))).toBe('invalid')
    expect(verifyAltered('p2sh-p2wpkh', scriptSig(fromHex('51')))).toBe('invalid')
    expect(verifyAltered('p2sh-p2wpkh', scriptSig(new Uint8Array()))).toBe('invalid')
    expect(verifyAltered('p2sh-p2wpkh', scriptSig(nested.with(22, 0)))).toBe('invalid')
    expect(verifyAltered('p2sh-p2wpkh', witness([]))).toBe('invalid')
  })

  it('of P2WSH is valid with its script where that is satisfied, and invalid without, or with a scriptSig', () => {
    const script = fromHex('51')
    const address = scriptAddress(script)
    const change = { spent: address.script }
    const verify = (alter: (raw: Raw) => Partial<Raw>) =>
      verifyAltered('p2wpkh', alter, { change, address: address.text })
    expect(verify(witness([script]))).toBe('valid')
    expect(verify(witness([fromHex('52')]))).toBe('invalid')
    expect(verify(witness([]))).toBe('invalid')
    expect(verify(raw => ({ ...witness([script])(), ...scriptSig(script)(raw) }))).toBe('invalid')
  })
})

describe('a full signature that is right for another transaction', () => {
  const output = { script: fromHex('6a'), amount: 0n }

  it.each<[string, Change, string]>([
    ['spends another output', { vout: 1 }, 'invalid'],
    ['has two outputs', { outputs: [output, output] }, 'invalid'],
    ['pays something', { outputs: [{ ...output, amount: 1n }], withFunds: true }, 'invalid'],
    ['proves funds too, which a PSBT alone can', { withFunds: true }, 'invalid'],
    ['spends another output and proves funds', { vout: 1, withFunds: true }, 'invalid'],
    ['is of a version to come', { version: 3 }, 'inconclusive'],
  ])('is not valid when it %s', (_, change, verdict) => {
    expect(verifyAltered('p2tr', () => ({}), { change })).toBe(verdict)
  })

  it('is invalid without outputs', () => {
    expect(verifyAltered('p2tr', () => ({ outputs: [] }))).toBe('invalid')
  })

  it('is invalid, not merely inconclusive, when a time lock was put on it afterwards', () => {
    expect(verifyAltered('p2wpkh', () => ({ lockTime: 500 }))).toBe('invalid')
  })
})

describe('a sighash of a P2TR signature', () => {
  it.each([
    [1, 'valid'],
    [2, 'invalid'],
    [3, 'invalid'],
    [0x81, 'invalid'],
    [0x83, 'invalid'],
  ])('%i, signed as such, is %s', (sighash, verdict) => {
    expect(verifyAltered('p2tr', () => ({}), { change: { sighash } })).toBe(verdict)
  })
})

describe('an uncompressed key', () => {
  const uncompressed = secp256k1.getPublicKey(KEY, false)
  const keyHash = ripemd160(sha256(uncompressed))

  it('makes no P2WPKH signature, though its hash is that of the address', () => {
    const script = OutScript.encode({ type: 'wpkh', hash: keyHash })
    const address = Address(NETWORK).encode({ type: 'wpkh', hash: keyHash })
    const change = { spent: script }
    // BIP-143: what is hashed is the script of P2PKH.
    const code = OutScript.encode({ type: 'pkh', hash: keyHash })
    const hash = signToSign(MESSAGE, KEY, 'p2wpkh', change).preimageWitnessV0(0, code, 1, 0n)
    const der = secp256k1.sign(hash, KEY, { prehash: false, format: 'der' })
    const signed = witness([concatBytes(der, Uint8Array.of(1)), uncompressed])
    expect(verifyAltered('p2wpkh', signed, { change, address })).toBe('invalid')
  })
})

describe('65 bytes without a prefix', () => {
  const filled = (items: number, script: Uint8Array, rest: number) => {
    const stack = Array.from({ length: items - 1 }, (_, at) => new Uint8Array(at === 0 ? rest : 0))
    return concatBytes(
      Uint8Array.of(items),
      ...[...stack, script].flatMap(item => [Uint8Array.of(item.length), item]),
    )
  }

  it('are a witness stack of at most 26 items, or a header of BIP-137 from 27 on', () => {
    const formOf = (items: number, rest: number) => {
      // Drops what is below: 2DROP 2DROP … 1, as many as there are items.
      const drops = items - 1
      const script = fromHex(`${'6d'.repeat(drops >> 1)}${drops % 2 === 1 ? '75' : ''}51`)
      const bytes = filled(items, script, rest - script.length + 1)
      expect(bytes).toHaveLength(65)
      const { text } = scriptAddress(script)
      const signature = toBase64(bytes)
      const { state, format } = verifyMessage({
        message: MESSAGE,
        signature,
        address: text,
        network,
      })
      return [state, format]
    }
    expect(formOf(2, 61)).toEqual(['valid', 'simple'])
    expect(formOf(26, 37)).toEqual(['valid', 'simple'])
    expect(formOf(27, 36)).toEqual(['invalid', 'legacy'])
    expect(formOf(28, 35)).toEqual(['invalid', 'legacy'])
  })
})

describe('an ecdsa message signature of a rare key', () => {
  // The x of R is above the order of the curve, which no signer comes by, but BIP-137 has headers for.
  const order = secp256k1.Point.Fn.ORDER
  const r = firstAboveOrder()
  const s = new Uint8Array(32).fill(1)
  const signature = concatBytes(fromHex(r.toString(16).padStart(64, '0')), s)
  const signed = (recovery: number) =>
    secp256k1.Signature.fromBytes(signature)
      .addRecoveryBit(recovery)
      .recoverPublicKey(hashOf(MESSAGE))
      .toBytes(true)

  it.each([2, 3])('with recovery id %i is valid for the key that signed', recovery => {
    const text = toBase64(concatBytes(Uint8Array.of(31 + recovery), signature))
    expect(verifyAt(p2wpkh(signed(recovery)).address ?? '', text)).toBe('valid')
    expect(verifyAt(p2wpkh(signed(5 - recovery)).address ?? '', text)).toBe('invalid')
  })

  function firstAboveOrder(): bigint {
    for (let at = 1n; ; at++) {
      try {
        secp256k1.Point.fromHex(`02${(order + at).toString(16).padStart(64, '0')}`)
        return at
      } catch {}
    }
  }

  /** "Bitcoin Signed Message", each text with its length. */
  function hashOf(message: string): Uint8Array {
    const bytes = Buffer.from(message)
    const text = Buffer.from('\x18Bitcoin Signed Message:\n')
    return sha256(sha256(concatBytes(text, Uint8Array.of(bytes.length), bytes)))
  }
})

describe('verifySimpleMessage, for sites that have no other form', () => {
  const sign = (type: MessageType, addressType: AddressType) =>
    signMessage({ message: MESSAGE, type, privateKey: KEY, addressType, network })
  const verify = (addressType: AddressType, signature: string) =>
    simpleStateOf({
      message: MESSAGE,
      signature,
      address: addressOf(addressType),
      network,
    })

  it.each(['p2tr', 'p2wpkh', 'p2sh-p2wpkh'] as const)('takes the simple form of %s alone', type => {
    const simple = sign('bip322-simple', type)
    expect(verify(type, simple)).toBe('valid')
    expect(verify(type, `smp${simple}`)).toBe('invalid')
    expect(verify(type, sign('bip322', type))).toBe('invalid')
    expect(verify(type, sign('ecdsa', type))).toBe('invalid')
    expect(verify(type, 'no base64')).toBe('invalid')
  })

  it('is as strict with addresses', () => {
    const signature = sign('bip322-simple', 'p2wpkh')
    const proof = { message: MESSAGE, signature, network } as const
    expect(simpleStateOf({ ...proof, address: 'bc1qnonsense' })).toBe('invalid')
    expect(simpleStateOf({ ...proof, address: 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs' })).toBe(
      'inconclusive',
    )
  })
})

describe('a signature with a prefix', () => {
  it('is a witness where it says so, though BIP-322 has no simple form for the address', () => {
    const nested = signMessage({
      ...{ message: MESSAGE, type: 'bip322-simple', privateKey: KEY, network },
      addressType: 'p2sh-p2wpkh',
    })
    expect(verifyAt(addressOf('p2sh-p2wpkh'), nested)).toBe('valid')
    expect(verifyAt(addressOf('p2sh-p2wpkh'), `smp${nested}`)).toBe('invalid')
    const { text } = scriptAddress(fromHex('51'))
    expect(verifyAt(text, `smp${toBase64(fromHex('010151'))}`)).toBe('valid')
  })

  it('of funds is invalid where it is no base64 or no PSBT', () => {
    expect(verifyAt(addressOf('p2wpkh'), `pof${toBase64(fromHex('00'))}`)).toBe('invalid')
    expect(verifyAt(addressOf('p2wpkh'), 'pofAAAA')).toBe('invalid')
    expect(verifyAt(addressOf('p2wpkh'), 'pof?')).toBe('invalid')
  })
})

/** The P2WSH address of a script, by an independent library. */
function scriptAddress(script: Uint8Array): { text: string; script: Uint8Array } {
  const output = { type: 'wsh', hash: sha256(script) } as const
  return { text: Address(NETWORK).encode(output), script: OutScript.encode(output) }
}

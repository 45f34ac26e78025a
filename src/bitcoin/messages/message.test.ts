import { WIF } from '@scure/btc-signer'
import { Signer, Verifier } from 'bip322-js'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type AddressType, encodeAddress, parseAddress } from '../address.ts'
import { toHex, toUtf8 } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { privateKeys } from '../testing/keys.ts'
import vectors from '../testing/vectors/bip322-basic.json' with { type: 'json' }
import generated from '../testing/vectors/bip322-generated.json' with { type: 'json' }
import { type MessageType, MessageTypeError, signMessage, verifyMessage } from './message.ts'
import { buildToSign, buildToSpend, hashMessage } from './message-bip322.ts'
import { stateOf } from './testing/message-states.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const network = 'mainnet'
const messages = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'Hello World', '测试 😄'),
)

describe('BIP-322 vectors', () => {
  it('message hashes and virtual transactions are as given', () => {
    expect(vectors.tx_hashes).toHaveLength(3)
    for (const vector of vectors.tx_hashes) {
      const message = toUtf8(vector.message)
      const toSpend = buildToSpend(message, parseAddress(vector.address, network).scriptPubKey)
      expect(toHex(hashMessage(message))).toBe(vector.message_hash)
      expect(toSpend.getId()).toBe(vector.to_spend_tx_hash)
      expect(buildToSign(toSpend).getId()).toBe(vector.to_sign_tx_hash)
    }
  })

  it('simple signatures are valid, of one key and of several', () => {
    expect(vectors.simple).toHaveLength(4)
    for (const { message, address, bip322_signatures } of vectors.simple)
      for (const signature of bip322_signatures)
        expect(stateOf({ message, signature, address, network }), signature).toBe('valid')
  })

  it('signing with a P2WPKH key gives one of the signatures listed', () => {
    const single = vectors.simple.filter(({ type }) => type === 'p2wpkh')
    expect(single).toHaveLength(2)
    for (const { message, private_keys, address, bip322_signatures } of single) {
      const privateKey = WIF().decode(private_keys[0] ?? '')
      const addressType = 'p2wpkh'
      expect(encodeAddress(publicKeyOf(privateKey), addressType, network)).toBe(address)
      const signature = signMessage({ message, type: 'bip322', privateKey, addressType, network })
      expect(bip322_signatures).toContain(signature)
    }
  })

  it('faulty signatures are invalid, not just inconclusive', () => {
    expect(vectors.error).toHaveLength(8)
    for (const { description, message, address, signature } of vectors.error)
      expect(stateOf({ message, signature, address, network }), description).toBe('invalid')
  })
})

describe('the generated vectors of BIP-322', () => {
  it('simple signatures are valid', () => {
    expect(generated.simple).toHaveLength(4)
    for (const { message, address, bip322_signatures, type } of generated.simple)
      for (const signature of bip322_signatures)
        expect(verifyMessage({ message, signature, address, network }), type).toMatchObject({
          state: 'valid',
          format: 'simple',
          lock: { time: 0, age: 0 },
        })
  })

  it('full signatures are valid at the time and age that they are given with', () => {
    expect(generated.full).toHaveLength(10)
    for (const { message, address, bip322_signatures, type, ...locks } of generated.full)
      for (const signature of bip322_signatures)
        expect(verifyMessage({ message, signature, address, network }), type).toEqual({
          state: 'valid',
          format: 'full',
          lock: {
            time: Number(locks.lock_time),
            age: Number(locks.sequence),
            version: Number(locks.tx_version),
          },
          coins: [],
        })
  })

  it('proofs of funds are valid, with the coins that they are given with', () => {
    expect(generated.proof_of_funds).toHaveLength(3)
    for (const vector of generated.proof_of_funds) {
      const { message, address, bip322_signatures, additional_inputs, type } = vector
      for (const signature of bip322_signatures) {
        const verdict = verifyMessage({ message, signature, address, network })
        expect(verdict, type).toMatchObject({
          state: 'valid',
          format: 'proof-of-funds',
          lock: { time: Number(vector.lock_time), age: Number(vector.sequence) },
        })
        const coins = verdict.state === 'valid' ? verdict.coins : []
        expect(
          coins.map(({ amount, scriptPubKey }) => [Number(amount), toHex(scriptPubKey)]),
        ).toEqual(additional_inputs.flat().map(({ value, pk_script }) => [value, pk_script]))
      }
    }
  })

  it('faulty signatures are invalid', () => {
    expect(generated.error).toHaveLength(28)
    for (const { description, message, address, signature } of generated.error)
      expect(stateOf({ message, signature, address, network }), description).toBe('invalid')
  })
})

describe('signMessage and verifyMessage', () => {
  const kinds: [MessageType, AddressType][] = [
    ['ecdsa', 'p2tr'],
    ['ecdsa', 'p2wpkh'],
    ['ecdsa', 'p2sh-p2wpkh'],
    ['ecdsa', 'p2pkh'],
    ['bip322-simple', 'p2tr'],
    ['bip322-simple', 'p2wpkh'],
    ['bip322-simple', 'p2sh-p2wpkh'],
    ['bip322', 'p2tr'],
    ['bip322', 'p2wpkh'],
    ['bip322', 'p2sh-p2wpkh'],
    ['bip322', 'p2pkh'],
  ]
  it.each(kinds)('%s with %s: valid for its message and address alone', (type, addressType) => {
    fc.assert(
      fc.property(
        messages,
        messages,
        privateKeys,
        privateKeys,
        (message, other, privateKey, otherKey) => {
          const addressOf = (key: Uint8Array) =>
            encodeAddress(publicKeyOf(key), addressType, 'regtest')
          const params = { message, type, privateKey, addressType, network: 'regtest' } as const
          const signature = signMessage(params)
          expect(signMessage(params)).toBe(signature)
          const verify = (changed: { message?: string; address?: string }) =>
            stateOf({
              message,
              signature,
              address: addressOf(privateKey),
              network: 'regtest',
              ...changed,
            })
          expect(verify({})).toBe('valid')
          fc.pre(message !== other && toHex(privateKey) !== toHex(otherKey))
          expect(verify({ message: other })).toBe('invalid')
          expect(verify({ address: addressOf(otherKey) })).toBe('invalid')
        },
      ),
      { numRuns: 15 },
    )
  })

  it('has the shape that each type promises', () => {
    const privateKey = new Uint8Array(32).fill(7)
    const sign = (type: MessageType, addressType: AddressType) =>
      signMessage({ message: 'hello', type, privateKey, addressType, network })
    for (const addressType of ['p2tr', 'p2wpkh', 'p2sh-p2wpkh', 'p2pkh'] as const) {
      const signature = Buffer.from(sign('ecdsa', addressType), 'base64')
      expect(signature).toHaveLength(65)
      expect(signature[0]).toBeGreaterThanOrEqual(31)
      expect(signature[0]).toBeLessThanOrEqual(34)
    }
    expect(sign('bip322', 'p2tr')).toBe(`smp${sign('bip322-simple', 'p2tr')}`)
    expect(sign('bip322', 'p2wpkh')).toBe(`smp${sign('bip322-simple', 'p2wpkh')}`)
    expect(sign('bip322', 'p2sh-p2wpkh')).toMatch(/^ful/)
    expect(sign('bip322', 'p2pkh')).toMatch(/^ful/)
    expect(() => sign('bip322-simple', 'p2pkh')).toThrow(MessageTypeError)
  })

  it('puts the given randomness into a taproot signature', () => {
    const privateKey = new Uint8Array(32).fill(7)
    const params = {
      message: 'hello',
      type: 'bip322-simple',
      privateKey,
      addressType: 'p2tr',
      network,
    } as const
    const address = encodeAddress(publicKeyOf(privateKey), 'p2tr', network)
    const signature = signMessage({ ...params, auxRand: new Uint8Array(32).fill(1) })
    expect(signature).not.toBe(signMessage(params))
    expect(stateOf({ message: 'hello', signature, address, network })).toBe('valid')
  })

  it('refuses to sign a lone surrogate, which has no UTF-8, and holds nothing valid for it', () => {
    const privateKey = new Uint8Array(32).fill(7)
    const address = encodeAddress(publicKeyOf(privateKey), 'p2wpkh', network)
    for (const type of ['ecdsa', 'bip322-simple', 'bip322'] as const) {
      const params = { type, privateKey, addressType: 'p2wpkh', network } as const
      expect(() => signMessage({ ...params, message: '\ud83d' })).toThrow('surrogate')
      const signature = signMessage({ ...params, message: '\ufffd' })
      expect(stateOf({ message: '\ud83d', signature, address, network })).toBe('invalid')
    }
  })
})

describe('bip322-js, an independent implementation of the format without prefixes', () => {
  const addressTypes = ['p2tr', 'p2wpkh', 'p2sh-p2wpkh'] as const

  it('verifies our bip322-simple signatures', () => {
    fc.assert(
      fc.property(
        messages,
        privateKeys,
        fc.constantFrom(...addressTypes),
        (message, privateKey, addressType) => {
          const address = encodeAddress(publicKeyOf(privateKey), addressType, network)
          const signature = signMessage({
            message,
            type: 'bip322-simple',
            privateKey,
            addressType,
            network,
          })
          expect(Verifier.verifySignature(address, message, signature)).toBe(true)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('makes signatures that we hold valid', () => {
    fc.assert(
      fc.property(
        messages,
        privateKeys,
        fc.constantFrom(...addressTypes),
        (message, privateKey, addressType) => {
          const address = encodeAddress(publicKeyOf(privateKey), addressType, network)
          const signature = Signer.sign(WIF().encode(privateKey), address, message)
          const text = String(signature)
          expect(stateOf({ message, signature: text, address, network })).toBe('valid')
        },
      ),
      { numRuns: 20 },
    )
  })

  it('makes the same ecdsa signatures for P2PKH, byte by byte, and verifies ours', () => {
    fc.assert(
      fc.property(messages, privateKeys, (message, privateKey) => {
        const address = encodeAddress(publicKeyOf(privateKey), 'p2pkh', network)
        const signature = signMessage({
          message,
          type: 'ecdsa',
          privateKey,
          addressType: 'p2pkh',
          network,
        })
        expect(Signer.sign(WIF().encode(privateKey), address, message)).toBe(signature)
        expect(Verifier.verifySignature(address, message, signature)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p2pkh, Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type AddressType, encodeAddress } from '../address.ts'
import { concatBytes, fromHex, toBase64, toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { privateKeys } from '../testing/keys.ts'
import { ADDRESS_TYPES } from '../testing/spending.ts'
import { signToSign } from '../testing/to-sign.ts'
import { type MessageType, signMessage, verifyMessage } from './message.ts'
import { stateOf } from './testing/message-states.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const KEY = new Uint8Array(32).fill(8)
const MESSAGE = 'Sign in'
const network = 'mainnet'

const addressOf = (type: AddressType) => encodeAddress(publicKeyOf(KEY), type, network)
const ADDRESSES: { [type in AddressType]: string } = {
  p2tr: addressOf('p2tr'),
  p2wpkh: addressOf('p2wpkh'),
  'p2sh-p2wpkh': addressOf('p2sh-p2wpkh'),
  p2pkh: addressOf('p2pkh'),
}

const KINDS: [MessageType, AddressType][] = [
  ['ecdsa', 'p2wpkh'],
  ['bip322-simple', 'p2tr'],
  ['bip322-simple', 'p2wpkh'],
  ['bip322-simple', 'p2sh-p2wpkh'],
  ['bip322', 'p2tr'],
  ['bip322', 'p2sh-p2wpkh'],
  ['bip322', 'p2pkh'],
]

function sign(type: MessageType, addressType: AddressType): { prefix: string; bytes: Uint8Array } {
  const text = signMessage({ message: MESSAGE, type, privateKey: KEY, addressType, network })
  const prefix = /^(smp|ful)?/.exec(text)?.[0] ?? ''
  return { prefix, bytes: Uint8Array.from(Buffer.from(text.slice(prefix.length), 'base64')) }
}

function verify(addressType: AddressType, signature: string, message = MESSAGE) {
  return stateOf({ message, signature, address: ADDRESSES[addressType], network })
}

describe.each(KINDS)('a signature %s of %s', (type, addressType) => {
  const { prefix, bytes } = sign(type, addressType)
  const validate = (altered: Uint8Array) => verify(addressType, prefix + toBase64(altered))

  it('is valid as it is', () => {
    expect(validate(bytes)).toBe('valid')
  })

  it('is not valid with the first or the last bit of any byte flipped', () => {
    for (const position of bytes.keys())
      for (const bit of [0x80, 0x01]) {
        const altered = bytes.map((byte, i) => (i === position ? byte ^ bit : byte))
        expect(validate(altered), `byte ${position}`).not.toBe('valid')
      }
  })

  it('is not valid when shortened or lengthened at either end', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(validate(bytes.slice(0, length))).not.toBe('valid')
      expect(validate(bytes.slice(bytes.length - length))).not.toBe('valid')
    }
    for (const junk of ['00', '01', 'ff', '0000', toHex(bytes)]) {
      expect(validate(concatBytes(bytes, fromHex(junk)))).not.toBe('valid')
      expect(validate(concatBytes(fromHex(junk), bytes))).not.toBe('valid')
    }
  })

  it('is not valid in another spelling of base64, or with another prefix', () => {
    const base64 = toBase64(bytes)
    const spellings = [
      ` ${base64}`,
      `${base64} `,
      `${base64}\n`,
      `${base64.slice(0, 8)}\n${base64.slice(8)}`,
      `${base64}=`,
      `${base64}====`,
      `\ufeff${base64}`,
      ...(base64.endsWith('=') ? [base64.replace(/=+$/, '')] : []),
      ...(/[+/]/.test(base64) ? [base64.replaceAll('+', '-').replaceAll('/', '_')] : []),
    ]
    for (const spelling of spellings) expect(verify(addressType, prefix + spelling)).toBe('invalid')
    const bareAndSimple = type !== 'ecdsa' && (addressType === 'p2tr' || addressType === 'p2wpkh')
    const foreign = ['smp', 'ful', 'pof', '', 'SMP', 'full'].filter(
      other => other !== prefix && !(bareAndSimple && (other === '' || other === 'smp')),
    )
    for (const other of foreign) expect(verify(addressType, other + base64)).not.toBe('valid')
  })

  it('is not valid for another kind of address of the same key', () => {
    // "Bitcoin Signed Message" names a key, not an address: all kinds of the key's addresses are its signers.
    if (type === 'ecdsa') return expect(verify('p2tr', toBase64(bytes))).toBe('valid')
    for (const other of ADDRESS_TYPES)
      if (other !== addressType) expect(verify(other, prefix + toBase64(bytes))).not.toBe('valid')
  })
})

describe('an ecdsa message signature', () => {
  const { bytes } = sign('ecdsa', 'p2wpkh')

  it.each([
    ['p2pkh', [0]],
    ['p2tr', [0]],
    ['p2sh-p2wpkh', [0, 4]],
    ['p2wpkh', [0, 8]],
  ] as const)(
    'of %s has the header of a compressed key, or the one of BIP-137 for its kind',
    (type, above) => {
      const valid = above.map(offset => (bytes[0] ?? 0) + offset)
      const found = Array.from({ length: 64 }, (_, header) => header).filter(
        header =>
          verify(type, toBase64(concatBytes(Uint8Array.of(header), bytes.slice(1)))) === 'valid',
      )
      expect(found).toEqual(valid)
    },
  )

  it('of an uncompressed key proves its P2PKH address, and no other', () => {
    const uncompressed = secp256k1.getPublicKey(KEY, false)
    const address = p2pkh(uncompressed).address ?? ''
    const header = Uint8Array.of((bytes[0] ?? 0) - 4)
    const signature = toBase64(concatBytes(header, bytes.slice(1)))
    const stateAt = (at: string) => stateOf({ message: MESSAGE, signature, address: at, network })
    expect(address.startsWith('1') && address !== ADDRESSES.p2pkh).toBe(true)
    expect(stateAt(address)).toBe('valid')
    for (const other of Object.values(ADDRESSES)) expect(stateAt(other)).toBe('invalid')
  })

  it('is not valid with the other, high S', () => {
    for (let header = 27; header < 43; header++) {
      const altered = concatBytes(
        Uint8Array.of(header),
        bytes.slice(1, 33),
        negate(bytes.slice(33)),
      )
      expect(verify('p2wpkh', toBase64(altered))).toBe('invalid')
    }
  })
})

describe('a BIP-322 signature of P2WPKH', () => {
  const { bytes } = sign('bip322-simple', 'p2wpkh')
  const der = bytes.slice(2, 72)
  const publicKey = publicKeyOf(KEY)
  const validate = (...witness: Uint8Array[]) => {
    const items = witness.flatMap(item => [Uint8Array.of(item.length), item])
    return verify('p2wpkh', toBase64(concatBytes(Uint8Array.of(witness.length), ...items)))
  }
  const all = Uint8Array.of(1)

  it('is made of a DER signature with SIGHASH_ALL and a compressed key', () => {
    expect(validate(concatBytes(der, all), publicKey)).toBe('valid')
  })

  it('allows no other sighash byte', () => {
    for (let hashType = 0; hashType < 256; hashType++)
      expect(validate(concatBytes(der, Uint8Array.of(hashType)), publicKey) === 'valid').toBe(
        hashType === 1,
      )
  })

  it('allows no high S, no padding, and no length but the shortest', () => {
    const [r, s] = [der.slice(4, 36), der.slice(38)]
    const encode = (
      first: Uint8Array,
      second: Uint8Array,
      outer = first.length + second.length + 4,
    ) =>
      concatBytes(
        Uint8Array.of(0x30, outer, 2, first.length),
        first,
        Uint8Array.of(2, second.length),
        second,
        all,
      )
    const zero = Uint8Array.of(0)
    expect(validate(encode(r, s), publicKey)).toBe('valid')
    const high = negate(s)
    const altered = [
      encode(r, concatBytes(zero, high)),
      encode(r, high),
      encode(concatBytes(zero, r), s),
      encode(r, concatBytes(zero, s)),
      encode(r, s, 67),
      encode(r, s, 69),
      concatBytes(fromHex('308144'), encode(r, s).slice(2)),
      concatBytes(encode(r, s), all),
      concatBytes(r, s),
      concatBytes(r, s, all),
    ]
    for (const signature of altered) expect(validate(signature, publicKey)).toBe('invalid')
  })

  it('allows no other form of the key, no other key, and no other number of items', () => {
    const signature = concatBytes(der, all)
    const otherKey = publicKeyOf(new Uint8Array(32).fill(9))
    const flipped = concatBytes(Uint8Array.of((publicKey[0] ?? 0) ^ 1), publicKey.slice(1))
    for (const key of [
      otherKey,
      flipped,
      publicKey.slice(1),
      concatBytes(publicKey, publicKey.slice(1)),
    ])
      expect(validate(signature, key)).toBe('invalid')
    const none = new Uint8Array()
    for (const witness of [
      [],
      [signature],
      [publicKey],
      [publicKey, signature],
      [none, signature, publicKey],
      [signature, publicKey, none],
    ])
      expect(validate(...witness)).toBe('invalid')
  })
})

describe('a BIP-322 signature of P2TR', () => {
  const { bytes } = sign('bip322-simple', 'p2tr')
  const signature = bytes.slice(2)
  const validate = (altered: Uint8Array) =>
    verify('p2tr', toBase64(concatBytes(Uint8Array.of(1, altered.length), altered)))

  it('has 64 bytes: a sighash byte makes it another one', () => {
    expect(validate(signature)).toBe('valid')
    for (let hashType = 0; hashType < 256; hashType++)
      expect(validate(concatBytes(signature, Uint8Array.of(hashType)))).toBe('invalid')
  })

  it('is invalid with a script path that does not lead to its key', () => {
    const witness = concatBytes(
      Uint8Array.of(3, 64),
      signature,
      fromHex('0151'),
      Uint8Array.of(33),
      new Uint8Array(33),
    )
    expect(verify('p2tr', toBase64(witness))).toBe('invalid')
  })
})

describe('full BIP-322 signatures beside an independent library', () => {
  const full = (raw: Uint8Array) => `ful${toBase64(raw)}`

  it('holds valid what the other library signs, for every kind of address', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        privateKeys,
        fc.constantFrom(...ADDRESS_TYPES),
        (message, key, addressType) => {
          const address = encodeAddress(publicKeyOf(key), addressType, network)
          const signature = full(signToSign(message, key, addressType).extract())
          expect(stateOf({ message, signature, address, network })).toBe('valid')
          expect(stateOf({ message: `${message} `, signature, address, network })).toBe('invalid')
        },
      ),
      { numRuns: 24 },
    )
  })

  it('signs the transaction that the other library signs', () => {
    for (const addressType of ['p2sh-p2wpkh', 'p2pkh'] as const) {
      const { bytes } = sign('bip322', addressType)
      const ours = ScureTransaction.fromRaw(bytes, {
        allowUnknownOutputs: true,
        allowUnknownVersion: true,
        disableScriptCheck: true,
      })
      const theirs = signToSign(MESSAGE, KEY, addressType)
      expect(ours.vsize).toBeGreaterThan(100)
      // A scriptSig is part of the txid; of P2SH-P2WPKH it holds no signature, so the txids agree.
      if (addressType === 'p2sh-p2wpkh') expect(ours.id).toBe(theirs.id)
      expect(ours.getInput(0).txid).toEqual(theirs.getInput(0).txid)
    }
  })

  it('says which locks it is valid with, and holds versions to come inconclusive and other outputs invalid', () => {
    const validate = (
      change: Parameters<typeof signToSign>[3],
      addressType: AddressType = 'p2wpkh',
    ) => verify(addressType, full(signToSign(MESSAGE, KEY, addressType, change).extract()))
    expect(validate({})).toBe('valid')
    expect(validate({ version: 2 })).toBe('valid')
    expect(validate({ version: 1 })).toBe('inconclusive')
    const lockOf = (change: Parameters<typeof signToSign>[3]) => {
      const signature = full(signToSign(MESSAGE, KEY, 'p2wpkh', change).extract())
      return verifyMessage({ message: MESSAGE, signature, address: ADDRESSES.p2wpkh, network })
    }
    expect(lockOf({})).toMatchObject({ state: 'valid', lock: { time: 0, age: 0, version: 0 } })
    expect(lockOf({ lockTime: 500 })).toMatchObject({ state: 'valid', lock: { time: 500, age: 0 } })
    expect(lockOf({ sequence: 10, version: 2 })).toMatchObject({
      state: 'valid',
      lock: { time: 0, age: 10, version: 2 },
    })
    expect(validate({ outputs: [{ script: fromHex('6a00'), amount: 0n }] })).toBe('invalid')
    expect(validate({ outputs: [{ script: fromHex('51'), amount: 0n }] })).toBe('invalid')
  })
})

describe('an address that cannot sign', () => {
  it.each([
    ['', 'invalid'],
    ['bc1qnonsense', 'invalid'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'invalid'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'inconclusive'],
  ])('%j makes every signature %s', (address, verdict) => {
    const signature = toBase64(sign('bip322-simple', 'p2wpkh').bytes)
    expect(stateOf({ message: MESSAGE, signature, address, network })).toBe(verdict)
  })
})

function negate(s: Uint8Array): Uint8Array {
  return fromHex((ORDER - BigInt(`0x${toHex(s)}`)).toString(16).padStart(64, '0'))
}

import { createHash } from 'node:crypto'
import { secp256k1 as curve } from '@noble/curves/secp256k1.js'
import { keccak256 as referenceHash, SigningKey } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { encodeHex } from '../codec/hex.ts'
import wycheproof from '../testing/vectors/wycheproof-ecdsa.json' with { type: 'json' }
import {
  addressOf,
  keccak256,
  loadCrypto,
  nativeSecp256k1,
  portableSecp256k1,
  type Secp256k1,
  secp256k1,
} from './crypto.ts'

const { count: RUNS } = campaign('signatures and their addresses')

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const privateKeys = bytes32.filter(key => curve.utils.isValidSecretKey(key))

describe('keccak256', () => {
  it('is that of Ethereum', () => {
    // From the yellow paper: the hash of no bytes, and of the RLP of no bytes.
    expect(encodeHex(keccak256(new Uint8Array()))).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    )
    expect(encodeHex(keccak256(Uint8Array.of(0x80)))).toBe(
      '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    )
  })

  it('agrees with ethers for bytes of every length, also views of others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(20), (bytes, skip) => {
        const view = bytes.subarray(Math.min(skip, bytes.length))
        expect(encodeHex(keccak256(view))).toBe(referenceHash(view))
        expect(encodeHex(keccak256(Buffer.from(view)))).toBe(referenceHash(view))
      }),
    )
  })
})

const NEEDS_NATIVE = {
  skip: nativeSecp256k1 === null,
  meta: { skipReason: 'the native secp256k1 does not load here' },
}

/** A machine without the native library has the portable one alone. */
const IMPLEMENTATIONS: [string, Secp256k1][] = [
  ['portable', portableSecp256k1],
  ...(nativeSecp256k1 === null ? [] : [['native', nativeSecp256k1] as [string, Secp256k1]]),
]

describe.each(IMPLEMENTATIONS)('%s secp256k1', (_, implementation) => {
  it('signs as ethers does and finds the key again', () => {
    fc.assert(
      fc.property(bytes32, privateKeys, (hash, privateKey) => {
        const key = new SigningKey(privateKey)
        const expected = key.sign(hash)
        const { signature, recovery } = implementation.sign(hash, privateKey)
        expect(encodeHex(signature)).toBe(expected.r + expected.s.slice(2))
        expect(recovery).toBe(expected.yParity)
        const found = implementation.recover(hash, signature, recovery)
        expect(encodeHex(found)).toBe(`0x${key.publicKey.slice(4)}`)
      }),
      { numRuns: RUNS },
    )
  })

  it('finds the key of a signature with the higher s, as the precompile must', () => {
    const hash = createHash('sha256').update('high').digest()
    const key = new SigningKey(`0x${'07'.repeat(32)}`)
    const { r, s, yParity } = key.sign(hash)
    const high = curve.Point.Fn.ORDER - BigInt(s)
    const signature = Buffer.from(r.slice(2) + high.toString(16).padStart(64, '0'), 'hex')
    const found = implementation.recover(hash, signature, 1 - yParity)
    expect(encodeHex(found)).toBe(`0x${key.publicKey.slice(4)}`)
  })

  it.each([
    ['r is zero', '00'.repeat(32), '01'.repeat(32)],
    ['s is zero', '01'.repeat(32), '00'.repeat(32)],
    ['r is the order', curve.Point.Fn.ORDER.toString(16), '01'.repeat(32)],
    ['s is the order', '01'.repeat(32), curve.Point.Fn.ORDER.toString(16)],
    ['r is no point', '05'.padStart(64, '0'), '01'.repeat(32)],
  ])('finds no key where %s', (_, r, s) => {
    const hash = new Uint8Array(32).fill(9)
    expect(() => implementation.recover(hash, Buffer.from(r + s, 'hex'), 0)).toThrow()
  })

  it('refuses keys that are none', () => {
    const hash = new Uint8Array(32).fill(9)
    expect(() => implementation.sign(hash, new Uint8Array(32))).toThrow()
    expect(() => implementation.sign(hash, new Uint8Array(32).fill(255))).toThrow()
    expect(() => implementation.sign(hash, new Uint8Array(31).fill(1))).toThrow()
  })
})

it("finds the keys of Wycheproof's valid signatures", () => {
  expect(wycheproof).toHaveLength(162)
  const strangers = wycheproof.filter(({ publicKey, msg, sig }) => {
    const hash = createHash('sha256').update(Buffer.from(msg, 'hex')).digest()
    const signature = curve.Signature.fromBytes(Buffer.from(sig, 'hex'), 'der').toBytes()
    const keys = [0, 1].map(recovery => attempt(() => secp256k1.recover(hash, signature, recovery)))
    return !keys.includes(`0x${publicKey.slice(2)}`)
  })
  // Its r was above the order: neither of Ethereum's two keys is its key.
  expect(strangers).toHaveLength(1)
})

it('both implementations find the same keys, or none', NEEDS_NATIVE, () => {
  fc.assert(
    fc.property(bytes32, bytes32, bytes32, fc.nat(1), (hash, r, s, recovery) => {
      const signature = Buffer.concat([r, s])
      expect(attempt(() => nativeSecp256k1?.recover(hash, signature, recovery))).toEqual(
        attempt(() => portableSecp256k1.recover(hash, signature, recovery)),
      )
    }),
    { numRuns: RUNS },
  )
})

it('both implementations make the same signatures', NEEDS_NATIVE, () => {
  fc.assert(
    fc.property(bytes32, privateKeys, (hash, privateKey) => {
      expect(nativeSecp256k1?.sign(hash, privateKey)).toEqual(
        portableSecp256k1.sign(hash, privateKey),
      )
    }),
    { numRuns: RUNS },
  )
})

describe('the cryptography for EthereumJS', () => {
  const hash = new Uint8Array(32).fill(3)
  const key = new SigningKey(`0x${'0b'.repeat(32)}`)
  const { r, s, yParity } = key.sign(hash)
  const expected = `0x${key.publicKey.slice(4)}`

  it.each([
    ['27 or 28', 27n + BigInt(yParity), undefined],
    ['EIP-155', 66n * 2n + 35n + BigInt(yParity), 66n],
    ['0 or 1', BigInt(yParity), undefined],
  ])('takes v as %s', async (_, v, chainId) => {
    const { ecrecover } = await loadCrypto({ blobs: false })
    const found = ecrecover?.(hash, v, toMinimal(r), toMinimal(s), chainId)
    expect(found && encodeHex(found)).toBe(expected)
  })

  it('refuses other values for v', async () => {
    const { ecrecover } = await loadCrypto({ blobs: false })
    expect(() => ecrecover?.(hash, 29n, toMinimal(r), toMinimal(s))).toThrow()
  })

  it('signs with the parity before the signature', async () => {
    const { ecsign } = await loadCrypto({ blobs: false })
    const signed = ecsign?.(hash, Buffer.from('0b'.repeat(32), 'hex'))
    expect(signed && encodeHex(signed)).toBe(`0x0${yParity}${r.slice(2)}${s.slice(2)}`)
  })

  it('loads the trusted setup only for chains with blobs', async () => {
    expect((await loadCrypto({ blobs: false })).kzg).toBe(undefined)
    expect((await loadCrypto({ blobs: true })).kzg).toBeDefined()
  })

  it('names accounts by the hash of their key', () => {
    // The first account of every development chain.
    const { publicKey } = new SigningKey(
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    )
    expect(encodeHex(addressOf(Buffer.from(publicKey.slice(4), 'hex')))).toBe(
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    )
  })
})

function attempt(recover: () => Uint8Array | undefined): string {
  try {
    return encodeHex(recover() ?? new Uint8Array())
  } catch {
    return 'none'
  }
}

/** Without zeros at the left, as EthereumJS hands them over. */
function toMinimal(hex: string): Uint8Array {
  const digits = BigInt(hex).toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

import { hashMessage as ethersHashMessage, getBytes, verifyMessage, Wallet } from 'ethers'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { encodeHex } from '../codec/hex.ts'
import { hashMessage, recoverSigner, signMessage } from './signed-message.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const privateKey = fc
  .bigInt({ min: 1n, max: ORDER - 1n })
  .map(scalar => `0x${scalar.toString(16).padStart(64, '0')}` as const)
const message = fc.uint8Array({ maxLength: 300 })

describe('hashMessage', () => {
  it('is the hash of ethers', () => {
    fc.assert(
      fc.property(message, bytes => {
        expect(encodeHex(hashMessage(bytes))).toBe(ethersHashMessage(bytes))
      }),
    )
  })
})

describe('signMessage', () => {
  it('makes the signatures of ethers and viem, byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, message, async (key, bytes) => {
        const signature = encodeHex(signMessage(bytes, getBytes(key)))
        expect(signature).toBe(new Wallet(key).signMessageSync(bytes))
        expect(signature).toBe(
          await privateKeyToAccount(key).signMessage({ message: { raw: bytes } }),
        )
      }),
      { numRuns: 30 },
    )
  })
})

describe('recoverSigner', () => {
  it('finds whom ethers finds', () => {
    fc.assert(
      fc.property(privateKey, message, (key, bytes) => {
        const signature = new Wallet(key).signMessageSync(bytes)
        expect(recoverSigner(bytes, getBytes(signature))).toBe(
          verifyMessage(bytes, signature).toLowerCase(),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('takes the higher of the two values of s', () => {
    const wallet = new Wallet(`0x${'46'.repeat(32)}`)
    const signature = getBytes(wallet.signMessageSync('higher'))
    const s = BigInt(encodeHex(signature.subarray(32, 64)))
    const higher = Buffer.concat([
      signature.subarray(0, 32),
      Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex'),
      Uint8Array.of(signature[64] === 27 ? 28 : 27),
    ])
    expect(recoverSigner(Buffer.from('higher'), higher)).toBe(wallet.address.toLowerCase())
  })

  it.each([
    ['r is zero', '00'.repeat(32) + '01'.repeat(32)],
    ['s is zero', '01'.repeat(32) + '00'.repeat(32)],
    ['r is not below the order', 'ff'.repeat(32) + '01'.repeat(32)],
    ['r is on no point', `${'00'.repeat(31)}05${'01'.repeat(32)}`],
  ])('finds nobody where %s', (_, digits) => {
    const signature = Buffer.from(`${digits}1b`, 'hex')
    expect(recoverSigner(Buffer.from('nobody'), signature)).toBeNull()
  })

  it('throws for no 65 bytes whatever', () => {
    const anything = fc.uint8Array({ minLength: 65, maxLength: 65 })
    fc.assert(
      fc.property(anything, fc.constantFrom(27, 28), (bytes, v) => {
        bytes[64] = v
        const signer = recoverSigner(new Uint8Array(), bytes)
        if (signer !== null) expect(signer).toMatch(/^0x[0-9a-f]{40}$/)
      }),
    )
  })
})

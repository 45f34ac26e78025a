import { id, TypedDataEncoder, Wallet } from 'ethers'
import fc from 'fast-check'
import { hashTypedData as hashWithViem } from 'viem'
import { describe, expect, it } from 'vitest'
import { encodeHex, type Hex } from '../codec/hex.ts'
import { hashTypedData, readTypedData, signTypedHash } from './typed-data.ts'

/** The example of https://eips.ethereum.org/EIPS/eip-712, with its hash and signature (CC0-1.0). */
const MAIL = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}
const MAIL_HASH = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'
const MAIL_SIGNATURE =
  '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c'

const hash = (value: unknown) => encodeHex(hashTypedData(readTypedData(value)))

describe('typed data', () => {
  it('have the hash and signature that EIP-712 publishes, as an object and as text', () => {
    expect(hash(MAIL)).toBe(MAIL_HASH)
    expect(hash(JSON.stringify(MAIL))).toBe(MAIL_HASH)
    const key = Buffer.from(id('cow').slice(2), 'hex')
    expect(encodeHex(signTypedHash(hashTypedData(readTypedData(MAIL)), key))).toBe(MAIL_SIGNATURE)
  })

  it('may leave out the type of the domain, and be of nothing else', () => {
    const { EIP712Domain: _, ...types } = MAIL.types
    expect(hash({ ...MAIL, types })).toBe(MAIL_HASH)
    const domain = { ...MAIL, primaryType: 'EIP712Domain', message: {} }
    expect(hash(domain)).toBe(hashWithViem(domain as never))
  })

  it('have the hash that ethers and viem give them, whatever their types and values', () => {
    fc.assert(
      fc.property(arbitraryData(), ({ types, message, domain }) => {
        const ours = hash({ types, primaryType: 'Outer', domain, message })
        expect(ours).toBe(TypedDataEncoder.hash(domain, types, message))
        expect(ours).toBe(hashWithViem({ types, primaryType: 'Outer', domain, message } as never))
      }),
    )
  })

  it('are signed as ethers does', async () => {
    const wallet = new Wallet(id('somebody'))
    const { EIP712Domain: _, ...types } = MAIL.types
    const key = Buffer.from(wallet.privateKey.slice(2), 'hex')
    expect(encodeHex(signTypedHash(hashTypedData(readTypedData(MAIL)), key))).toBe(
      await wallet.signTypedData(MAIL.domain, types, MAIL.message),
    )
  })

  const withMember = (type: string, value: unknown) => ({
    types: { Outer: [{ name: 'one', type }] },
    primaryType: 'Outer',
    domain: {},
    message: { one: value },
  })

  it.each([
    ['{', 'typed data: expected an object or its JSON text'],
    [7, 'typed data: expected an object'],
    [{ ...MAIL, types: undefined }, 'types: expected an object'],
    [{ ...MAIL, primaryType: 'Letter' }, 'primaryType: expected the name of one of the types'],
    [{ ...MAIL, primaryType: 'toString' }, 'primaryType: expected the name of one of the types'],
    [{ ...MAIL, message: null }, 'message: expected an object'],
    [{ ...MAIL, message: { ...MAIL.message, to: 7 } }, 'message.to: expected an object'],
    [
      { ...MAIL, domain: { ...MAIL.domain, chainId: 'one' } },
      'domain.chainId: expected an integer',
    ],
    [withMember('uint8', 256), 'message.one: expected an integer that fits uint8'],
    [withMember('uint8', -1), 'message.one: expected an integer that fits uint8'],
    [withMember('int8', '-129'), 'message.one: expected an integer that fits int8'],
    [withMember('uint256', 1.5), 'message.one: expected an integer that fits uint256'],
    [withMember('uint256', 2 ** 60), 'message.one: expected an integer that fits uint256'],
    [withMember('uint7', 1), 'types.Outer.one: expected a type that is known, and found "uint7"'],
    [withMember('bytes33', '0x'), 'types.Outer.one: expected a type that is known'],
    [withMember('bytes2', '0x010203'), 'message.one: expected 2 bytes in hexadecimals after 0x'],
    [withMember('address', '0x01'), 'message.one: expected 20 bytes in hexadecimals after 0x'],
    [withMember('bool', 'true'), 'message.one: expected true or false'],
    [withMember('string', undefined), 'message.one: expected a text'],
    [withMember('uint8[2]', [1]), 'message.one: expected an array of 2 of uint8'],
    [withMember('uint8[]', [1, 'x']), 'message.one[1]: expected an integer that fits uint8'],
    [{ ...MAIL, types: { ...MAIL.types, uint8: [] } }, 'types.uint8: expected a name'],
    [
      withMember(`uint8${'[1]'.repeat(10_000)}x`, []),
      'types.Outer[0].type: expected a text of at most 128 letters',
    ],
    [
      { ...MAIL, types: { ...MAIL.types, Mail: [...MAIL.types.Mail, ...MAIL.types.Mail] } },
      'types.Mail: expected members with names of their own',
    ],
    [
      { ...MAIL, types: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`T${i}`, []])) },
      'types: expected at most 64 types',
    ],
    [nest(1_000), 'expected at most 64 levels of values'],
  ])('refuse what does not fit: %j', (value, text) => {
    expect(() => hash(value)).toThrow(text)
  })
})

/** A type that holds itself, so many times. */
function nest(levels: number) {
  let message: object = {}
  for (let level = 0; level < levels; level++) message = { inner: message }
  return {
    types: { Outer: [{ name: 'inner', type: 'Outer' }] },
    primaryType: 'Outer',
    domain: {},
    message,
  }
}

const arbitraryBytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map(bytes => `0x${Buffer.from(bytes).toString('hex')}` as Hex)

/** A type of a member with a value of it. */
const arbitraryAtom = fc.oneof(
  fc.string({ unit: 'binary' }).map(value => ({ type: 'string', value: value as unknown })),
  fc.boolean().map(value => ({ type: 'bool', value })),
  arbitraryBytes(20).map(value => ({ type: 'address', value })),
  fc.uint8Array({ maxLength: 70 }).map(bytes => ({
    type: 'bytes',
    value: `0x${Buffer.from(bytes).toString('hex')}`,
  })),
  fc.integer({ min: 1, max: 32 }).chain(size =>
    fc.oneof(
      arbitraryBytes(size).map(value => ({ type: `bytes${size}`, value })),
      fc
        .bigInt({ min: 0n, max: 2n ** BigInt(8 * size) - 1n })
        .map(value => ({ type: `uint${8 * size}`, value: `0x${value.toString(16)}` })),
      fc
        .bigInt({ min: -(2n ** BigInt(8 * size - 1)), max: 2n ** BigInt(8 * size - 1) - 1n })
        .map(value => ({ type: `int${8 * size}`, value: value.toString() })),
    ),
  ),
)

function arbitraryData() {
  const inner = fc.array(arbitraryAtom, { minLength: 1, maxLength: 4 })
  return fc
    .record({
      inner,
      outer: inner,
      fixed: fc.boolean(),
      count: fc.integer({ min: 1, max: 3 }),
      name: fc.string(),
      chainId: fc.integer({ min: 1, max: 2 ** 31 }),
      salt: arbitraryBytes(32),
    })
    .map(({ inner, outer, fixed, count, name, chainId, salt }) => {
      const describe = (atoms: typeof inner) =>
        atoms.map(({ type }, index) => ({ name: `m${index}`, type }))
      const value = Object.fromEntries(inner.map(({ value }, index) => [`m${index}`, value]))
      const list = Array.from({ length: count }, () => value)
      const length = fixed ? String(count) : ''
      return {
        types: {
          Outer: [
            ...describe(outer),
            { name: 'inner', type: 'Inner' },
            { name: 'list', type: `Inner[${length}]` },
            { name: 'nested', type: `Inner[][${length}]` },
          ],
          Inner: describe(inner),
        },
        message: {
          ...Object.fromEntries(outer.map(({ value }, index) => [`m${index}`, value])),
          inner: value,
          list,
          nested: Array.from({ length: count }, () => list),
        },
        domain: { name, chainId, salt },
      }
    })
}

import { decryptKeystoreJson, encryptKeystoreJsonSync, Wallet } from 'ethers'
import fc from 'fast-check'
import { Keystore as OxKeystore } from 'ox'
import { describe, expect, it } from 'vitest'
import { SCRYPT_COSTS } from './key-derivation.ts'
import { decryptKey, encryptKey, readKeyFileAddress } from './key-file.ts'
import { KeystoreError } from './keystore.ts'
import {
  DEFINITION_VECTORS,
  ETHEREUM_TESTS_VECTORS,
  GETH_VECTORS,
  GETH_VERY_LIGHT,
} from './testing/key-file-vectors.ts'

const KEY = `0x${'4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'}`
const ADDRESS = '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23'
const WRONG_PASSPHRASE = 'could not decrypt key with given password'

describe('published files', () => {
  const vectors = [...DEFINITION_VECTORS, ...ETHEREUM_TESTS_VECTORS, ...GETH_VECTORS]

  it.each(vectors)('$name', async ({ file, password, privateKey }) => {
    const key = await decryptKey(JSON.stringify(file), password)
    expect(key.toString('hex')).toBe(privateKey.padStart(64, '0'))
  })

  it('geth, very-light-scrypt: the key is that of the address, for the empty passphrase', async () => {
    const key = await decryptKey(JSON.stringify(GETH_VERY_LIGHT), '')
    const wallet = new Wallet(`0x${key.toString('hex')}`)
    expect(wallet.address.toLowerCase()).toBe(`0x${GETH_VERY_LIGHT.address}`)
  })

  it('do not open with another passphrase', async () => {
    for (const { file, password } of GETH_VECTORS) {
      await expect(decryptKey(JSON.stringify(file), `${password}x`)).rejects.toThrow(
        WRONG_PASSPHRASE,
      )
    }
  })
})

describe('other programs', () => {
  const wallet = new Wallet(KEY)
  const account = { address: wallet.address, privateKey: wallet.privateKey }

  it('ethers reads a light file of ours, and finds its address', async () => {
    const text = await encryptKey(toBytes(KEY), ADDRESS, 'pässwörd', SCRYPT_COSTS.light)
    expect(await decryptKeystoreJson(text, 'pässwörd')).toEqual(account)
  })

  it('ethers reads a standard file of ours', async () => {
    const text = await encryptKey(toBytes(KEY), ADDRESS, 'foo', SCRYPT_COSTS.standard)
    expect(JSON.parse(text).crypto.kdfparams).toMatchObject({ n: 262144, r: 8, p: 1, dklen: 32 })
    expect(await decryptKeystoreJson(text, 'foo')).toEqual(account)
  })

  it('a file of ethers opens', async () => {
    const text = encryptKeystoreJsonSync(account, 'pässwörd', { scrypt: { N: 4096, r: 8, p: 6 } })
    expect(await decryptKey(text, 'pässwörd')).toEqual(toBytes(KEY))
    expect(readKeyFileAddress(text)).toBe(ADDRESS)
  })

  it('a file of ox opens, and ox reads ours', async () => {
    const [derive, options] = OxKeystore.pbkdf2({ password: 'foo', iterations: 1000 })
    const theirs = OxKeystore.encrypt(KEY as `0x${string}`, derive, options)
    expect(await decryptKey(JSON.stringify(theirs), 'foo')).toEqual(toBytes(KEY))

    const text = await encryptKey(toBytes(KEY), ADDRESS, '', { n: 2, r: 8, p: 1 })
    const ours = JSON.parse(text)
    expect(OxKeystore.decrypt(ours, OxKeystore.toKey(ours, { password: '' }))).toBe(KEY)
  })

  it('get no two files alike', async () => {
    const encrypt = async () =>
      JSON.parse(await encryptKey(toBytes(KEY), ADDRESS, 'foo', { n: 2, r: 8, p: 1 }))
    const [one, other] = [await encrypt(), await encrypt()]
    expect(one.id).not.toBe(other.id)
    expect(one.crypto.kdfparams.salt).not.toBe(other.crypto.kdfparams.salt)
    expect(one.crypto.cipherparams.iv).not.toBe(other.crypto.cipherparams.iv)
  })
})

describe('fields', () => {
  it('are found in whatever case they are written', async () => {
    const { crypto, id } = GETH_VERY_LIGHT
    const shouted = {
      ADDRESS: GETH_VERY_LIGHT.address.toUpperCase(),
      Crypto: crypto,
      id,
      Version: 3,
    }
    const key = await decryptKey(JSON.stringify(shouted), '')
    expect(key).toEqual(await decryptKey(JSON.stringify(GETH_VERY_LIGHT), ''))
    expect(readKeyFileAddress(JSON.stringify(shouted))).toBe(`0x${GETH_VERY_LIGHT.address}`)
  })

  it.each([
    ['version of version 1', { version: '1' }, 'version not supported: 1'],
    ['version that is text, as in geth', { version: '3' }, 'version not supported: 3'],
    ['no version', { version: undefined }, 'version not supported: undefined'],
    ['no crypto', { crypto: undefined }, 'key file has no object crypto'],
    ['cipher', { crypto: { cipher: 'aes-128-cbc' } }, 'cipher not supported: aes-128-cbc'],
    ['kdf', { crypto: { kdf: 'argon2' } }, 'unsupported KDF: argon2'],
    [
      'short iv',
      { crypto: { cipherparams: { iv: 'ab' } } },
      'invalid iv in key file: want 16 bytes',
    ],
    ['odd ciphertext', { crypto: { ciphertext: 'abc' } }, 'invalid ciphertext in key file'],
    ['no ciphertext', { crypto: { ciphertext: '' } }, 'want 1 to 32 bytes'],
    ['long key', { crypto: { ciphertext: '00'.repeat(33) } }, 'want 1 to 32 bytes'],
    ['mac', { crypto: { mac: 7 } }, 'invalid mac in key file: want 32 bytes'],
  ])('that are wrong are named: %s', async (_, change, text) => {
    await expect(decryptKey(JSON.stringify(merge(GETH_VERY_LIGHT, change)), '')).rejects.toThrow(
      text,
    )
  })

  it.each([
    [{ n: 2 ** 30 }, 'bytes of memory, at most 1073741824'],
    [{ n: 2 ** 20, r: 9 }, 'bytes of memory, at most 1073741824'],
    [{ p: 2 ** 30 }, 'bytes of memory, at most 1073741824'],
    [{ n: 2 ** 16, p: 512 }, 'n * r * p is 268435456, at most 134217728'],
    [{ n: 3 }, 'invalid scrypt n 3: want a power of two above 1'],
    [{ n: 1 }, 'invalid scrypt n 1: want a power of two above 1'],
    [{ n: 0 }, 'invalid n in key file: 0, want a positive number'],
    [{ n: '2' }, 'invalid n in key file: 2, want a positive number'],
    [{ r: -8 }, 'invalid r in key file: -8'],
    [{ p: 1.5 }, 'invalid p in key file: 1.5'],
    [{ dklen: 31 }, 'invalid dklen 31: want 32 to 1024 bytes'],
    [{ dklen: 2 ** 31 }, 'want 32 to 1024 bytes'],
    [{ salt: null }, 'invalid salt in key file'],
  ])('that cost too much or make no sense are refused: scrypt %j', async (kdfparams, text) => {
    const file = merge(GETH_VERY_LIGHT, { crypto: { kdfparams } })
    await expect(decryptKey(JSON.stringify(file), '')).rejects.toThrow(text)
  })

  it.each([
    [{ c: 2 ** 31 }, '2147483648 iterations, at most 67108864'],
    [{ c: 2 ** 22, dklen: 1024 }, '134217728 iterations, at most 67108864'],
    [{ prf: 'hmac-md5' }, 'unsupported PBKDF2 PRF: hmac-md5'],
  ])('that cost too much or make no sense are refused: pbkdf2 %j', async (kdfparams, text) => {
    const file = merge(DEFINITION_VECTORS[0]?.file ?? {}, { crypto: { kdfparams } })
    await expect(decryptKey(JSON.stringify(file), '')).rejects.toThrow(text)
  })

  it.each([
    ['no JSON', 'garbage'],
    ['an array', '[]'],
    ['no address', JSON.stringify({ ...GETH_VERY_LIGHT, address: undefined })],
    ['the zero address', JSON.stringify({ ...GETH_VERY_LIGHT, address: '0'.repeat(40) })],
    ['a short address', JSON.stringify({ ...GETH_VERY_LIGHT, address: 'abcd' })],
    ['an address and no key', JSON.stringify({ address: GETH_VERY_LIGHT.address })],
  ])('make an address only in a key file: %s', (_, text) => {
    expect(readKeyFileAddress(text)).toBeNull()
  })

  it('of any content throw nothing but KeystoreError', async () => {
    const scalar = fc.oneof(
      fc.constantFrom(
        0,
        1,
        2,
        8,
        32,
        -1,
        2 ** 60,
        '',
        '00',
        'scrypt',
        'pbkdf2',
        'hmac-sha256',
        null,
      ),
      fc.jsonValue({ maxDepth: 1 }),
    )
    const kdfparams = fc.record(
      { dklen: scalar, n: scalar, r: scalar, p: scalar, c: scalar, prf: scalar, salt: scalar },
      { requiredKeys: [] },
    )
    const crypto = fc.record(
      {
        cipher: scalar,
        ciphertext: scalar,
        cipherparams: scalar,
        kdf: scalar,
        kdfparams,
        mac: scalar,
      },
      { requiredKeys: [] },
    )
    const file = fc.record({ version: scalar, address: scalar, crypto }, { requiredKeys: [] })
    const changed = file.map(change => JSON.stringify(merge(GETH_VERY_LIGHT, change)))
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, fc.string(), fc.json()), async text => {
        readKeyFileAddress(text)
        const failure = await decryptKey(text, '').then(
          () => null,
          error => error,
        )
        if (failure !== null) expect(failure).toBeInstanceOf(KeystoreError)
      }),
      { numRuns: 500 },
    )
  })
})

function toBytes(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Puts the fields of one object over those of another, at every depth. */
function merge(below: object, above: object): object {
  const result: { [key: string]: unknown } = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const old = result[key]
    result[key] = isPlain(old) && isPlain(value) ? merge(old, value) : value
  }
  return result
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

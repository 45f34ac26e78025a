import * as ecc from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { describe, expect, it } from 'vitest'
import { encodeAddress } from '../address.ts'
import { toHex } from '../bytes.ts'
import { countDerivations } from '../testing/derivations.ts'
import chains from '../testing/vectors/bip32.json' with { type: 'json' }
import invalid from '../testing/vectors/bip32-invalid.json' with { type: 'json' }
import slip132 from '../testing/vectors/slip132.json' with { type: 'json' }
import {
  deriveExtendedKey,
  fingerprintOf,
  formatExtendedKey,
  InvalidExtendedKeyError,
  looksLikeExtendedKey,
  parseExtendedKey,
} from './extended-key.ts'

const PUBLIC = chains.flatMap(({ chains }) => chains.map(chain => ({ ...chain })))
const XPUB = PUBLIC[0]?.xpub ?? ''
const CHANGED = `${XPUB.slice(0, 60)}${XPUB[60] === 'a' ? 'b' : 'a'}${XPUB.slice(61)}`

describe('an extended public key', () => {
  it.each(PUBLIC)('of BIP-32 at $path is read and written as it was', ({ xpub, path }) => {
    const key = parseExtendedKey(xpub)
    expect(formatExtendedKey(key)).toBe(xpub)
    const steps = path.split('/').slice(1)
    const last = steps.at(-1) ?? '0'
    const childNumber = Number.parseInt(last, 10) + (last.endsWith("'") ? 0x80000000 : 0)
    expect(key).toMatchObject({ space: 'mainnet', depth: steps.length, childNumber })
    expect(key).toMatchObject({ prefix: 'xpub', addressType: null, multisig: null })
    expect([key.chainCode.length, key.publicKey.length]).toEqual([32, 33])
  })

  it('names its parent by the fingerprint that the parent has', () => {
    const pairs = chains.flatMap(({ chains }) =>
      chains.slice(1).map((child, i) => ({ child, parent: chains[i]?.xpub ?? '' })),
    )
    expect(pairs.length).toBe(PUBLIC.length - chains.length)
    for (const { child, parent } of pairs)
      expect(parseExtendedKey(child.xpub).parentFingerprint).toBe(
        fingerprintOf(parseExtendedKey(parent)),
      )
  })

  it('has the children of BIP-32 at steps that need no private key', () => {
    const pairs = chains.flatMap(({ chains }) =>
      chains
        .slice(1)
        .map((child, i) => ({ parent: chains[i]?.xpub ?? '', child }))
        .filter(({ child }) => !child.path.endsWith("'")),
    )
    expect(pairs.length).toBeGreaterThan(4)
    for (const { parent, child } of pairs) {
      const step = Number(child.path.split('/').at(-1))
      const derived = deriveExtendedKey(parseExtendedKey(parent), [step])
      expect(formatExtendedKey(derived)).toBe(child.xpub)
    }
  })

  it.each(slip132.accounts)('of SLIP-132 at $path says which addresses it has', account => {
    const key = parseExtendedKey(account.public)
    const types = { "m/44'/0'/0'": null, "m/49'/0'/0'": 'p2sh-p2wpkh', "m/84'/0'/0'": 'p2wpkh' }
    expect(key.addressType).toBe(types[account.path as keyof typeof types])
    const { publicKey } = deriveExtendedKey(key, [0, 0])
    expect(encodeAddress(publicKey, key.addressType ?? 'p2pkh', 'mainnet')).toBe(account.address)
  })

  // Versions as SLIP-132 has them; the texts are written by the library `bip32`, which knows no table of versions.
  it.each([
    ['xpub', 0x0488b21e, 'mainnet', null, null],
    ['ypub', 0x049d7cb2, 'mainnet', 'p2sh-p2wpkh', null],
    ['zpub', 0x04b24746, 'mainnet', 'p2wpkh', null],
    ['Ypub', 0x0295b43f, 'mainnet', null, 'p2sh-p2wsh'],
    ['Zpub', 0x02aa7ed3, 'mainnet', null, 'p2wsh'],
    ['tpub', 0x043587cf, 'test', null, null],
    ['upub', 0x044a5262, 'test', 'p2sh-p2wpkh', null],
    ['vpub', 0x045f1cf6, 'test', 'p2wpkh', null],
    ['Upub', 0x024289ef, 'test', null, 'p2sh-p2wsh'],
    ['Vpub', 0x02575483, 'test', null, 'p2wsh'],
  ])('%s is known by its version', (prefix, version, space, addressType, multisig) => {
    const bip32 = { public: version, private: 0x0488ade4 }
    const seed = new Uint8Array(32).fill(7)
    const node = BIP32Factory(ecc).fromSeed(seed, { bip32, wif: 0x80 }).derivePath("m/84'/1'/5'")
    const text = node.neutered().toBase58()
    const key = parseExtendedKey(text)
    expect(key).toMatchObject({ prefix, space, addressType, multisig, depth: 3 })
    expect(toHex(key.publicKey)).toBe(toHex(node.publicKey))
    expect(parseExtendedKey(formatExtendedKey(key)).prefix).toBe(
      space === 'mainnet' ? 'xpub' : 'tpub',
    )
    expect(looksLikeExtendedKey(text)).toBe(true)
  })

  it('is refused at a hardened step, and below depth 255', () => {
    const key = parseExtendedKey(XPUB)
    expect(() => deriveExtendedKey(key, [0, 0x80000000])).toThrow(/unhardened steps/)
    expect(() => deriveExtendedKey(key, new Array(256).fill(0))).toThrow(/depth of at most 255/)
  })

  it('costs one derivation for each of a thousand addresses, and none when they are asked for again', () => {
    const key = parseExtendedKey(XPUB)
    const count = countDerivations(() => {
      for (let index = 0; index < 1_000; index++) deriveExtendedKey(key, [0, index])
    })
    expect(count).toBe(1_001)
    const again = countDerivations(() => {
      for (let index = 0; index < 1_000; index++) deriveExtendedKey(key, [0, index])
    })
    expect(again).toBe(0)
  })
})

describe('a text that is no extended public key is refused', () => {
  it.each(invalid)('of BIP-32: $reason', ({ key }) => {
    const error = refusalOf(key)
    expect(error.message).not.toContain(key.slice(4, 12))
    if (key.startsWith('xprv')) expect(error.problem).toBe('private')
  })

  it.each([
    [PUBLIC[0]?.xprv ?? '', 'private'],
    [slip132.accounts[2]?.private ?? '', 'private'],
    [XPUB.slice(0, -1), 'checksum'],
    [`${XPUB}1`, 'checksum'],
    [CHANGED, 'checksum'],
    [XPUB.replace('xpub', 'ypub'), 'checksum'],
    [`Ltub${XPUB.slice(4)}`, 'version'],
    [` ${XPUB}`, 'malformed'],
    [`xpub${'0'.repeat(107)}`, 'malformed'],
    ['', 'malformed'],
    ['xpub', 'checksum'],
    [`xpub${'1'.repeat(1_000_000)}`, 'checksum'],
  ])('%# is %s', (text, problem) => {
    const error = refusalOf(text)
    expect(error.problem).toBe(problem)
    expect(error.message.length).toBeLessThan(200)
  })

  it('says of a private key that it is one, and does not repeat it', () => {
    const xprv = PUBLIC[1]?.xprv ?? ''
    const { message } = refusalOf(xprv)
    expect(message).toBe('extended public key: expected a public key, found a private one')
  })
})

function refusalOf(text: string): InvalidExtendedKeyError {
  try {
    parseExtendedKey(text)
  } catch (error) {
    if (error instanceof InvalidExtendedKeyError) return error
    throw error
  }
  throw new Error('the text was taken')
}

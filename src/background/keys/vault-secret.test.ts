import { describe, expect, it } from 'vitest'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import {
  decodeSecret,
  encodeSecret,
  isPlace,
  isSameSecret,
  type VaultAccount,
  type VaultSecret,
} from './vault-secret.ts'

const KEY = `02${'ab'.repeat(32)}`
const SCRIPT = `0014${'cd'.repeat(20)}`
const side = { scriptPubKey: SCRIPT, publicKey: KEY }
const sides = { mainnet: side, test: side }
const base = { id: 'a1', name: 'Savings', hidden: false }
const fromSeed: VaultAccount = {
  ...base,
  sides,
  source: 'seed',
  phrase: '0f'.repeat(16),
  addressType: 'p2wpkh',
  line: 'accounts',
  index: 0,
}
const fromKey: VaultAccount = {
  ...base,
  sides: { mainnet: side },
  source: 'key',
  addressType: 'p2tr',
  privateKey: '11'.repeat(32),
}
const watched: VaultAccount = {
  ...base,
  sides: { test: { scriptPubKey: SCRIPT, publicKey: null } },
  source: 'watch',
}
const words = { mnemonic: 'abandon ability able', passphrase: '' }
const phrase = { id: '0f'.repeat(16), name: 'Wallet 1', kind: 'bip39' as const, ...words }
const secret: VaultSecret = {
  version: 3,
  phrases: [phrase],
  accounts: [fromSeed, fromKey, watched],
}

const decode = (value: unknown) => decodeSecret(toUtf8(JSON.stringify(value)))
const withAccount = (account: unknown) => ({ ...secret, accounts: [account] })

describe('the secret of a vault', () => {
  it('comes back as it was sealed, whatever its accounts are made of', () => {
    expect(decodeSecret(encodeSecret(secret))).toEqual(secret)
    const ofKey: VaultSecret = { version: 3, phrases: [], accounts: [fromKey, watched] }
    expect(decodeSecret(encodeSecret(ofKey))).toEqual(ofKey)
  })

  it('keeps whose words a phrase is made of, in a version that programs from before refuse', () => {
    const seed = { ...phrase, id: '0a'.repeat(16), kind: 'electrum-segwit' as const }
    const mixed: VaultSecret = { ...secret, phrases: [phrase, seed] }
    expect(decodeSecret(encodeSecret(mixed))).toEqual(mixed)
    const versionOf = (sealed: VaultSecret) =>
      JSON.parse(new TextDecoder().decode(encodeSecret(sealed))).version
    expect([secret, mixed].map(versionOf)).toEqual([3, 4])
  })

  it('seals what has phrases of BIP-39 alone as it was before there were others', () => {
    const { kind: _, ...before } = phrase
    const sealed = JSON.parse(new TextDecoder().decode(encodeSecret(secret)))
    expect(sealed.phrases).toEqual([before])
    expect(decode({ ...secret, phrases: [before] })).toEqual(secret)
  })

  it('keeps what a device’s account inscribes with in a wallet without a phrase, and takes nothing else for it', () => {
    const device: VaultAccount = {
      ...{ ...base, sides: { test: side }, source: 'device', addressType: 'p2wpkh' },
      descriptor: 'wpkh([d34db33f/84h/1h/0h]tpub/<0;1>/*)',
      ...{ fingerprint: 'd34db33f', derivationPath: "m/84'/1'/0'/0/0" },
    }
    const inscribing = { ...device, inscribingSecret: '22'.repeat(32) }
    for (const account of [device, inscribing]) {
      const sealed: VaultSecret = { version: 3, phrases: [], accounts: [fromKey, account] }
      expect(decodeSecret(encodeSecret(sealed))).toEqual(sealed)
    }
    for (const wrong of ['22', '2'.repeat(63), 'zz'.repeat(32), null, 7])
      expect(() => decode(withAccount({ ...device, inscribingSecret: wrong }))).toThrow('malformed')
  })

  it('keeps the Taproot key of a device’s account, with or without its address in use', () => {
    const ordinalsSide = { scriptPubKey: `5120${'ef'.repeat(32)}`, publicKey: KEY }
    const device: VaultAccount = {
      ...{ ...base, sides: { test: side }, source: 'device', addressType: 'p2wpkh' },
      descriptor: 'wpkh([d34db33f/84h/1h/0h]tpub/<0;1>/*)',
      ...{ fingerprint: 'd34db33f', derivationPath: "m/84'/1'/0'/0/0" },
    }
    const ordinals = {
      descriptor: 'tr([d34db33f/86h/1h/0h]tpub/<0;1>/*)',
      derivationPath: "m/86'/1'/0'/0/0",
    }
    const inUse = { test: { ...side, ordinals: ordinalsSide } }
    for (const account of [
      { ...device, ordinals },
      { ...device, ordinals, sides: inUse },
    ]) {
      const sealed: VaultSecret = { ...secret, accounts: [account] }
      expect(decodeSecret(encodeSecret(sealed))).toEqual(sealed)
    }
    for (const wrong of [
      { ...device, sides: inUse },
      { ...device, ordinals: null },
      { ...device, ordinals: { descriptor: ordinals.descriptor } },
      { ...device, ordinals: { ...ordinals, derivationPath: 86 } },
      { ...device, ordinals, addressType: 'p2tr', sides: inUse },
      { ...device, ordinals, sides: { test: { ...side, ordinals: { publicKey: KEY } } } },
      { ...fromKey, sides: { mainnet: inUse.test } },
    ])
      expect(() => decode(withAccount(wrong)), JSON.stringify(wrong)).toThrow('malformed')
  })

  it('does not tell by its length how long the phrase, the passphrase or a name is', () => {
    const other = {
      ...secret,
      phrases: [
        { ...phrase, mnemonic: 'zoo '.repeat(24), passphrase: 'correct horse battery staple' },
      ],
    }
    const sizes = [secret, other].map(each => encodeSecret(each).length)
    expect(new Set(sizes)).toEqual(new Set([2048]))
    const big = { ...secret, phrases: [{ ...phrase, passphrase: 'x'.repeat(2048) }] }
    expect(encodeSecret(big)).toHaveLength(4096)
  })

  it('knows another secret from the same one', () => {
    expect(isSameSecret(secret, structuredClone(secret))).toBe(true)
    expect(isSameSecret(secret, { ...secret, phrases: [{ ...phrase, passphrase: ' ' }] })).toBe(
      false,
    )
    expect(isSameSecret(secret, { ...secret, accounts: [fromSeed] })).toBe(false)
  })

  it.each<[string, unknown]>([
    ['a later version', { ...secret, version: 5 }],
    ['a phrase of no kind', { ...secret, phrases: [{ ...phrase, kind: 'electrum-2fa' }] }],
    ['no object', null],
    ['a text', 'secret'],
    ['phrases that are missing', { version: 3, accounts: [] }],
    ['an empty phrase', { ...secret, phrases: [{ ...phrase, mnemonic: '' }] }],
    ['a phrase that is a number', { ...secret, phrases: [{ ...phrase, mnemonic: 7 }] }],
    ['no passphrase', { ...secret, phrases: [{ ...phrase, passphrase: undefined }] }],
    ['no list of accounts', { ...secret, accounts: { length: 0 } }],
    ['an account of a phrase that is not there', { ...secret, phrases: [] }],
    ['a phrase twice', { ...secret, phrases: [phrase, phrase] }],
    ['a phrase whose id is none', { ...secret, phrases: [{ ...phrase, id: 'a1' }] }],
    ['a phrase without a name', { ...secret, phrases: [{ ...phrase, name: 1 }] }],
  ])('is not opened where it has %s', (_, value) => {
    expect(() => decode(value)).toThrow('vault:')
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['no id', { ...fromSeed, id: 7 }],
    ['no name', { ...fromSeed, name: null }],
    ['neither shown nor hidden', { ...fromSeed, hidden: 'no' }],
    ['of no known source', { ...fromSeed, source: 'ledger' }],
    ['of a key and of no known source', { ...fromKey, source: 'ledger' }],
    ['of no known address type', { ...fromSeed, addressType: 'p2wsh' }],
    ['of no known line', { ...fromSeed, line: 'legacy' }],
    ['at an index that BIP-32 cannot harden', { ...fromSeed, index: 2 ** 31 }],
    ['at a negative index', { ...fromSeed, index: -1 }],
    ['at half an index', { ...fromSeed, index: 0.5 }],
    ['seen on one side of two', { ...fromSeed, sides: { mainnet: side } }],
    ['seen on no side', { ...fromKey, sides: {} }],
    ['without sides', { ...fromKey, sides: undefined }],
    ['seen on two sides of one', { ...fromKey, sides }],
    ['seen on a third side', { ...fromSeed, sides: { ...sides, moon: side } }],
    ['with a key that is too short', { ...fromKey, privateKey: '11'.repeat(31) }],
    ['with a key that is too long', { ...fromKey, privateKey: '11'.repeat(33) }],
    ['with half a byte too many', { ...fromKey, privateKey: `${'11'.repeat(32)}1` }],
    ['with a key in capitals', { ...fromKey, privateKey: 'AB'.repeat(32) }],
    ['with a key of bytes', { ...fromKey, privateKey: Array(64).fill('1') }],
    ['of a key without address type', { ...fromKey, addressType: undefined }],
    ['watched, with a public key', { ...watched, sides: { test: side } }],
    ['with a side that is no object', { ...fromKey, sides: { mainnet: 'x' } }],
  ])('is not opened with an account that is %s', (_, account) => {
    expect(() => decode(withAccount(account))).toThrow('vault: malformed account')
  })

  it.each<[string, unknown]>([
    ['no script', null],
    ['a script shorter than any output of ours', '00'.repeat(21)],
    ['a script longer than any address', '00'.repeat(43)],
    ['half a byte', `${SCRIPT}0`],
    ['capitals', SCRIPT.toUpperCase()],
  ])('is not opened where a side has %s', (_, scriptPubKey) => {
    const account = { ...fromKey, sides: { mainnet: { ...side, scriptPubKey } } }
    expect(() => decode(withAccount(account))).toThrow('vault: malformed account')
  })

  it.each([null, undefined, '02', `${KEY}00`, KEY.slice(2)])(
    'is not opened where the account of a key has the public key %s',
    publicKey => {
      const account = { ...fromKey, sides: { mainnet: { scriptPubKey: SCRIPT, publicKey } } }
      expect(() => decode(withAccount(account))).toThrow('vault: malformed account')
    },
  )

  it('takes scripts of 22 to 42 bytes, which all addresses have (BIP-141)', () => {
    for (const size of [22, 42]) {
      const account = {
        ...watched,
        sides: { test: { scriptPubKey: 'ab'.repeat(size), publicKey: null } },
      }
      expect(decode(withAccount(account))).toEqual(withAccount(account))
    }
  })

  it('takes the last index that BIP-32 can harden', () => {
    const place = { addressType: 'p2tr', line: 'receive' }
    expect(isPlace({ ...place, index: 2 ** 31 - 1 })).toBe(true)
    expect(isPlace({ ...place, index: 2 ** 31 })).toBe(false)
    expect(isPlace(null)).toBe(false)
  })
})

describe('the secret of a vault of the first version', () => {
  const account = { id: 'a1', name: 'Savings', addressType: 'p2tr', index: 3 }
  const first = { version: 1, ...words, accounts: [account] }

  it('is read as it is', () => {
    expect(decode(first)).toEqual(first)
  })

  it.each<[string, unknown]>([
    ['id', { ...account, id: null }],
    ['name', { ...account, name: 1 }],
    ['address type', { ...account, addressType: 'p2sh' }],
    ['index', { ...account, index: 2 ** 31 }],
  ])('is not opened with an account without %s', (_, wrong) => {
    expect(() => decode({ ...first, accounts: [wrong] })).toThrow('vault: malformed account')
    expect(() => decode({ ...first, mnemonic: '' })).toThrow('vault: the secret has no phrase')
    expect(() => decode({ ...first, accounts: null })).toThrow('vault: the secret has no accounts')
  })
})

import * as ecc from '@bitcoinerlab/secp256k1'
import {
  CryptoAccount,
  CryptoHDKey,
  CryptoKeypath,
  CryptoMultiAccounts,
  CryptoOutput,
  PathComponent,
} from '@keystonehq/bc-ur-registry'
import { BIP32Factory } from 'bip32'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { parseKeyFile } from '../descriptors/key-files.ts'
import { bip32 } from '../secp256k1.ts'
import bcrKeys from '../testing/vectors/bcr-keys.json' with { type: 'json' }
import { CborTag, encodeCbor } from './cbor.ts'
import { KEY_TYPES, parseCodeKeys } from './code-keys.ts'
import { parseUr } from './ur.ts'

/** Child numbers and depths that a code leaves out are not in its xpubs: all else of them is compared. */
function stripNumbers(descriptor: string): string {
  return (
    descriptor
      .replaceAll(/(\d)h(?=[/\]])/g, "$1'")
      // BCR-2020-010's fifth example has this origin in the code, and not in its text.
      .replaceAll('[bd16bee5/0]', '')
      .replaceAll(/[xt]pub[1-9A-HJ-NP-Za-km-z]+/g, xpub => {
        const network = { messagePrefix: '', bech32: '', pubKeyHash: 0, scriptHash: 0, wif: 0 }
        const versions = { public: xpub.startsWith('x') ? 0x0488b21e : 0x043587cf, private: 0 }
        const key = bip32().fromBase58(xpub, { ...network, bip32: versions })
        return `${xpub[0]}(${toHex(key.chainCode)},${toHex(key.publicKey)})`
      })
  )
}

function readVector({ paper, ur, hex }: (typeof bcrKeys)[number]) {
  if (ur === null) return parseCodeKeys('output-descriptor', fromHex(hex ?? ''))
  const read = parseUr(ur)
  const type = KEY_TYPES.find(known => known === read.type)
  if (!type || !('cbor' in read)) throw new Error(`${paper}: expected a text of keys`)
  return parseCodeKeys(type, read.cbor)
}

const PUBLIC = bcrKeys.filter(
  ({ paper, name }) =>
    !(paper === 'bcr-2020-007-hdkey' && name.endsWith('1')) &&
    !(paper === 'bcr-2023-010-output-descriptor' && name.endsWith('3')) &&
    !(paper === 'bcr-2023-010-output-descriptor' && name.endsWith('2')),
)

describe('the examples of the papers', () => {
  it.each(PUBLIC)('$paper, $name: the descriptors are those of the paper', vector => {
    const { descriptors } = readVector(vector)
    const expected = vector.extendedKey === null ? vector.descriptors : [vector.extendedKey]
    expect(descriptors.map(({ text }) => stripNumbers(text))).toEqual(expected.map(stripNumbers))
  })

  it('an account has its xpubs to the letter, and the fingerprint of its master key', () => {
    const accounts = bcrKeys.filter(({ paper }) => paper.includes('account'))
    expect(accounts).toHaveLength(2)
    for (const vector of accounts) {
      const keys = readVector(vector)
      expect(keys.masterFingerprint).toBe('37b5eed4')
      expect(keys.descriptors.map(({ text }) => text)).toEqual(vector.descriptors)
      expect(keys.descriptors.map(({ script }) => script)).toEqual([
        'pkh',
        'sh(wpkh)',
        'wpkh',
        'sh(cosigner)',
        'sh(wsh(cosigner))',
        'wsh(cosigner)',
        'tr',
      ])
    }
  })

  it('the key with its path has its own xpub, and its network', () => {
    const vector = bcrKeys.find(({ extendedKey }) => extendedKey?.startsWith('tpub'))
    const { descriptors } = readVector(vector as (typeof bcrKeys)[number])
    expect(descriptors[0]?.text).toBe(vector?.extendedKey)
    expect(descriptors[0]?.keys[0]).toMatchObject({ space: 'test', parentFingerprint: 'e9181cf3' })
  })

  it('a master key, which is private, is refused as such', () => {
    const vector = bcrKeys[0] as (typeof bcrKeys)[number]
    expect(() => readVector(vector)).toThrow(expect.objectContaining({ problem: 'private' }))
  })
})

describe('what Keystone’s library reads and writes', () => {
  it('is the same account', () => {
    const vector = bcrKeys.find(({ paper }) => paper === 'bcr-2020-015-account')
    const read = parseUr(vector?.ur ?? '')
    if (!('cbor' in read)) throw new Error('expected one text')
    const ours = parseCodeKeys('crypto-account', read.cbor)
    // Their library knows neither `cosigner` nor taproot: it has the first three.
    const outputs = ours.descriptors.slice(0, 3).map(({ script, keys: [key] }) => {
      const tags = { pkh: [403], 'sh(wpkh)': [400, 404], wpkh: [404] }[script ?? ''] ?? []
      const hdKey = CryptoHDKey.fromCBOR(
        Buffer.from(
          encodeCbor(
            new Map<number, never>([
              [3, key?.publicKey],
              [4, key?.chainCode],
              [
                6,
                new CborTag(
                  304,
                  new Map<number, never>([
                    [1, (key?.origin?.path ?? []).flatMap(step => [step - 2 ** 31, true])],
                    [2, 0x37b5eed4],
                  ] as never),
                ),
              ],
              [8, Number.parseInt(key?.parentFingerprint ?? '', 16)],
            ] as never),
          ),
        ),
      )
      return new CryptoOutput(
        tags.map(tag => ({ getTag: () => tag, getExpression: () => '' })) as never,
        hdKey,
      )
    })
    const theirs = new CryptoAccount(Buffer.from('37b5eed4', 'hex'), outputs).toCBOR()
    const again = parseCodeKeys('crypto-account', new Uint8Array(theirs))
    expect(again).toEqual({ ...ours, descriptors: ours.descriptors.slice(0, 3) })
    expect(hdKeyText(outputs[2] as CryptoOutput)).toBe(
      /xpub\w+/.exec(again.descriptors[2]?.text ?? '')?.[0],
    )
  })
})

describe('keys of many coins, as Keystone’s library writes them', () => {
  const master = BIP32Factory(ecc).fromSeed(new Uint8Array(32).fill(7))
  const fingerprint = Buffer.from(master.fingerprint)

  /** By the BIP-32 library; the numbers are all hardened. */
  function keyOf(path: readonly number[], says: Buffer | null = fingerprint): CryptoHDKey {
    const node = master.derivePath(`m/${path.map(step => `${step}'`).join('/')}`)
    const steps = path.map(index => new PathComponent({ index, hardened: true }))
    return new CryptoHDKey({
      ...{ isMaster: false, name: 'Keystone', key: Buffer.from(node.publicKey) },
      ...{
        chainCode: Buffer.from(node.chainCode),
        origin: new CryptoKeypath(steps, says ?? undefined),
      },
      parentFingerprint: Buffer.alloc(4),
    })
  }
  const xpubOf = (path: string) => master.derivePath(path).neutered()
  const read = (...keys: CryptoHDKey[]) =>
    parseCodeKeys(
      'crypto-multi-accounts',
      new Uint8Array(new CryptoMultiAccounts(fingerprint, keys, 'Keystone').toCBOR()),
    )

  it('are those of Bitcoin that sign alone, each with its origin', () => {
    const ether = keyOf([44, 60, 0])
    const cosigner = keyOf([48, 0, 0, 2])
    const { masterFingerprint, descriptors } = read(
      ...[keyOf([84, 0, 0]), ether, keyOf([86, 0, 0], null), cosigner, keyOf([84, 1, 3])],
    )
    const hex = fingerprint.toString('hex')
    expect(masterFingerprint).toBe(hex)
    expect(descriptors.map(({ text }) => text.replace(/\].*/, ']'))).toEqual([
      ...[`[${hex}/84'/0'/0']`, `[${hex}/86'/0'/0']`, `[${hex}/84'/1'/3']`],
    ])
    const paths = ["m/84'/0'/0'", "m/86'/0'/0'", "m/84'/1'/3'"]
    expect(descriptors.map(({ keys: [key] }) => toHex(key?.publicKey ?? new Uint8Array()))).toEqual(
      paths.map(path => toHex(xpubOf(path).publicKey)),
    )
    expect(descriptors.map(({ text }) => /\](.pub)/.exec(text)?.[1])).toEqual([
      ...['xpub', 'xpub', 'tpub'],
    ])
    for (const { text } of descriptors) expect(parseKeyFile(text).candidates).toHaveLength(1)
  })

  it('are refused where none is of Bitcoin, or one has no list', () => {
    expect(() => read(keyOf([44, 60, 0]))).toThrow(
      expect.objectContaining({ problem: 'unsupported' }),
    )
    expect(() => parseCodeKeys('crypto-multi-accounts', encodeCbor(new Map([[1, 7]])))).toThrow(
      expect.objectContaining({ problem: 'damaged' }),
    )
  })
})

function hdKeyText(output: CryptoOutput): string {
  return output.getHDKey().getBip32Key()
}

describe('a key of a code', () => {
  const publicKey = fromHex('02d2b36900396c9282fa14628566582f206a5dd0bcc8d5e892611806cafb0301f0')
  const read = (entries: [number, unknown][]) =>
    parseCodeKeys('hdkey', encodeCbor(new Map(entries as never) as never))

  it('is refused as a private one by its flag, its first byte and its length', () => {
    const faults: [number, unknown][][] = [
      [
        [2, true],
        [3, publicKey],
      ],
      [[3, new Uint8Array(33)]],
      [[3, publicKey.subarray(1)]],
    ]
    for (const entries of faults)
      expect(() => read(entries)).toThrow(expect.objectContaining({ problem: 'private' }))
  })

  it('is refused when it is another coin’s', () => {
    const ether = new CborTag(40305, new Map([[1, 60]]))
    expect(() =>
      read([
        [3, publicKey],
        [5, ether],
      ]),
    ).toThrow('expected Bitcoin')
  })

  it('has receive and change as a pair', () => {
    const children = new CborTag(40304, new Map([[1, [[0, false, 1, false], [], false]]]) as never)
    expect(
      read([
        [3, publicKey],
        [7, children],
      ]).descriptors[0]?.text,
    ).toBe(`${toHex(publicKey)}/<0;1>/*`)
  })
})

import { describe, expect, it } from 'vitest'
import { createDevice } from '../../../background/testing/device-wallet.ts'
import { InvalidKeyFileError } from '../../../bitcoin/descriptors/key-candidates.ts'
import { parseKeyFile } from '../../../bitcoin/descriptors/key-files.ts'
import { KEY_TYPES, parseCodeKeys } from '../../../bitcoin/qr/code-keys.ts'
import { parseUr } from '../../../bitcoin/qr/ur.ts'
import bcrKeys from '../../../bitcoin/testing/vectors/bcr-keys.json' with { type: 'json' }
import { listFirstAddresses, listKeyChoices, readCodeKeys } from './key-choices.ts'

const device = createDevice()

function choicesOf(...types: ('p2wpkh' | 'p2tr' | 'p2sh-p2wpkh' | 'p2pkh')[]) {
  const text = types.map(type => device.describe(type)).join('\n')
  return listKeyChoices(parseKeyFile(text).candidates)
}

const typesOf = (choices: ReturnType<typeof listKeyChoices>) =>
  choices.map(({ candidate, ordinals }) => [candidate.addressType, ordinals?.addressType ?? null])

describe('what there is to choose of the keys of a device', () => {
  it('is each key, and each SegWit one with Taproot for ordinals, which is never first', () => {
    expect(typesOf(choicesOf('p2wpkh', 'p2sh-p2wpkh', 'p2tr', 'p2pkh'))).toEqual([
      ['p2wpkh', null],
      ['p2wpkh', 'p2tr'],
      ['p2sh-p2wpkh', null],
      ['p2sh-p2wpkh', 'p2tr'],
      ['p2tr', null],
      ['p2pkh', null],
    ])
    expect(typesOf(choicesOf('p2wpkh'))).toEqual([['p2wpkh', null]])
    expect(new Set(choicesOf('p2wpkh', 'p2tr').map(({ id }) => id)).size).toBe(3)
  })

  it('is found in an account of a code, past what is no account', () => {
    const codes = bcrKeys.flatMap(({ paper, ur }) => (paper.includes('account') && ur) || [])
    expect(codes).toHaveLength(2)
    for (const ur of codes) {
      const read = parseUr(ur)
      const type = KEY_TYPES.find(known => known === read.type)
      if (!type || !('cbor' in read)) throw new Error('no keys')
      const keys = parseCodeKeys(type, read.cbor)
      expect(typesOf(listKeyChoices(readCodeKeys(keys)))).toEqual([
        ['p2pkh', null],
        ['p2sh-p2wpkh', null],
        ['p2sh-p2wpkh', 'p2tr'],
        ['p2wpkh', null],
        ['p2wpkh', 'p2tr'],
        ['p2tr', null],
      ])
      const cosigners = keys.descriptors.filter(({ script }) => script?.includes('cosigner'))
      expect(cosigners.length).toBeGreaterThan(0)
      expect(() => readCodeKeys({ descriptors: cosigners })).toThrow(InvalidKeyFileError)
    }
  })

  it('is shown with the first addresses of each key, as other libraries derive them', () => {
    const pair = choicesOf('p2wpkh', 'p2tr').find(({ ordinals }) => ordinals)
    expect(listFirstAddresses(pair?.candidate.descriptor ?? '', 'regtest', 2)).toEqual([
      device.addressAt('p2wpkh', 0, 0),
      device.addressAt('p2wpkh', 0, 1),
    ])
    expect(listFirstAddresses(pair?.ordinals?.descriptor ?? '', 'regtest', 1)).toEqual([
      device.addressAt('p2tr', 0, 0),
    ])
  })
})

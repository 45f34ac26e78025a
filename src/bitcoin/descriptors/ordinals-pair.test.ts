import * as ecc from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { describe, expect, it } from 'vitest'
import { parseKeyFile } from './key-files.ts'
import { listOrdinalsPairs } from './ordinals-pair.ts'

/** By the BIP-32 library. */
function createSigner(byte: number) {
  const master = BIP32Factory(ecc).fromSeed(new Uint8Array(32).fill(byte))
  const fingerprint = Buffer.from(master.fingerprint).toString('hex')
  const xpubAt = (path: string) => master.derivePath(`m/${path}`).neutered().toBase58()
  return {
    ...{ fingerprint, xpubAt },
    /** With its origin, as descriptors have it. */
    key: (path: string) => `[${fingerprint}/${path.replaceAll("'", 'h')}]${xpubAt(path)}`,
  }
}
const [own, other] = [createSigner(1), createSigner(2)]

const SEGWIT = `wpkh(${own.key("84'/0'/0'")}/<0;1>/*)`
const NESTED = `sh(wpkh(${own.key("49'/0'/0'")}/<0;1>/*))`
const TAPROOT = `tr(${own.key("86'/0'/0'")}/<0;1>/*)`

/** The pairs of a file, each as the two descriptors without checksum. */
function pairsOf(text: string): string[][] {
  return listOrdinalsPairs(parseKeyFile(text).candidates).map(({ payment, ordinals }) =>
    [payment, ordinals].map(({ descriptor }) => descriptor.split('#')[0] ?? ''),
  )
}

describe('keys of one signer for payments and for ordinals', () => {
  it('are found in a list of descriptors, in any order', () => {
    const pairs = [
      [SEGWIT, TAPROOT],
      [NESTED, TAPROOT],
    ]
    expect(pairsOf([SEGWIT, NESTED, TAPROOT].join('\n'))).toEqual(expect.arrayContaining(pairs))
    expect(pairsOf([TAPROOT, SEGWIT].join('\n'))).toEqual([[SEGWIT, TAPROOT]])
  })

  it('are found in what Bitcoin Core lists, by branches', () => {
    const listed = [SEGWIT, TAPROOT].flatMap(text =>
      [0, 1].map(branch => ({
        ...{ desc: text.replace('<0;1>', String(branch)), active: true, internal: branch === 1 },
      })),
    )
    expect(pairsOf(JSON.stringify({ wallet_name: 'cold', descriptors: listed }))).toEqual([
      [SEGWIT, TAPROOT],
    ])
  })

  it('are found in sections of a file by their purposes', () => {
    const section = (purpose: number) => {
      const deriv = `${purpose}'/0'/0'`
      return { deriv: `m/${deriv}`, xpub: own.xpubAt(deriv) }
    }
    const file = { xfp: own.fingerprint, bip84: section(84), bip86: section(86) }
    expect(pairsOf(JSON.stringify(file))).toEqual([[SEGWIT, TAPROOT]])
  })

  it.each([
    ['of another signer', SEGWIT, `tr(${other.key("86'/0'/0'")}/<0;1>/*)`],
    ['of another account', SEGWIT, `tr(${own.key("86'/0'/1'")}/<0;1>/*)`],
    ['of the same path', SEGWIT, `tr(${own.key("84'/0'/0'")}/<0;1>/*)`],
    ['without an origin', SEGWIT, `tr(${own.xpubAt("86'/0'/0'")}/<0;1>/*)`],
    ['with a master key at a shorter path', SEGWIT, `tr(${own.key("86'")}/<0;1>/*)`],
    ['that are both SegWit', SEGWIT, NESTED],
    ['beside Legacy', `pkh(${own.key("44'/0'/0'")}/<0;1>/*)`, TAPROOT],
  ])('are none %s', (_, payment, ordinals) => {
    expect(pairsOf([payment, ordinals].join('\n'))).toEqual([])
  })
})

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from './bytes.ts'
import { CONTEXT_HASH_PATH, type ContextHashParams, deriveContextHash } from './context-hash.ts'
import { deriveKey } from './derivation.ts'
import { mnemonicToSeed } from './mnemonic.ts'
import { NETWORKS, type Network } from './network.ts'
import {
  firstContextHash,
  keyMaterialOf,
  referenceContextHash,
} from './testing/context-hash-reference.ts'
import vectors from './testing/vectors/context-hash.json' with { type: 'json' }

/** The table of the specification. */
const NAMES: { [network in Network]: string } = {
  mainnet: 'bitcoin-mainnet',
  testnet4: 'bitcoin-testnet',
  signet: 'bitcoin-signet',
  regtest: 'bitcoin-regtest',
}

const [WALLET] = vectors.wallet

describe('the published vectors', () => {
  it('have the key material at a path of its own, with the number that its name hashes to', async () => {
    const seed = await mnemonicToSeed(vectors.mnemonic, '')
    expect(toHex(deriveKey(seed, CONTEXT_HASH_PATH).privateKey)).toBe(vectors.keyMaterial)
    const hash = createHash('sha256').update('derive-context-hash').digest()
    expect(CONTEXT_HASH_PATH).toBe(`m/${hash.readUInt32BE() & 0x7fff_ffff}'`)
  })

  it('are what a wallet of the phrase gives an application on mainnet', async () => {
    expect(vectors.wallet).toHaveLength(1)
    const seed = await mnemonicToSeed(vectors.mnemonic, '')
    for (const { path, publicKey, appName, network, context, output } of vectors.wallet) {
      expect(network).toBe(NAMES.mainnet)
      expect(toHex(deriveKey(seed, path).publicKey)).toBe(publicKey)
      const derived = deriveContextHash({
        keyMaterial: deriveKey(seed, CONTEXT_HASH_PATH).privateKey,
        appName,
        network: 'mainnet',
        publicKey: fromHex(publicKey),
        context: fromHex(context),
      })
      expect(toHex(derived)).toBe(output)
    }
  })

  it('hold for the second implementation that other tests compare with', () => {
    expect(keyMaterialOf(vectors.mnemonic)).toBe(vectors.keyMaterial)
    expect(vectors.firstRevision).toHaveLength(3)
    for (const { appName, context, output } of vectors.firstRevision)
      expect(firstContextHash(vectors.keyMaterial, appName, context)).toBe(output)
    for (const { output, network: networkName, ...rest } of vectors.wallet)
      expect(referenceContextHash({ ...rest, keyMaterial: vectors.keyMaterial, networkName })).toBe(
        output,
      )
  })
})

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const anyParams: fc.Arbitrary<ContextHashParams> = fc.record({
  keyMaterial: bytes(32),
  appName: fc.stringMatching(/^[a-z0-9-]{1,64}$/),
  network: fc.constantFrom(...NETWORKS),
  publicKey: bytes(33),
  context: fc.uint8Array({ minLength: 1, maxLength: 1024 }),
})

describe('deriveContextHash', () => {
  it('gives what the second implementation gives, whatever it is given', () => {
    fc.assert(
      fc.property(anyParams, params => {
        const { keyMaterial, appName, network, publicKey, context } = params
        const expected = referenceContextHash({
          keyMaterial: toHex(keyMaterial),
          appName,
          networkName: NAMES[network],
          publicKey: toHex(publicKey),
          context: toHex(context),
        })
        expect(toHex(deriveContextHash(params))).toBe(expected)
      }),
    )
  })

  it('gives something else as soon as one thing is another', () => {
    fc.assert(
      fc.property(anyParams, anyParams, (params, other) => {
        const before = toHex(deriveContextHash(params))
        for (const field of Object.keys(params)) {
          const changed = { ...params, [field]: Object(other)[field] }
          const isSame = JSON.stringify(changed) === JSON.stringify(params)
          expect(toHex(deriveContextHash(changed)) === before, field).toBe(isSame)
        }
      }),
    )
  })

  it('takes no key of another length', () => {
    const params: ContextHashParams = {
      keyMaterial: fromHex(vectors.keyMaterial),
      appName: 'test-app',
      network: 'mainnet',
      publicKey: fromHex(WALLET?.publicKey ?? ''),
      context: fromHex('00'),
    }
    const xOnly = params.publicKey.subarray(1)
    expect(() => deriveContextHash({ ...params, publicKey: xOnly })).toThrow(
      'publicKey: expected 33 bytes, got 32',
    )
    expect(() => deriveContextHash({ ...params, keyMaterial: new Uint8Array(64) })).toThrow(
      'keyMaterial: expected 32 bytes, got 64',
    )
  })
})

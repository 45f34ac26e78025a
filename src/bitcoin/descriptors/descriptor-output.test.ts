import { DescriptorsFactory, ecc } from '@bitcoinerlab/descriptors'
import { BIP32Factory } from 'bip32'
import { networks } from 'bitcoinjs-lib'
import { hash160, sha256 } from 'bitcoinjs-lib/src/crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../bytes.ts'
import { HARDENED } from '../key-origin.ts'
import { isLeafOf } from '../signing/taproot-leaf.ts'
import { countDerivations } from '../testing/derivations.ts'
import published from '../testing/vectors/bip381-387.json' with { type: 'json' }
import { countDescriptorBranches, formatDescriptor, parseDescriptor } from './descriptor.ts'
import { deriveOutput } from './descriptor-output.ts'

const { Output } = DescriptorsFactory(ecc)
const { fromSeed } = BIP32Factory(ecc)

const XPUB =
  'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL'
const KEY = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'
const UNSPENDABLE = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0'

/** Published descriptors whose keys and kinds are understood: with the scripts at index 0, 1 and 2. */
const VECTORS = published.valid.filter(({ descriptor }) => isTaken(descriptor))

describe('the output of a descriptor', () => {
  it.each(VECTORS)('of BIP-$bip is the published one: $descriptor', ({ descriptor, scripts }) => {
    const parsed = parseDescriptor(descriptor)
    const found = scripts.map((_, index) => deriveOutput(parsed, { branch: 0, index }))
    expect(found.map(({ scriptPubKey }) => toHex(scriptPubKey))).toEqual(scripts)
  })

  it('was compared with published ones of each BIP', () => {
    expect(new Set(VECTORS.map(({ bip }) => bip))).toEqual(new Set([381, 382, 383, 386, 387]))
    expect(VECTORS.length).toBeGreaterThan(8)
  })

  it('has the origin of each key as BIP-174 wants it', () => {
    const parsed = parseDescriptor(`wpkh([D34DB33F/84h/0h/5h]${XPUB}/<0;1>/*)`)
    const [key] = deriveOutput(parsed, { branch: 1, index: 7 }).keys
    expect(key?.origin).toEqual({
      fingerprint: 'd34db33f',
      path: [84 + HARDENED, HARDENED, 5 + HARDENED, 1, 7],
    })
    expect(key?.leafHashes).toEqual([])
  })

  it('without an origin counts from its own key, as Bitcoin Core does', () => {
    const [extended, plain] = deriveOutput(parseDescriptor(`wsh(multi(1,${XPUB}/5/*,${KEY}))`), {
      branch: 0,
      index: 3,
    }).keys
    const own = BIP32Factory(ecc).fromBase58(XPUB).fingerprint
    expect(extended?.origin).toEqual({ fingerprint: toHex(own), path: [5, 3] })
    const keyHash = toHex(hash160(fromHex(KEY)))
    expect(plain?.origin).toEqual({ fingerprint: keyHash.slice(0, 8), path: [] })
  })

  it('of taproot names the leaf that a key is in, and each key once', () => {
    const { keys, taproot } = deriveOutput(
      parseDescriptor(`tr(${KEY},multi_a(1,${KEY.slice(2)},${XPUB}))`),
      { branch: 0, index: 0 },
    )
    const hash = taproot?.leaf?.hash ?? new Uint8Array()
    expect(hash.length).toBe(32)
    expect(keys.map(({ leafHashes }) => leafHashes)).toEqual([[hash], [hash]])
  })

  it('has scripts that hash to each other, from the witness script to the address', () => {
    const { scriptPubKey, redeemScript, witnessScript } = deriveOutput(
      parseDescriptor(`sh(wsh(sortedmulti(1,${KEY},${XPUB})))`),
      { branch: 0, index: 0 },
    )
    expect(toHex(redeemScript ?? new Uint8Array())).toBe(
      `0020${toHex(sha256(witnessScript ?? new Uint8Array()))}`,
    )
    expect(toHex(scriptPubKey)).toBe(`a914${toHex(hash160(redeemScript ?? new Uint8Array()))}87`)
  })

  it('of a test network is that of another library', () => {
    const node = fromSeed(new Uint8Array(32).fill(9), networks.testnet)
    const text = `wpkh(${node.neutered().toBase58()}/<0;1>/*)`
    const theirs = new Output({ descriptor: text, index: 4, change: 1, network: networks.testnet })
    const { scriptPubKey } = deriveOutput(parseDescriptor(text), { branch: 1, index: 4 })
    expect(toHex(scriptPubKey)).toBe(toHex(theirs.getScriptPubKey()))
  })

  it('is derived once for each key, and the branch once', () => {
    const keys = [1, 2, 3].map(i => {
      const node = fromSeed(new Uint8Array(32).fill(i))
      return `${node.neutered().toBase58()}/<0;1>/*`
    })
    const parsed = parseDescriptor(`wsh(sortedmulti(2,${keys.join(',')}))`)
    const derive = () => {
      for (let index = 0; index < 100; index++) deriveOutput(parsed, { branch: 0, index })
    }
    expect([countDerivations(derive), countDerivations(derive)]).toEqual([303, 0])
  })

  it.each([1, 16, 17, 127, 128, 129])(
    'of taproot has %d keys sign as another library does',
    threshold => {
      const keys = Array.from({ length: 129 }, (_, i) =>
        toHex(fromSeed(new Uint8Array(32).fill(i)).publicKey.subarray(1)),
      )
      const text = `tr(${UNSPENDABLE},multi_a(${threshold},${keys.join(',')}))`
      const { taproot, scriptPubKey } = deriveOutput(parseDescriptor(text), { branch: 0, index: 0 })
      const theirs = new Output({ descriptor: text })
      expect(taproot?.leaf?.script).toEqual(leafOf(theirs)?.tapScript)
      expect(toHex(scriptPubKey)).toBe(toHex(theirs.getScriptPubKey()))
    },
  )

  it('is refused for a branch or an index that there is not', () => {
    const both = parseDescriptor(`wpkh(${XPUB}/<0;1>/*)`)
    const receive = parseDescriptor(`wpkh(${XPUB}/0/*)`)
    const fixed = parseDescriptor(`wpkh(${XPUB}/0/5)`)
    expect(() => deriveOutput(both, { branch: 2, index: 0 })).toThrow(/branch: expected 0 to 1/)
    expect(() => deriveOutput(receive, { branch: 1, index: 0 })).toThrow(/expected 0 to 0/)
    expect(() => deriveOutput(fixed, { branch: 0, index: 1 })).toThrow(/index: expected 0 to 0/)
    for (const index of [-1, 0.5, HARDENED, Number.NaN])
      expect(() => deriveOutput(both, { branch: 0, index })).toThrow(/index: expected/)
  })
})

// Independent: the reading of descriptors, the scripts and the origins are those of @bitcoinerlab/descriptors. Shared: the
// curve (@bitcoinerlab/secp256k1) and BIP-32 (bip32), which the BIPs' vectors hold.
describe('random descriptors have the scripts and origins of another library', () => {
  const step = fc.nat({ max: HARDENED - 1 })
  const seed = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const extended = fc
    .record({
      seed,
      above: fc.array(step, { maxLength: 3 }),
      below: fc.array(step, { maxLength: 2 }),
    })
    .map(({ seed, above, below }) => {
      const master = fromSeed(seed)
      const node = above.reduce((node, step) => node.deriveHardened(step), master)
      const origin = [toHex(master.fingerprint), ...above.map(step => `${step}h`)].join('/')
      return `[${origin}]${node.neutered().toBase58()}${below.map(step => `/${step}`).join('')}/<0;1>/*`
    })
  const plain = seed.map(seed => toHex(fromSeed(seed).publicKey))
  const key = fc.oneof({ arbitrary: extended, weight: 3 }, { arbitrary: plain, weight: 1 })
  const list = (most: number) =>
    fc
      .tuple(extended, fc.array(key, { maxLength: most - 1 }))
      .chain(([first, others]) =>
        fc
          .integer({ min: 1, max: others.length + 1 })
          .map(threshold => [threshold, first, ...others].join(',')),
      )
  const descriptor = fc.oneof(
    extended.map(key => `pkh(${key})`),
    extended.map(key => `wpkh(${key})`),
    extended.map(key => `sh(wpkh(${key}))`),
    extended.map(key => `tr(${key})`),
    list(15).map(keys => `sh(sortedmulti(${keys}))`),
    list(15).map(keys => `sh(multi(${keys}))`),
    list(20).map(keys => `wsh(sortedmulti(${keys}))`),
    list(20).map(keys => `wsh(multi(${keys}))`),
    list(20).map(keys => `sh(wsh(sortedmulti(${keys})))`),
    list(6).map(keys => `tr(${UNSPENDABLE},sortedmulti_a(${xOnly(keys)}))`),
    fc.tuple(extended, list(6)).map(([key, keys]) => `tr(${key},multi_a(${xOnly(keys)}))`),
  )

  it('at a random index of both branches', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(descriptor, step, fc.constantFrom(0, 1), (text, index, branch) => {
        const theirs = new Output({ descriptor: text, index, change: branch })
        const parsed = parseDescriptor(text)
        expect(countDescriptorBranches(parsed)).toBe(2)
        expect(formatDescriptor(parsed).split('#')[0]).toBe(text)
        const ours = deriveOutput(parsed, { branch, index })
        seen.add(text.replace(/(_a|multi)?\(.*/, '$1'))
        expect(toHex(ours.scriptPubKey)).toBe(toHex(theirs.getScriptPubKey()))
        expect(ours.redeemScript).toEqual(theirs.getRedeemScript() ?? null)
        expect(ours.witnessScript).toEqual(theirs.getWitnessScript() ?? null)
        const leaf = ours.taproot?.leaf
        if (leaf) expect(isLeafOf(ours.scriptPubKey, leaf)).toBe(true)
        expect(leaf?.script).toEqual(leafOf(theirs)?.tapScript)
        expect(originsOf(ours.keys)).toEqual(theirOrigins(theirs))
      }),
      { numRuns: 80 },
    )
    expect(seen.size).toBe(5)
  })
})

type Origin = { publicKey: string; fingerprint: string; path: string }

function originsOf(keys: ReturnType<typeof deriveOutput>['keys']): Origin[] {
  return keys
    .map(({ publicKey, origin }) => ({
      publicKey: toHex(publicKey).slice(2),
      fingerprint: origin.fingerprint,
      path: origin.path
        .map(step => (step >= HARDENED ? `/${step - HARDENED}'` : `/${step}`))
        .join(''),
    }))
    .filter(({ path }) => path !== '')
    .sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1))
}

/** Of the extended keys: the library gives plain keys no origin. */
function theirOrigins(output: InstanceType<typeof Output>): Origin[] {
  const maps = [output.expand().expansionMap, leafOf(output)?.expansionMap]
  return maps
    .flatMap(map => Object.values(map ?? {}))
    .filter(({ masterFingerprint }) => masterFingerprint !== undefined)
    .map(({ pubkey = new Uint8Array(), masterFingerprint, originPath = '', keyPath = '' }) => ({
      publicKey: toHex(pubkey.length === 33 ? pubkey.subarray(1) : pubkey),
      fingerprint: toHex(masterFingerprint ?? new Uint8Array()),
      path: `${originPath}${keyPath}`.replaceAll('h', "'"),
    }))
    .sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1))
}

function leafOf(output: InstanceType<typeof Output>) {
  const { tapTreeInfo } = output.expand()
  return tapTreeInfo && 'tapScript' in tapTreeInfo ? tapTreeInfo : undefined
}

function xOnly(keys: string): string {
  return keys.replace(/(?<=,|^)0[23]([0-9a-f]{64})(?=,|$)/g, '$1')
}

function isTaken(descriptor: string): boolean {
  try {
    parseDescriptor(descriptor)
    return true
  } catch {
    return false
  }
}

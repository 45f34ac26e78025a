import { UR, URDecoder, UREncoder } from '@ngraveio/bc-ur'
import { joinQRs, splitQRs } from 'bbqr'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromBase64, toBase64, toHex, toUtf8 } from '../bytes.ts'
import bbqr from '../testing/vectors/bbqr.json' with { type: 'json' }
import bcrKeys from '../testing/vectors/bcr-keys.json' with { type: 'json' }
import { splitBbqr } from './bbqr.ts'
import { encodeCbor } from './cbor.ts'
import { createPartReader, type PartReader } from './part-reader.ts'
import { createPsbtFrames } from './part-writer.ts'
import { formatUr } from './ur.ts'

const PSBTS = Object.entries(bbqr.psbts).map(([name, base64]) => ({
  name,
  psbt: fromBase64(base64),
}))
const [SMALL, MEDIUM, LARGE] = PSBTS.map(({ psbt }) => psbt) as [Uint8Array, Uint8Array, Uint8Array]

/** Any bytes after a PSBT's magic: the reader does not look further. */
const psbtLike = fc
  .uint8Array({ minLength: 1, maxLength: 3000 })
  .map(bytes => concatBytes(Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff), bytes))

async function readAll(texts: readonly string[], reader: PartReader = createPartReader()) {
  for (const text of texts) await reader.add(text)
  return reader.progress()
}

// The encoders and decoders of @ngraveio/bc-ur and bbqr share nothing with ours.
describe('uniform resources and @ngraveio/bc-ur', () => {
  it('what they write we read, shuffled, repeated and with losses', () =>
    fc.assert(
      fc.asyncProperty(
        psbtLike,
        fc.integer({ min: 10, max: 300 }),
        fc.infiniteStream(fc.nat()),
        async (psbt, length, draws) => {
          const encoder = new UREncoder(
            new UR(Buffer.from(encodeCbor(psbt)), 'crypto-psbt'),
            length,
          )
          const reader = createPartReader()
          const seen: string[] = []
          for (let i = 0; reader.progress().result === null; i++) {
            expect(i).toBeLessThan(20 * encoder.fragmentsLength + 200)
            const text = encoder.nextPart()
            const draw = (draws.next().value as number) % 4
            if (draw !== 0) seen.push(text)
            if (draw === 1) seen.push(seen[0] ?? text)
            if (draw === 3) await readAll(seen.splice(0).reverse(), reader)
          }
          expect(reader.progress()).toMatchObject({
            share: 1,
            result: { kind: 'psbt', bytes: psbt },
          })
        },
      ),
      { numRuns: 60 },
    ))

  it('what we write they read', () =>
    fc.assert(
      fc.property(
        psbtLike,
        fc.constantFrom('small', 'medium', 'large'),
        fc.nat(7),
        (psbt, density, lost) => {
          const { frame } = createPsbtFrames(psbt, { format: 'ur', density })
          const decoder = new URDecoder()
          for (let i = 0; !decoder.isComplete(); i++) {
            expect(i).toBeLessThan(2_000)
            if (i % 8 !== lost) decoder.receivePart(frame(i))
          }
          expect(decoder.resultUR().type).toBe('crypto-psbt')
          expect(toHex(decoder.resultUR().decodeCBOR())).toBe(toHex(psbt))
        },
      ),
      { numRuns: 60 },
    ))

  it('is done with fewer parts than their decoder needs, from mixed ones alone', async () => {
    const { frame, count } = createPsbtFrames(LARGE, { format: 'ur', density: 'small' })
    const theirs = new URDecoder()
    const reader = createPartReader()
    let [ours, needed] = [0, 0]
    for (let i = count; !theirs.isComplete(); i++, needed++) {
      theirs.receivePart(frame(i))
      if ((await reader.add(frame(i))).result === null) ours++
    }
    expect(reader.progress().result).toEqual({ kind: 'psbt', bytes: LARGE })
    expect(ours).toBeLessThanOrEqual(needed)
  })
})

describe('BBQr and Coinkite’s library', () => {
  it('the scan of Coinkite’s own reads as their text', async () => {
    const { result } = await readAll([...bbqr.realScan].reverse())
    const theirs = new TextDecoder().decode(joinQRs(bbqr.realScan).raw)
    expect(result).toEqual({ kind: 'text', text: theirs })
    expect(theirs).toContain('Zlib compressed')
  })

  it.each(PSBTS)('$name.psbt, as they write it in every encoding, is read', async ({ psbt }) => {
    for (const encoding of ['H', '2', 'Z'] as const) {
      const { parts } = splitQRs(psbt, 'P', { encoding, minSplit: 3, maxVersion: 15 })
      const { result } = await readAll([...parts.slice(1), ...parts])
      expect(result).toEqual({ kind: 'psbt', bytes: psbt })
    }
  })

  it('what we write they join, and what they write we join', () =>
    fc.assert(
      fc.asyncProperty(psbtLike, fc.integer({ min: 24, max: 900 }), async (psbt, letters) => {
        const texts = splitBbqr(psbt, 'P', letters)
        expect(Math.max(...texts.map(text => text.length))).toBeLessThanOrEqual(letters)
        expect(toHex(joinQRs(texts).raw)).toBe(toHex(psbt))
        const { parts } = splitQRs(psbt, 'P', { minSplit: 1 })
        expect((await readAll(parts)).result).toEqual({ kind: 'psbt', bytes: psbt })
      }),
      { numRuns: 60 },
    ))
})

describe('a reader of parts', () => {
  const ur = createPsbtFrames(MEDIUM, { format: 'ur', density: 'medium' })
  const other = createPsbtFrames(LARGE, { format: 'ur', density: 'medium' })
  const series = createPsbtFrames(MEDIUM, { format: 'bbqr', density: 'small' })

  it('tells how far it is', async () => {
    const reader = createPartReader()
    expect(reader.progress()).toEqual({ share: 0, seen: 0, total: null, result: null })
    await reader.add(ur.frame(0))
    await reader.add(ur.frame(0))
    expect(reader.progress()).toMatchObject({ share: 1 / ur.count, seen: 1, total: ur.count })
  })

  it('reads PSBTs as base64, hex and bytes, and a text as text', async () => {
    const psbt = { kind: 'psbt', bytes: SMALL }
    expect((await readAll([toBase64(SMALL)])).result).toEqual(psbt)
    expect((await readAll([toHex(SMALL).toUpperCase()])).result).toEqual(psbt)
    expect((await createPartReader().addFile(SMALL)).result).toEqual(psbt)
    expect((await createPartReader().addFile(toUtf8(`${toBase64(SMALL)}\n`))).result).toEqual(psbt)
    const text = '{"xfp":"0F056943"}'
    expect((await createPartReader().addFile(toUtf8(text))).result).toEqual({ kind: 'text', text })
  })

  it('reads keys, and the texts of many codes from one file', async () => {
    const account = bcrKeys.find(({ paper }) => paper === 'bcr-2020-015-account')
    expect((await readAll([account?.ur ?? ''])).result).toMatchObject({ kind: 'keys' })
    const lines = Array.from({ length: ur.count }, (_, i) => ur.frame(i)).join('\r\n')
    expect((await createPartReader().addFile(toUtf8(lines))).result).toMatchObject({ kind: 'psbt' })
  })

  it.each([
    ['another message', () => [ur.frame(0), other.frame(1)], 'mixed'],
    ['another format', () => [ur.frame(0), series.frame(0)], 'mixed'],
    ['another format, the other way round', () => [series.frame(0), ur.frame(0)], 'mixed'],
    ['a text of its own amid parts', () => [ur.frame(0), 'bc1q'], 'mixed'],
    ['a letter that changed', () => [ur.frame(0).replace(/.$/, 'A')], 'damaged'],
    ['a part that is not below the number of parts', () => ['B$HP0101AA'], 'damaged'],
    ['another encoding of BBQr', () => ['B$XP0100AA'], 'unsupported'],
    [
      'an unknown type',
      () => [formatUr({ type: 'crypto-seed', cbor: encodeCbor(1) })],
      'unsupported',
    ],
    ['a PSBT that is none', () => ['B$HP0100AABB'], 'damaged'],
    ['packed bytes that are none', () => ['B$ZP0100777777'], 'damaged'],
    ['base64 that was cut', () => [toBase64(SMALL).slice(0, -3)], 'damaged'],
  ])('says what is wrong with %s', async (_, texts, problem) => {
    await expect(readAll(texts())).rejects.toThrow(expect.objectContaining({ problem }))
  })

  it('goes on after a foreign code', async () => {
    const reader = createPartReader()
    await reader.add(ur.frame(0))
    await expect(reader.add(other.frame(1))).rejects.toThrow('another message')
    for (let i = 1; i < ur.count; i++) await reader.add(ur.frame(i))
    expect(reader.progress().result).toEqual({ kind: 'psbt', bytes: MEDIUM })
  })
})

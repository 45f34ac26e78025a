import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { fromBase64 } from '../bytes.ts'
import bbqr from '../testing/vectors/bbqr.json' with { type: 'json' }
import bcrKeys from '../testing/vectors/bcr-keys.json' with { type: 'json' }
import { encodeBase32 } from './bbqr.ts'
import { encodeBytewords } from './bytewords.ts'
import { encodeCbor } from './cbor.ts'
import { encodeFountainPart } from './fountain.ts'
import { createPartReader } from './part-reader.ts'
import { createPsbtFrames } from './part-writer.ts'
import { QrCodeError } from './qr-error.ts'

/** Texts of codes that are as they should be, of several messages and formats. */
const TEXTS = [
  ...Object.values(bbqr.psbts).flatMap(base64 =>
    (['ur', 'bbqr'] as const).flatMap(format => {
      const { count, frame } = createPsbtFrames(fromBase64(base64), { format, density: 'medium' })
      return Array.from({ length: Math.min(count + 3, 12) }, (_, i) => frame(i))
    }),
  ),
  ...bbqr.realScan,
  ...bcrKeys.flatMap(({ ur }) => (ur === null ? [] : [ur])),
  bbqr.psbts['1in2out'],
]

describe('hostile codes', () => {
  it('each is read or refused with an error of ours, one after the other into the same reader', async () => {
    const { count, seed } = campaign('hostile codes')
    const next = createRandom(seed)
    let reader = createPartReader()
    for (let i = 0; i < count; i++) {
      const text = damage(TEXTS[next(TEXTS.length)] as string, next)
      try {
        const { share, seen, total, result } = await reader.add(text)
        expect(share >= 0 && share <= 1 && seen <= (total ?? 0)).toBe(true)
        if (result) reader = createPartReader()
      } catch (error) {
        if (!(error instanceof QrCodeError))
          throw new Error(`case ${i}: ${text.slice(0, 80)}`, { cause: error })
      }
      if (next(50) === 0) reader = createPartReader()
    }
  }, 3_600_000)

  it.each([
    ['100 MB', [1, 2_000, 100_000_000, 1, new Uint8Array(50_000)]],
    ['four billion parts', [1, 4_000_000_000, 3_999_999, 1, new Uint8Array(1)]],
  ])(
    'a part that claims %s is refused as too large',
    async (_, [sequence, count, length, checksum, data]) => {
      const part = {
        ...{
          sequence: sequence as number,
          count: count as number,
          messageLength: length as number,
        },
        ...{ checksum: checksum as number, data: (data as Uint8Array).subarray(0, 2_000) },
      }
      const text = `ur:bytes/${sequence}-${count}/${encodeBytewords(encodeFountainPart(part))}`
      await expect(createPartReader().add(text)).rejects.toThrow(
        expect.objectContaining({ problem: 'too-large' }),
      )
    },
  )

  it('a byte string that claims 100 MB is refused', async () => {
    const cbor = encodeCbor(new Uint8Array(300)).slice(0, 200)
    cbor.set([0x5a, 0x05, 0xf5, 0xe1, 0x00])
    await expect(createPartReader().add(`ur:bytes/${encodeBytewords(cbor)}`)).rejects.toThrow(
      'too early',
    )
  })

  it('packed bytes that would be 100 MB are refused, within bounded memory', async () => {
    const packed = deflateRawSync(new Uint8Array(100_000_000), { windowBits: 10 })
    const size = 2_500
    const count = Math.ceil(packed.length / size)
    const pad = (value: number) => value.toString(36).toUpperCase().padStart(2, '0')
    const reader = createPartReader()
    const before = process.memoryUsage().arrayBuffers
    const read = async () => {
      for (let i = 0; i < count; i++)
        await reader.add(
          `B$ZB${pad(count)}${pad(i)}${encodeBase32(packed.subarray(i * size, (i + 1) * size))}`,
        )
    }
    await expect(read()).rejects.toThrow(expect.objectContaining({ problem: 'too-large' }))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000)
  })

  it('a stream that brings nothing new ends', async () => {
    const reader = createPartReader()
    const { frame, count } = createPsbtFrames(fromBase64(bbqr.psbts['1in2out']), {
      ...{ format: 'ur', density: 'small' },
    })
    expect(count).toBeGreaterThan(2)
    const read = async () => {
      for (let i = 0; i < 20_000; i++) await reader.add(frame(i % 2))
    }
    await expect(read()).rejects.toThrow(expect.objectContaining({ problem: 'endless' }))
  })

  it('a thousand parts of which none is plain are worked out', async () => {
    const psbt = new Uint8Array(1_000 * 80 - 20).map((_, i) => (i * 7919) >> 3)
    psbt.set([0x70, 0x73, 0x62, 0x74, 0xff])
    const { frame, count } = createPsbtFrames(psbt, { format: 'ur', density: 'small' })
    const reader = createPartReader()
    for (let i = count; reader.progress().result === null; i++) await reader.add(frame(i))
    expect(reader.progress().result).toEqual({ kind: 'psbt', bytes: psbt })
  })
})

function damage(text: string, next: (below: number) => number): string {
  const at = next(text.length + 1)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$/-:abcdef\u0000\u20ac'
  const letter = letters[next(letters.length)] ?? 'A'
  switch (next(8)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(at)
    case 2:
      return text.slice(0, at) + letter + text.slice(at + 1)
    case 3:
      return text.slice(0, at) + letter.repeat(1 + next(5)) + text.slice(at)
    case 4:
      return text.slice(0, 8) + text.slice(8).split('').reverse().join('')
    case 5:
      return text.replace(/[0-9]+/, () => `${next(2 ** 31)}`)
    case 6: {
      // A part with a checksum that is right, of bytes that are not.
      const bytes = Uint8Array.from({ length: 3 + next(60) }, () => next(256))
      if (next(2) === 0) bytes.set([0x85, 1, 2])
      const types = [
        'bytes/',
        'crypto-psbt/1-2/',
        'crypto-hdkey/',
        'crypto-account/',
        'output-descriptor/',
      ]
      return `ur:${types[next(types.length)]}${encodeBytewords(bytes)}`
    }
    default:
      return text
  }
}

/** Numbers of mulberry32, so that a seed gives the same cases again. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

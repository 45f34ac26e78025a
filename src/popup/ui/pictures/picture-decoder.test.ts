import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Question } from '../../../decoder/protocol.ts'
import { createPictureDecoder, UndecodedPictureError } from './picture-decoder.ts'

class Bitmap {
  isClosed = false
  readonly width: number
  readonly height: number
  constructor(width: number, height: number) {
    this.width = width
    this.height = height
  }
  close() {
    this.isClosed = true
  }
}

/** Decoders whose every answer is written by hand. */
function openScripted() {
  const frames: { asked: Question[]; say: (message: unknown) => void; isClosed: boolean }[] = []
  const decoder = createPictureDecoder({
    open: say => {
      const frame = { asked: [] as Question[], say, isClosed: false }
      frames.push(frame)
      return {
        send: question => frame.asked.push(question),
        close: () => {
          frame.isClosed = true
        },
      }
    },
    timeout: 1_000,
  })
  /** The decoder that is there now answers what it was asked last. */
  const answer = async (frame: unknown, changes: object = {}) => {
    await vi.advanceTimersByTimeAsync(0)
    const now = frames.at(-1)
    now?.say({ nonce: now.asked.at(-1)?.nonce, frame, ...changes })
    await vi.advanceTimersByTimeAsync(0)
  }
  return { decoder, frames, answer }
}

const bytes = () => new Uint8Array([1, 2, 3])
const still = (bitmap: Bitmap) => ({ bitmap, duration: null })

/** What became of it: `open` while nothing has. */
function watch(promise: Promise<unknown>) {
  const seen: { outcome: unknown } = { outcome: 'open' }
  promise.then(
    value => {
      seen.outcome = value
    },
    error => {
      seen.outcome = error instanceof UndecodedPictureError ? 'damaged' : error
    },
  )
  return seen
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('ImageBitmap', Bitmap)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a decoder that answers as it should', () => {
  it('is started with the first picture and kept for the next, one question at a time', async () => {
    const { decoder, frames, answer } = openScripted()
    expect(frames).toHaveLength(0)
    const first = watch(decoder.decode(bytes(), { side: 400 }))
    const second = watch(decoder.decode(bytes(), { side: 400 }))
    const bitmap = new Bitmap(400, 1)
    await answer(still(bitmap))
    expect(first.outcome).toEqual({ bitmap, movement: null })
    expect(second.outcome).toBe('open')
    await answer(still(bitmap))
    expect(second.outcome).toEqual({ bitmap, movement: null })
    expect(frames).toHaveLength(1)
    expect(frames[0]?.asked.map(({ ask }) => ask)).toEqual(['picture', 'picture'])
  })

  it('that finds no picture is kept', async () => {
    const { decoder, frames, answer } = openScripted()
    const broken = watch(decoder.decode(bytes(), { side: 400 }))
    await answer(null)
    expect(broken.outcome).toBe('damaged')
    expect(frames[0]?.isClosed).toBe(false)
  })

  it('gives one frame after the other of what moves, until it ends or is ended', async () => {
    const { decoder, frames, answer } = openScripted()
    const decoding = decoder.decode(bytes(), { side: 8, moving: true })
    await answer({ bitmap: new Bitmap(8, 8), duration: 50 })
    const { movement } = await decoding
    expect(movement?.duration).toBe(50)
    const next = watch(Promise.resolve(movement?.next()))
    const bitmap = new Bitmap(8, 8)
    await answer({ bitmap, duration: 70 })
    expect(next.outcome).toEqual({ bitmap, duration: 70 })
    const last = watch(Promise.resolve(movement?.next()))
    await answer(null)
    expect(last.outcome).toBeNull()
    movement?.end()
    const [picture, ...others] = frames[0]?.asked ?? []
    expect(others.map(one => [one.ask, 'of' in one && one.of === picture?.nonce])).toEqual([
      ['frame', true],
      ['frame', true],
      ['end', true],
    ])
  })
})

describe('a decoder that a picture has taken over', () => {
  it.each([
    ['too wide', still(new Bitmap(401, 10))],
    ['too high', still(new Bitmap(10, 401))],
    ['of no size', still(new Bitmap(0, 0))],
    ['no bitmap, but says its size', still({ width: 10, height: 10 } as never)],
    ['markup', '<img src=x>'],
    ['nothing', undefined],
  ])('is ended when its picture is %s; the next picture has a new one', async (_, frame) => {
    const { decoder, frames, answer } = openScripted()
    const hostile = watch(decoder.decode(bytes(), { side: 400 }))
    await answer(frame)
    expect(hostile.outcome).toBe('damaged')
    expect(frames[0]?.isClosed).toBe(true)
    const bitmap = new Bitmap(1, 1)
    const next = watch(decoder.decode(bytes(), { side: 400 }))
    await answer(still(bitmap))
    expect(next.outcome).toEqual({ bitmap, movement: null })
    expect(frames).toHaveLength(2)
  })

  it('leaves nothing in memory of a picture that is too large', async () => {
    const { decoder, answer } = openScripted()
    const bitmap = new Bitmap(401, 401)
    watch(decoder.decode(bytes(), { side: 400 }))
    await answer(still(bitmap))
    expect(bitmap.isClosed).toBe(true)
  })

  it('is not heard with another nonce, nor with one that has had its answer', async () => {
    const { decoder, frames, answer } = openScripted()
    const first = watch(decoder.decode(bytes(), { side: 400 }))
    const [right, other] = [new Bitmap(1, 1), new Bitmap(2, 2)]
    await answer(still(other), { nonce: 'guessed' })
    await answer(still(other), { nonce: undefined })
    expect(first.outcome).toBe('open')
    await answer(still(right))
    expect(first.outcome).toEqual({ bitmap: right, movement: null })
    const nonce = frames[0]?.asked[0]?.nonce
    const second = watch(decoder.decode(bytes(), { side: 400 }))
    await answer(still(other), { nonce })
    expect(second.outcome).toBe('open')
    await answer(still(right))
    expect(second.outcome).toEqual({ bitmap: right, movement: null })
  })

  it('that says nothing is ended after a while, and what waits behind it has its turn in a new one', async () => {
    const { decoder, frames, answer } = openScripted()
    const hanging = watch(decoder.decode(bytes(), { side: 400 }))
    const waiting = watch(decoder.decode(bytes(), { side: 400 }))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(hanging.outcome).toBe('damaged')
    expect(frames.map(({ isClosed }) => isClosed)).toEqual([true, false])
    const bitmap = new Bitmap(1, 1)
    // What the first one says too late is no answer to anything.
    frames[0]?.say({ nonce: frames[0].asked[0]?.nonce, frame: still(new Bitmap(2, 2)) })
    await answer(still(bitmap))
    expect(waiting.outcome).toEqual({ bitmap, movement: null })
  })

  it('that dies while a picture moves ends the movement, and no later one is asked for its frames', async () => {
    const { decoder, frames, answer } = openScripted()
    const decoding = decoder.decode(bytes(), { side: 8, moving: true })
    await answer({ bitmap: new Bitmap(8, 8), duration: 50 })
    const { movement } = await decoding
    const next = watch(Promise.resolve(movement?.next()))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(next.outcome).toBeNull()
    watch(decoder.decode(bytes(), { side: 8 }))
    await answer(still(new Bitmap(1, 1)))
    expect(await movement?.next()).toBeNull()
    movement?.end()
    expect(frames[1]?.asked.map(({ ask }) => ask)).toEqual(['picture'])
  })

  it('makes nothing move that is wanted still, and nothing faster or slower than can be seen', async () => {
    const { decoder, answer } = openScripted()
    const quiet = decoder.decode(bytes(), { side: 8 })
    await answer({ bitmap: new Bitmap(8, 8), duration: 50 })
    expect((await quiet).movement).toBeNull()
    for (const [said, taken] of [
      [0, 100],
      [-5, 100],
      [Number.NaN, 100],
      [Number.POSITIVE_INFINITY, 60_000],
    ]) {
      const decoding = decoder.decode(bytes(), { side: 8, moving: true })
      await answer({ bitmap: new Bitmap(8, 8), duration: said })
      expect((await decoding).movement?.duration).toBe(taken)
    }
  })
})

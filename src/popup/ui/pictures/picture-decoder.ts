import type { Answer, Question } from '../../../decoder/protocol.ts'

/** What is shown of a picture: its pixels, and for how many milliseconds; null for the last that comes. */
export type Frame = { bitmap: ImageBitmap; duration: number | null }

/** Frames after the first, each decoded when it is asked for. */
export type Movement = {
  /** Of the first frame, in milliseconds. */
  duration: number
  /** The next frame; null when there is none, or the decoder failed. */
  next(): Promise<Frame | null>
  /** No more of it is wanted. */
  end(): void
}

export type Picture = { bitmap: ImageBitmap; movement: Movement | null }

/** What could not be decoded, or not in time. */
export class UndecodedPictureError extends Error {
  override name = 'UndecodedPictureError'
}

/** A decoder that was started, in whose place another can be started at any time. */
export type DecoderLink = { send(question: Question): void; close(): void }

type PictureDecoderDeps = {
  /** Starts a decoder; whatever it says comes to `listen`. */
  open: (listen: (message: unknown) => void) => DecoderLink
  /** Milliseconds for an answer, the start of the decoder included. */
  timeout?: number
}

/** Sixteen megapixels take a slow computer some seconds. */
export const DECODING_MS = 15_000

/**
 * Asks a decoder that a hostile picture may have taken over. One question is open at a time; all that counts is the first
 * answer with its nonce, and nothing of that but a bitmap within the size that was asked for. A decoder that says anything
 * else to it, or nothing in time, is ended, and the next question gets a new one.
 */
export function createPictureDecoder({ open, timeout = DECODING_MS }: PictureDecoderDeps) {
  let link: DecoderLink | null = null
  let asking: { nonce: string; side: number; settle: (frame: Frame | null) => void } | null = null
  let last: Promise<unknown> = Promise.resolve()

  return {
    /** At most `side` pixels wide and high, with its further frames if it is wanted `moving` and does. Throws {@link UndecodedPictureError}. */
    async decode(
      bytes: Uint8Array<ArrayBuffer>,
      { side, moving = false }: { side: number; moving?: boolean },
    ): Promise<Picture> {
      const nonce = crypto.randomUUID()
      const frame = await ask({ nonce, ask: 'picture', bytes, side, moving }, side)
      if (!frame) throw new UndecodedPictureError('The picture could not be decoded')
      const { bitmap, duration } = frame
      const isMoving = moving && duration !== null
      return { bitmap, movement: isMoving ? describeMovement(nonce, side, duration) : null }
    },
  }

  function describeMovement(of: string, side: number, duration: number): Movement {
    const decoder = link
    return {
      duration,
      next: async () =>
        link === decoder ? ask({ nonce: crypto.randomUUID(), ask: 'frame', of }, side) : null,
      end() {
        if (link === decoder) link?.send({ nonce: crypto.randomUUID(), ask: 'end', of })
      },
    }
  }

  /** Waits for the answer to the question before. */
  function ask(question: Question, side: number): Promise<Frame | null> {
    const turn = last.then(() => askNow(question, side))
    last = turn
    return turn
  }

  function askNow(question: Question, side: number): Promise<Frame | null> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        renew()
        settle(null)
      }, timeout)
      const settle = (frame: Frame | null) => {
        clearTimeout(timer)
        asking = null
        resolve(frame)
      }
      asking = { nonce: question.nonce, side, settle }
      link ??= open(listen)
      link.send(question)
    })
  }

  function listen(message: unknown): void {
    if (!asking || !isRecord(message) || message.nonce !== asking.nonce) return
    const { side, settle } = asking
    const frame = message.frame === null ? null : parseFrame(message.frame, side)
    if (frame === undefined) renew()
    settle(frame ?? null)
  }

  function renew(): void {
    link?.close()
    link = null
  }
}

export type PictureDecoder = ReturnType<typeof createPictureDecoder>

/** Undefined for what is none. */
function parseFrame(frame: unknown, side: number): Frame | undefined {
  if (!isRecord(frame) || !(frame.bitmap instanceof ImageBitmap)) return undefined
  const { bitmap, duration } = frame as NonNullable<Answer['frame']>
  const isWithin = (length: number) => length >= 1 && length <= side
  if (!isWithin(bitmap.width) || !isWithin(bitmap.height)) {
    bitmap.close()
    return undefined
  }
  return { bitmap, duration: typeof duration === 'number' ? limitDuration(duration) : null }
}

/** Faster than any screen, as browsers do it, is slow; and no frame stands for ever. */
function limitDuration(duration: number): number {
  return duration > 10 ? Math.min(duration, 60_000) : 100
}

function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null
}

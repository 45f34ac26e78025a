/** What the page that holds the decoder asks, by the port that it hands over. */
export type Question = {
  /** Of this question alone; the answer repeats it. */
  nonce: string
} & (
  | {
      ask: 'picture'
      /** An encoded picture: whatever somebody inscribed, or chose. */
      bytes: Uint8Array<ArrayBuffer>
      /** A larger picture is shrunk to so many pixels a side. */
      side: number
      /** Whether further frames may be asked for. */
      moving: boolean
    }
  /** The next frame of the moving picture that was asked for with that nonce. */
  | { ask: 'frame'; of: string }
  /** No further frames of it; has no answer. */
  | { ask: 'end'; of: string }
)

/** What the decoder answers; the page that asks takes it for a stranger's word. */
export type Answer = {
  nonce: string
  /** Null for what is no picture, is damaged, or moves no more. */
  frame: {
    bitmap: ImageBitmap
    /** How long it stands until the next one, in milliseconds; null where none follows. */
    duration: number | null
  } | null
}

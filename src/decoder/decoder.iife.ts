/**
 * The decoder of strangers' pictures: a page of an opaque origin, without extension API, network or storage, that is handed
 * bytes by the port of the page that holds it and answers with pixels. It promises nothing: whoever asks takes all that comes
 * for what bytes that took it over may say. It knows nothing of the wallet, and does nothing of its own accord.
 */

import { fitPicture, openMovement, sniffType } from './pictures.ts'
import type { Answer, Question } from './protocol.ts'

type Movement = Awaited<ReturnType<typeof openMovement>>

const movements = new Map<string, NonNullable<Movement>>()

addEventListener(
  'message',
  ({ source, ports: [port] }) => {
    if (source !== parent || !port) return
    port.onmessage = ({ data }: MessageEvent<Question>) => {
      void answer(data)
        .catch(() => null)
        .then(frame => {
          if (data.ask === 'end') return
          const reply: Answer = { nonce: data.nonce, frame }
          port.postMessage(reply, frame ? [frame.bitmap] : [])
        })
    }
  },
  { once: true },
)

async function answer(question: Question): Promise<Answer['frame']> {
  if (question.ask === 'frame') return (await movements.get(question.of)?.next()) ?? null
  if (question.ask === 'end') {
    movements.get(question.of)?.close()
    movements.delete(question.of)
    return null
  }
  const { nonce, bytes, side, moving } = question
  const type = sniffType(bytes)
  if (type === null) return null
  const bitmap = await fitPicture(new Blob([bytes], { type }), side)
  const movement = moving ? await openMovement(bytes, type, bitmap).catch(() => null) : null
  if (movement) movements.set(nonce, movement)
  return { bitmap, duration: movement?.duration ?? null }
}

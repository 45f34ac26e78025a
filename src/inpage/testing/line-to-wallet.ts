import type { BackgroundMessage, Request } from '../../provider/envelope.ts'
import { createLine } from '../line.ts'

export type Answer = (request: Request) => { result: unknown } | { error: object } | undefined

/** A line whose other end is `answer`; what it leaves unanswered stays open. */
export function openLine(answer: Answer = () => undefined) {
  const sent: Request[] = []
  const line = createLine({
    post(text) {
      const request: Request = JSON.parse(text)
      if (request.method === undefined) return
      sent.push(request)
      queueMicrotask(() => {
        const outcome = answer(request)
        if (outcome) line.receive(JSON.stringify({ id: request.id, ...outcome }))
      })
    },
  })
  return {
    line,
    sent,
    calls: () => sent.map(({ method, params }) => [method, ...params]),
    tell: (message: BackgroundMessage) => line.receive(JSON.stringify(message)),
    /** Returns when everything that is answered has been. */
    flush: () => new Promise(resolve => setTimeout(resolve)),
  }
}

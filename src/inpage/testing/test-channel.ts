import type { BackgroundMessage, Request } from '../../provider/envelope.ts'
import { createWalletChannel } from '../wallet-channel.ts'

export type Answer = (request: Request) => { result: unknown } | { error: object } | undefined

/** A channel whose other end is `answer`; what it leaves unanswered stays open. */
export function openTestChannel(answer: Answer = () => undefined) {
  const sent: Request[] = []
  const channel = createWalletChannel({
    post(text) {
      const request: Request = JSON.parse(text)
      if (request.method === undefined) return
      sent.push(request)
      queueMicrotask(() => {
        const outcome = answer(request)
        if (outcome) channel.receive(JSON.stringify({ id: request.id, ...outcome }))
      })
    },
  })
  return {
    channel,
    sent,
    calls: () => sent.map(({ method, params }) => [method, ...params]),
    tell: (message: BackgroundMessage) => channel.receive(JSON.stringify(message)),
    /** Returns when everything that is answered has been. */
    flush: () => new Promise(resolve => setTimeout(resolve)),
  }
}

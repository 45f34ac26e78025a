import type { BackgroundMessage } from '../../provider/envelope.ts'

/** Takes what a page is told; resolves once the browser has it. */
export type Post = (message: BackgroundMessage) => Promise<void>

/**
 * What is said to one page, in its order. Answers to calls that came together go together where they are ready together: a
 * message costs the browser several times what working out a small answer does. One that is not ready holds up no other.
 */
export function createOutbox(deps: {
  /** Hands one message to the browser, or several of them in a list. Throws where they are too much for one. */
  deliver(message: BackgroundMessage | BackgroundMessage[]): void
  /** Called where a message cannot be handed over by itself. */
  lose(error: unknown): void
  /** Runs a task after those that are waiting. */
  runLater(task: () => void): void
}) {
  const { deliver, lose, runLater } = deps
  const awaited = new Set<string>()
  let waiting: { message: BackgroundMessage; resolve(): void }[] = []

  /** Calls that came together: their answers wait for one another, but not for longer than what is ready takes. */
  function expect(ids: readonly string[]): void {
    for (const id of ids) awaited.add(id)
    runLater(flush)
  }

  const post: Post = message =>
    new Promise(resolve => {
      waiting.push({ message, resolve })
      if ('id' in message) awaited.delete(message.id)
      if (awaited.size === 0) flush()
    })

  function flush(): void {
    awaited.clear()
    const sent = waiting
    waiting = []
    const messages = sent.map(({ message }) => message)
    if (messages.length > 1) sendTogether(messages)
    else for (const message of messages) send(message)
    for (const { resolve } of sent) resolve()
  }

  function sendTogether(messages: BackgroundMessage[]): void {
    try {
      deliver(messages)
    } catch {
      for (const message of messages) send(message)
    }
  }

  function send(message: BackgroundMessage): void {
    try {
      deliver(message)
    } catch (error) {
      lose(error)
    }
  }

  return { expect, post }
}

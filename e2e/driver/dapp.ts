import { randomUUID } from 'node:crypto'
import type { Page } from 'puppeteer-core'
import { describeScreen, type Screen } from './screen.ts'

/** How a call of the provider ended; `gone` when its page went away before. */
export type Outcome =
  | { result: unknown }
  | { error: { code: unknown; message: string; data?: unknown; isError: boolean } }
  | { gone: string }

/** A web page that may use the wallet. */
export type Dapp = Screen & {
  url: string
  /** Calls `window.satchel.bitcoin[method](...params)`; never rejects. */
  request(method: string, ...params: readonly unknown[]): Promise<Outcome>
  /** Starts to record events; each is `{ event, args }` in `events()`. */
  record(...events: readonly string[]): Promise<void>
  events(): Promise<{ event: string; args: unknown[] }[]>
}

export function describeDapp(page: Page, url: string): Dapp {
  const screen = describeScreen(page)
  return {
    ...screen,
    url,
    async request(method, ...params) {
      try {
        // Firefox runs an interrupted script again in the next document: the call must not follow it there.
        const mark = await screen.evaluate(markDocument, randomUUID())
        return await screen.evaluate(callProvider, mark, method, params)
      } catch (error) {
        return { gone: error instanceof Error ? error.message : String(error) }
      }
    },
    record: (...events) => screen.evaluate(recordEvents, events),
    events: () => screen.evaluate(readEvents),
  }
}

type Provider = {
  [method: string]: (...args: unknown[]) => Promise<unknown>
}
type DappWindow = {
  satchel: { bitcoin: Provider }
  documentMark?: string
  recordedEvents?: { event: string; args: unknown[] }[]
}

function markDocument(fresh: string): string {
  const dapp = globalThis as unknown as DappWindow
  dapp.documentMark ??= fresh
  return dapp.documentMark
}

async function callProvider(
  mark: string,
  method: string,
  params: readonly unknown[],
): Promise<Outcome> {
  const { satchel, documentMark } = globalThis as unknown as DappWindow
  if (documentMark !== mark) return { gone: 'Another document took the place of the page' }
  try {
    return { result: await satchel.bitcoin[method]?.(...params) }
  } catch (thrown) {
    const error = thrown as { code?: unknown; message?: unknown; data?: unknown }
    return {
      error: {
        code: error.code,
        message: String(error.message),
        data: error.data,
        isError: thrown instanceof Error,
      },
    }
  }
}

function recordEvents(events: readonly string[]): void {
  const dapp = globalThis as unknown as DappWindow
  const recorded = dapp.recordedEvents ?? []
  dapp.recordedEvents = recorded
  for (const event of events) {
    dapp.satchel.bitcoin.on?.(event, (...args: unknown[]) => {
      recorded.push({ event, args })
    })
  }
}

function readEvents() {
  return (globalThis as unknown as DappWindow).recordedEvents ?? []
}

import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { PAGE_WALLET } from '../../../release/manifest.ts'
import { nestModules } from '../../../release/nested-modules.ts'
import type { Request } from '../../provider/envelope.ts'

export type Method = (...params: unknown[]) => Promise<unknown>
export type Page = { [name: string]: unknown } & {
  satchel: { bitcoin: { [name: string]: Method } & { selectedAccount: unknown } }
}

/** Node has none. */
class FocusEvent extends Event {
  readonly relatedTarget: EventTarget | null
  constructor(type: string, init: { relatedTarget?: EventTarget } = {}) {
    super(type)
    this.relatedTarget = init.relatedTarget ?? null
  }
}

/** The script as the extension ships it: a self-contained, minified plain script. */
export async function buildScript(entry: string): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    define: { __SATCHEL_VERSION__: '"1.2.3"' },
    plugins: [nestModules(PAGE_WALLET)],
    build: {
      write: false,
      target: ['chrome120', 'firefox140'],
      lib: { entry, formats: ['iife'], name: 'script', fileName: () => 'script.js' },
    },
  })
  const [chunk] = (Array.isArray(outputs) ? outputs : [outputs]).flatMap(output =>
    'output' in output ? output.output : [],
  )
  if (chunk?.type !== 'chunk') throw new Error(`${entry} gave no script`)
  return chunk.code
}

/** The globals of a document, without those of the language, which each realm has of its own. */
export function createDocument() {
  const target = new EventTarget()
  return {
    addEventListener: target.addEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
    EventTarget,
    Event,
    FocusEvent,
    CustomEvent,
    atob,
    crypto,
    queueMicrotask: (task: () => void) => queueMicrotask(task),
  }
}

export function runInPage(document: object, script: string): Page {
  const page = { ...document }
  runInNewContext('globalThis.window = globalThis', page)
  runInNewContext(script, page)
  return page as Page
}

/** Runs the content script beside a background that answers each call with its arguments. */
export function runContent(
  document: object,
  {
    content,
    sent,
    storage,
    sendMessage = async () => undefined,
    shown = { prerendering: false },
  }: {
    content: string
    sent: Request[]
    storage?: object | undefined
    /** How the background answers messages without a port. */
    sendMessage?: (message: unknown) => Promise<unknown>
    /** Its `document`. */
    shown?: object
  },
): void {
  const connect = () => {
    const listeners: ((message: unknown) => void)[] = []
    return {
      postMessage(request: Request) {
        sent.push(request)
        for (const listener of listeners) listener({ id: request.id, result: request.params })
      },
      onMessage: { addListener: (listener: () => void) => listeners.push(listener) },
      onDisconnect: { addListener() {} },
    }
  }
  const runtime = { id: 'id', connect, sendMessage, onMessage: { addListener() {} } }
  const chrome = { runtime, storage }
  const location = { origin: 'https://dapp.example' }
  const globals = { chrome, location, document: shown, setTimeout: () => 0 }
  runInNewContext(content, { ...document, ...globals })
}

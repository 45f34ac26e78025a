import type { Runtime } from 'webextension-polyfill'
import { ALIAS_ANSWER, ALIAS_QUESTION } from '../provider/okx-alias.ts'
import { isHintAt } from './okx-alias.ts'
import { createPipe, type PortLike, runWhenShown } from './pipe.ts'

// Both browsers have it, and it saves the polyfill in every page.
declare const chrome: {
  runtime: Runtime.Static & { lastError?: unknown }
  storage?: { sync: { get(keys: null): Promise<{ [key: string]: unknown }> } }
}

/** Says a text to the page: the JSON of a message, or one about aliases. */
type Say = (text: string) => void

function openPipe(say: Say) {
  let used = false
  const pipe = createPipe({
    connect() {
      const { runtime } = chrome
      const port = runtime.connect({ name: 'page' })
      // Reading the error keeps it out of the page's console.
      port.onDisconnect.addListener(() => runtime.lastError)
      // A page that never uses the wallet costs no listener.
      if (!used) {
        used = true
        runtime.onMessage.addListener((message: unknown) => {
          if (message === 'poke') pipe.poke()
          return undefined
        })
        addEventListener('pageshow', event => {
          if (event.persisted) pipe.restore()
        })
      }
      return port as PortLike
    },
    isAlive: () => !!chrome.runtime?.id,
    // Only text crosses to the page: neither side can hand the other a live object.
    toPage: message => say(JSON.stringify(message)),
    now: Date.now,
    runLater: setTimeout,
    afterTurn: queueMicrotask,
  })
  return pipe
}

/** Serves what the in-page script says on the line that both have. */
function serve(line: EventTarget): void {
  const say = (detail: string) => void line.dispatchEvent(new CustomEvent('answer', { detail }))
  let pipe: ReturnType<typeof openPipe> | undefined
  line.addEventListener('call', event => {
    const { detail } = event as CustomEvent<string>
    runWhenShown(document, () => {
      if (detail === ALIAS_QUESTION) return askForAliases(say)
      pipe ??= openPipe(say)
      pipe.fromPage(detail)
    })
  })
  offerAliases(say)
}

/**
 * Asks for the aliases where the person wants them: one look at the only storage that is open to content scripts, which any
 * page's process may have written, and where that hints at it a word to the page. A page whose extension is gone gets none.
 */
async function offerAliases(say: Say): Promise<void> {
  try {
    // Not by a callback, which would have to look at `chrome.runtime`: in each page that takes longer than all else here.
    const hints = await chrome.storage?.sync.get(null)
    // Nothing is called, and so compiled and kept, in nearly all pages, where there are none.
    for (const key in hints)
      if (isHintAt(location.origin, key, hints[key])) return say(ALIAS_QUESTION)
  } catch {}
}

/** Asks the background for a page that has no aliases yet, by a registered script. */
async function askForAliases(say: Say): Promise<void> {
  try {
    if ((await chrome.runtime.sendMessage(ALIAS_QUESTION)) === true) say(ALIAS_ANSWER)
  } catch {}
}

const askForLine = () => dispatchEvent(new Event('satchel#ask'))

// The in-page script hands over the line in an event that is dispatched before any page code runs.
// Asking again uses up the answer that it has left where it ran second.
function takeLine(event: Event): void {
  const line = (event as FocusEvent).relatedTarget
  if (line) serve(line)
  askForLine()
}
addEventListener('satchel#line', takeLine, { once: true })
askForLine()

import type { Runtime } from 'webextension-polyfill'
import { ALIAS_QUESTION } from '../provider/okx-alias.ts'
import { mayHaveAliases } from './okx-alias.ts'
import { createPipe, type PortLike, runWhenShown } from './pipe.ts'

// Both browsers have it, and it saves the polyfill in every page.
declare const chrome: {
  runtime: Runtime.Static & { lastError?: unknown }
  storage?: { sync: { get(keys: null): Promise<unknown> } }
}

/** Says a JSON text to the page. */
type Say = (text: string) => void

function openPipe(say: Say) {
  let used = false

  function connect(): PortLike {
    const port = chrome.runtime.connect({ name: 'page' })
    // Reading the error keeps it out of the page's console.
    port.onDisconnect.addListener(() => chrome.runtime.lastError)
    if (!used) listenForChanges()
    used = true
    return port as PortLike
  }

  // A page that never uses the wallet costs no listener.
  function listenForChanges(): void {
    chrome.runtime.onMessage.addListener((message: unknown) => {
      if (message === 'poke') pipe.poke()
      return undefined
    })
    addEventListener('pageshow', event => {
      if (event.persisted) pipe.restore()
    })
  }

  const pipe = createPipe({
    connect,
    isExtensionAlive: () => chrome.runtime?.id !== undefined,
    // Only text crosses to the page: neither side can hand the other a live object.
    toPage: message => say(JSON.stringify(message)),
    now: () => Date.now(),
    runLater: (task, delayMs) => setTimeout(task, delayMs),
    afterTurn: task => queueMicrotask(task),
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
      pipe.fromText(detail)
    })
  })
  offerAliases(say)
}

/**
 * Asks for the aliases where the person wants them: one look at the only storage that is open to content scripts, which any
 * page's process may have written, and where that hints at it a word to the page. A page whose extension is gone gets none.
 */
function offerAliases(say: Say): void {
  try {
    // Not by a callback, which would have to look at `chrome.runtime`: in each page that takes longer than all else here.
    chrome.storage?.sync
      .get(null)
      .then(hints => mayHaveAliases(hints, location.origin) && say('{"alias":false}'))
      .catch(() => {})
  } catch {}
}

/** Asks the background for a page that has no aliases yet, by a registered script. */
function askForAliases(say: Say): void {
  chrome.runtime
    .sendMessage(ALIAS_QUESTION)
    .then(answer => answer === true && say('{"alias":true}'))
    .catch(() => {})
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

import type { Runtime } from 'webextension-polyfill'
import { ALIAS_QUESTION } from '../provider/okx-alias.ts'
import { mayHaveAliases } from './okx-alias.ts'
import { createPipe, type PortLike, runWhenShown } from './pipe.ts'

// Both browsers have it, and it saves the polyfill in every page.
declare const chrome: {
  runtime: Runtime.Static & { lastError?: unknown }
  storage?: { sync: { get(keys: null): Promise<unknown> } }
}

function openPipe(page: MessagePort): void {
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
    toPage: message => page.postMessage(JSON.stringify(message)),
    now: () => Date.now(),
    runLater: (task, delayMs) => setTimeout(task, delayMs),
  })
  page.onmessage = ({ data }) =>
    data === ALIAS_QUESTION ? askForAliases(page) : pipe.fromText(data)
}

/**
 * Asks for the aliases where the person wants them: one look at the only storage that is open to content scripts, which any
 * page's process may have written, and where that hints at it a word to the page. A page whose extension is gone gets none.
 */
function offerAliases(page: MessagePort): void {
  try {
    // Not by a callback, which would have to look at `chrome.runtime`: in each page that takes longer than all else here.
    chrome.storage?.sync
      .get(null)
      .then(hints => mayHaveAliases(hints, location.origin) && page.postMessage('{"alias":false}'))
      .catch(() => {})
  } catch {}
}

/** Asks the background for a page that has no aliases yet, by a registered script. */
function askForAliases(page: MessagePort): void {
  chrome.runtime
    .sendMessage(ALIAS_QUESTION)
    .then(answer => answer === true && page.postMessage('{"alias":true}'))
    .catch(() => {})
}

const askForPort = () => dispatchEvent(new Event('satchel#ask'))

// The in-page script hands over its port in an event that is dispatched before any page code runs.
// Asking again uses up the answer that it has left where it ran second.
function takePort(event: Event): void {
  const port = (event as MessageEvent).ports[0]
  if (port) {
    offerAliases(port)
    // Until then the port keeps what the page says.
    runWhenShown(document, () => openPipe(port))
  }
  askForPort()
}
addEventListener('satchel#port', takePort, { once: true })
askForPort()

/**
 * What the pages ask of the browser and of the background: questions and news (this file), the path of a screen, the
 * words of the person's language, colours, and what kind of window the page is in. This and `panel.ts` are the only files
 * of the popup that name the browser API. It never keeps an answer and never changes one.
 */

import type { Runtime } from 'webextension-polyfill'
import type { UiMethodName, UiMethods } from '../../background/views/ui-methods.ts'
import { browser } from '../../browser/browser.ts'
import type { WireError, WireErrorData } from '../../provider/errors.ts'
import { formatHostPattern } from '../../provider/okx-alias.ts'
import { gatherNews } from './gather-news.ts'
import { isOnceOnly, sendAgain } from './send-again.ts'

export type UiParams<M extends UiMethodName> = Parameters<UiMethods[M]>[0]
export type UiResult<M extends UiMethodName> = ReturnType<UiMethods[M]>

/** An answer of the background that is an error, or no answer at all (4900). */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: number
  readonly data: WireErrorData | undefined
  constructor(error: WireError) {
    super(error.message)
    this.code = error.code
    this.data = error.data
  }
}

/** There was no answer, and what was asked may be done: it was not asked again. */
export class MayBeDoneError extends RpcError {
  override name = 'MayBeDoneError'
}

/** Asks the background; throws RpcError. */
export async function call<M extends UiMethodName>(
  method: M,
  params: UiParams<M>,
): Promise<UiResult<M>> {
  const send = () => browser.runtime.sendMessage({ ui: method, params })
  const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
  const answer = await sendAgain(method, send, wait)
  if (isAnswer(answer)) {
    if ('error' in answer) throw new RpcError(answer.error)
    return answer.result as UiResult<M>
  }
  const noAnswer = {
    code: 4900,
    message: 'Satchel did not answer. Close this window and try again.',
  }
  throw isOnceOnly(method) ? new MayBeDoneError(noAnswer) : new RpcError(noAnswer)
}

type Answer = { result: unknown } | { error: WireError }

function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && ('result' in answer || 'error' in answer)
}

/** What the person was writing, until the browser closes; the toolbar popup vanishes at every press beside it. */
export async function loadDraft(key: DraftKey): Promise<unknown> {
  return (await browser.storage.session.get(key))[key]
}

/** Public data only; null forgets it. */
export async function saveDraft(key: DraftKey, draft: unknown): Promise<void> {
  await browser.storage.session.set({ [key]: draft })
}

/** Storage keys of a half-written payment and of a half-filled inscribing form. */
export type DraftKey = 'draft' | 'draft.inscribe'

/**
 * Calls `listener` with the changed keys when the wallet's stored state changes: at once, and then with all that changes within
 * `pauseMs` together. Returns how to stop.
 */
export function subscribe(listener: (keys: string[]) => void, pauseMs: number): () => void {
  const { tell, stop } = gatherNews(listener, pauseMs)
  const onChanged = (changes: { [key: string]: unknown }, area: string) => {
    if (area === 'local' || area === 'session') tell(Object.keys(changes))
  }
  browser.storage.onChanged.addListener(onChanged)
  return () => {
    browser.storage.onChanged.removeListener(onChanged)
    stop()
  }
}

const BEAT_MS = 20_000

/**
 * Lets the background listen for news of the chain as long as this page is there; with each the session key `live`
 * changes. A background that was stopped is connected to again. As the panel of a browser window it also is where that window's
 * sites ask. Returns how to stop.
 */
export function keepLive(panel: number | null = null): () => void {
  let port: Runtime.Port | null = null
  let isOver = false
  connect()
  // Browsers stop a background worker that got no message for 30 s.
  const beats = setInterval(() => port?.postMessage(null), BEAT_MS)
  return () => {
    isOver = true
    clearInterval(beats)
    port?.disconnect()
  }

  function connect(): void {
    if (isOver) return
    port = browser.runtime.connect({ name: panel === null ? 'ui' : `panel:${panel}` })
    port.onDisconnect.addListener(() => {
      port = null
      setTimeout(connect, 1000)
    })
  }
}

/** Closes the tab or window that this page fills; Firefox lets no script close it with `window.close`. */
export async function closeWindow(): Promise<void> {
  const tab = await browser.tabs.getCurrent().catch(() => undefined)
  if (tab?.id === undefined) window.close()
  else await browser.tabs.remove(tab.id)
}

/** Whether this page is in no tab: the toolbar popup, which vanishes as soon as it loses focus, or the panel. In neither does the browser ask about the camera. */
export async function isToolbarPopup(): Promise<boolean> {
  return (await browser.tabs.getCurrent().catch(() => undefined)) === undefined
}

/**
 * Origin of the site that the toolbar popup was opened on; null for what is no website. Outside the toolbar popup the
 * current tab is this page itself.
 */
export async function findCurrentSite(): Promise<string | null> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true }).catch(() => [])
  // Opening the popup gives leave to see this one tab's address (activeTab); else the browser leaves it out.
  const url = tab?.url ?? ''
  return /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : null
}

/** Opens this page in a tab, where it stays while the person writes words down; the toolbar popup closes then. */
export async function openInTab(hash: string): Promise<void> {
  await browser.tabs.create({ url: browser.runtime.getURL(`src/popup/popup.html#${hash}`) })
  if (document.documentElement.dataset.surface === 'popup') window.close()
}

/** Asks the person for leave to reach a server's host; only in the handler of a press, before anything is awaited. */
export async function requestHost(url: string): Promise<boolean> {
  return requestHosts([formatHostPattern(url)])
}

/** The same for several hosts or all, by match pattern. */
export async function requestHosts(patterns: readonly string[]): Promise<boolean> {
  return browser.permissions.request({ origins: [...patterns] }).catch(() => false)
}

/** Those of the match patterns that the browser has not allowed. */
export async function listMissingHosts(patterns: readonly string[]): Promise<readonly string[]> {
  const isAllowed = (origins: string[]) =>
    browser.permissions.contains({ origins }).catch(() => false)
  if (patterns.length === 0 || (await isAllowed([...patterns]))) return []
  const answers = await Promise.all(patterns.map(pattern => isAllowed([pattern])))
  return patterns.filter((_, at) => !answers[at])
}

/** Asks the person for an optional permission; only in the handler of a press, before anything is awaited. */
export async function requestPermission(name: 'notifications'): Promise<boolean> {
  return browser.permissions.request({ permissions: [name] }).catch(() => false)
}

/** Calls `listener` when the browser allows more or less; returns how to stop. */
export function subscribeToPermissions(listener: () => void): () => void {
  const { onAdded, onRemoved } = browser.permissions
  onAdded.addListener(listener)
  onRemoved.addListener(listener)
  return () => {
    onAdded.removeListener(listener)
    onRemoved.removeListener(listener)
  }
}

/** Whether a server's host may be reached without asking. */
export async function hasHost(url: string): Promise<boolean> {
  return browser.permissions.contains({ origins: [formatHostPattern(url)] })
}

/** Version of this build. */
export function walletVersion(): string {
  return browser.runtime.getManifest().version
}

// biome-ignore lint/suspicious/noRedundantUseStrict: the bundler makes a plain script of this module, and a page callback could walk `caller` of sloppy functions into it.
'use strict'
import { ALIAS_ANSWER, ALIAS_QUESTION } from '../provider/okx-alias.ts'
import { makeOnce } from './make-once.ts'
import { createPageWallet } from './page-wallet.ts'
import { apply, defineGetter, freeze, getOwnPropertyDescriptor, runSoon } from './primordials.ts'
import { registerWallet } from './register-wallet.ts'
import { createAnnouncement } from './wbip004.ts'

/** The manifest's version, put in by the build. */
declare const __SATCHEL_VERSION__: string

const PristineCustomEvent = CustomEvent
const getDetail = getOwnPropertyDescriptor(PristineCustomEvent.prototype, 'detail')
  ?.get as () => string
// What both scripts say to each other they dispatch here. Nobody else has it, and no document holds it, so that
// `document.open`, which takes all listeners from the window, leaves it alone. A MessageChannel would cost every page a millisecond.
const line = new EventTarget()
const dispatch = line.dispatchEvent.bind(line)
const page = window
const PristineEvent = Event
const dispatchInPage = dispatchEvent
const listenInPage = addEventListener
const announce = (type: string): boolean => dispatchInPage(new PristineEvent(type))
const post = (detail: string): void => {
  dispatch(new PristineCustomEvent('call', { __proto__: null, detail } as { detail: string }))
}
const findWallet = makeOnce(() => createPageWallet({ post, page, announce }))
line.addEventListener('answer', event => {
  const text = apply(getDetail, event, [])
  // Not while the event is dispatched: the page's own listeners would find it, and the line, in `window.event`.
  runSoon(() => {
    if (text === ALIAS_ANSWER) standIn()
    // The background is not woken for a page that has them already.
    else if (text !== ALIAS_QUESTION) findWallet().receive(text)
    else if (!isAliased) post(ALIAS_QUESTION)
  })
})

let isAliased = false
/** Under the names by which other wallets go, once. May run after page code. */
function standIn(): void {
  if (isAliased) return
  isAliased = true
  findWallet().standIn()
}
// A registered script says so before any page code runs (`public/aliases.js`), where the browser lets it; else the
// content script does when it has read its storage.
listenInPage('satchel#aliases', standIn, { once: true })

// The content script gets it in an event that is dispatched before any page code runs. Either script may run first:
// the content script asks, and asks again when it has taken the line, which uses up the one answer.
const offerLine = () => dispatchInPage(new FocusEvent('satchel#line', { relatedTarget: line }))
listenInPage('satchel#ask', offerLine, { once: true })
offerLine()

const version = __SATCHEL_VERSION__
const satchel = { version, getVersion: freeze(() => version), isSatchel: true }
defineGetter(satchel, 'bitcoin', () => findWallet().bitcoin())
defineGetter(satchel, 'satsConnect', () => findWallet().satsConnect())
freeze(satchel)
// False, and without effect, where another script has fixed the name already: pages would be led to that one.
if (Reflect.defineProperty(page, 'satchel', { value: satchel, enumerable: true })) {
  const announceProvider = createAnnouncement(page, findWallet)
  announceProvider()
  listenInPage('DOMContentLoaded', announceProvider, { once: true })
  registerWallet(() => findWallet().standard())
}
announce('satchel#initialized')

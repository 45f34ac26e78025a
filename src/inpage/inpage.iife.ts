// biome-ignore lint/suspicious/noRedundantUseStrict: the bundler makes a plain script of this module, and a page callback could walk `caller` of sloppy functions into it.
'use strict'
import { ALIAS_QUESTION } from '../provider/okx-alias.ts'
import { defineAliases } from './aliases.ts'
import { apply, defineGetter, freeze, getOwnPropertyDescriptor } from './primordials.ts'
import { createProvider } from './provider.ts'
import { createSatsConnect } from './sats-connect.ts'
import { createWalletChannel } from './wallet-channel.ts'
import { createStandardWallet, registerWallet } from './wallet-standard.ts'
import { announceProvider } from './wbip004.ts'

/** The manifest's version, put in by the build. */
declare const __SATCHEL_VERSION__: string

const getData = getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get as () => string
const { port1, port2 } = new MessageChannel()
const page = window
// Dispatched when page code has run.
const announceOkx = dispatchEvent.bind(window, new Event('okxwallet#initialized'))
const announceUnisat = dispatchEvent.bind(window, new Event('unisat#initialized'))
const post = port1.postMessage.bind(port1)
const channel = createWalletChannel({
  post,
  onAlias: isSure => (isSure ? standIn() : askForAliases()),
})
const findBitcoin = makeOnce(() => createProvider(channel))
const findSatsConnect = makeOnce(() => createSatsConnect(channel))
port1.onmessage = event => channel.receive(apply(getData, event, []))

let isAliased = false
/** Under the names by which other wallets go, once. May run after page code. */
function standIn(): void {
  if (isAliased) return
  isAliased = true
  defineAliases(page, channel, { satsConnect: findSatsConnect(), announceOkx, announceUnisat })
}
// The background is not woken for a page that has them already.
function askForAliases(): void {
  if (!isAliased) post(ALIAS_QUESTION)
}
// A registered script says so before any page code runs (`public/aliases.js`), where the browser lets it; else the
// content script does when it has read its storage.
addEventListener('satchel#aliases', standIn, { once: true })

// The other port goes to the content script in an event that is dispatched before any page code runs.
// Either script may run first: the content script asks, and asks again when it has taken the port, which
// uses up the one answer.
const offerPort = () => dispatchEvent(new MessageEvent('satchel#port', { ports: [port2] }))
addEventListener('satchel#ask', offerPort, { once: true })
offerPort()

const version = __SATCHEL_VERSION__
const satchel = { version, getVersion: freeze(() => version), isSatchel: true }
defineGetter(satchel, 'bitcoin', findBitcoin)
defineGetter(satchel, 'satsConnect', findSatsConnect)
freeze(satchel)
// False, and without effect, where another script has fixed the name already: pages would be led to that one.
if (Reflect.defineProperty(page, 'satchel', { value: satchel, enumerable: true })) {
  announceProvider(page)
  addEventListener('DOMContentLoaded', () => announceProvider(page), { once: true })
  registerWallet(makeOnce(() => createStandardWallet(channel)))
}
dispatchEvent(new Event('satchel#initialized'))

/** Most pages never look at the wallet: what they would find is made when they do. */
function makeOnce<T extends object>(create: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= create()
    return made
  }
}

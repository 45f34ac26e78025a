// biome-ignore lint/suspicious/noRedundantUseStrict: the bundler makes a plain script of this module, and a page callback could walk `caller` of sloppy functions into it.
'use strict'
import { apply } from './primordials.ts'
import { createProvider } from './provider.ts'

/** The manifest's version, put in by the build. */
declare const __SATCHEL_VERSION__: string

const getData = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get as () => string
const { port1, port2 } = new MessageChannel()
const { bitcoin, receive } = createProvider({ post: port1.postMessage.bind(port1) })
port1.onmessage = event => receive(apply(getData, event, []))

// The other port goes to the content script in an event that is dispatched before any page code runs.
// Either script may run first: the content script asks, and asks again when it has taken the port, which
// uses up the one answer.
const offerPort = () => dispatchEvent(new MessageEvent('satchel#port', { ports: [port2] }))
addEventListener('satchel#ask', offerPort, { once: true })
offerPort()

const version = __SATCHEL_VERSION__
const getVersion = Object.freeze(() => version)
const satchel = Object.freeze({ bitcoin, version, getVersion, isSatchel: true })
// False, and without effect, where another script has fixed the name already.
Reflect.defineProperty(window, 'satchel', { value: satchel, enumerable: true })
dispatchEvent(new Event('satchel#initialized'))

import type { AccountInfo, PageState } from '../provider/envelope.ts'
import { METHOD_NAMES } from '../provider/method-names.ts'
import { createEmitter } from './emitter.ts'
import { defineGetter, freeze, keys, setOwn, setPrototypeOf } from './primordials.ts'
import { announceChange, copyAccount } from './state-events.ts'
import type { WalletChannel } from './wallet-channel.ts'

export type Provider = { readonly [name: string]: unknown }

type Deliver = (event: string, createPayload: () => unknown[]) => void

/** Hands on what happened, in the words of the wallet that the object stands for. */
export type Emit = (event: string, createPayload: () => unknown[], deliver: Deliver) => void

type Shape = {
  /** What the object can be asked, and what the background knows it by before each name. */
  names?: readonly string[]
  prefix?: string
  announce?: Emit
  /** On any other network its calls are refused, and it has no account there. */
  network?: string | undefined
}

/** The frozen object of a page for the wallet's operations or others, with `extras` besides. May run after page code. */
export function createProvider(
  channel: WalletChannel,
  extras: Provider = {},
  shape: Shape = {},
): Provider {
  // What is left out must not come from a prototype of the page's.
  const own: Shape = setPrototypeOf(shape, null)
  const { names = METHOD_NAMES, prefix = '', announce = announceAsIs, network } = own
  const emitter = createEmitter()
  const bitcoin = {}
  let selectedAccount: AccountInfo | null = null

  channel.watch((before, after) => {
    const seen = narrow(after)
    selectedAccount = seen.account && freeze(copyAccount(seen.account))
    if (before)
      announceChange(narrow(before), seen, (event, payload) => announce(event, payload, deliver))
  })

  function narrow(state: PageState): PageState {
    return !network || state.network === network ? state : { account: null, network: state.network }
  }

  function deliver(event: string, createPayload: () => unknown[]): void {
    emitter.emit(event, bitcoin, createPayload)
  }

  function listen(event: PropertyKey, handler: unknown, once: boolean): object {
    emitter.add(event, handler, once)
    channel.requestState()
    return bitcoin
  }

  const on = (event: PropertyKey, handler: unknown) => listen(event, handler, false)
  const off = (event: PropertyKey, handler: unknown) => {
    emitter.remove(event, handler)
    return bitcoin
  }
  define({
    on,
    addListener: on,
    once: (event: PropertyKey, handler: unknown) => listen(event, handler, true),
    off,
    removeListener: off,
    removeAllListeners: (event?: PropertyKey) => {
      emitter.clear(event)
      return bitcoin
    },
  })
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    define({ [name]: (...params: unknown[]) => channel.request(prefix + name, params, network) })
  }
  define(extras)
  // A page that looks whether it is connected wants to know it at its next look too.
  defineGetter(bitcoin, 'selectedAccount', () => {
    channel.requestState()
    return selectedAccount
  })
  return freeze(bitcoin)

  function define(members: Provider): void {
    const names = keys(members)
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      setOwn(bitcoin, name, freeze(members[name]))
    }
  }
}

function announceAsIs(event: string, createPayload: () => unknown[], deliver: Deliver): void {
  deliver(event, createPayload)
}

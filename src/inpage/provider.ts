import type { AccountInfo } from '../provider/envelope.ts'
import { METHOD_NAMES } from '../provider/method-names.ts'
import { createEmitter } from './emitter.ts'
import { defineGetter, freeze, keys, setOwn } from './primordials.ts'
import { announceChange, copyAccount } from './state-events.ts'
import type { WalletChannel } from './wallet-channel.ts'

export type Provider = { readonly [name: string]: unknown }

type Deliver = (event: string, createPayload: () => unknown[]) => void

/** Hands on what happened, in the words of the wallet that the object stands for. */
export type Emit = (event: string, createPayload: () => unknown[], deliver: Deliver) => void

/** What an object that stands for the wallet can be asked, the prefix that the background knows it by, and its events. */
type Shape = { names: readonly string[]; prefix: string; announce: Emit }

const OWN: Shape = {
  names: METHOD_NAMES,
  prefix: '',
  announce: (event, createPayload, deliver) => deliver(event, createPayload),
}

/** The frozen object of a page for these operations, with `extras` besides. May run after page code. */
export function createProvider(
  channel: WalletChannel,
  extras: Provider = {},
  { names, prefix, announce } = OWN,
): Provider {
  const emitter = createEmitter()
  const bitcoin = {}
  let selectedAccount: AccountInfo | null = null

  channel.watch((before, after) => {
    selectedAccount = after.account && freeze(copyAccount(after.account))
    if (before) announceChange(before, after, (event, payload) => announce(event, payload, deliver))
  })

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
    define({ [name]: (...params: unknown[]) => channel.request(prefix + name, params) })
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

import type { AccountInfo, PageState } from '../provider/envelope.ts'
import { METHOD_WORDS } from '../provider/method-names.ts'
import { createEmitter } from './emitter.ts'
import { listNames } from './names.ts'
import { defineGetter, freeze, keys, setOwn } from './primordials.ts'
import { announceChange, copyAccount } from './state-events.ts'
import { promise, type WalletChannel } from './wallet-channel.ts'

export type Provider = { readonly [name: string]: unknown }

/** Tells a page's listeners what happened. */
export type Emit = (event: string, createPayload: () => unknown[]) => void

/**
 * The frozen object of a page for the wallet's operations or others, with `extras` besides. `prefix` is what the background
 * knows the names by, before each; `translate` puts what happened into the words of the wallet that the object stands for.
 * Where a `network` is named, calls are refused on any other, and there is no account there. May run after page code.
 */
export function createProvider(
  channel: WalletChannel,
  extras: Provider = {},
  network?: string,
  names = listNames(METHOD_WORDS),
  prefix = '',
  translate = (emit: Emit): Emit => emit,
): Provider {
  const emitter = createEmitter()
  const bitcoin = {}
  let selectedAccount: AccountInfo | null = null

  channel.watch((before, after) => {
    const seen = narrow(after)
    selectedAccount = seen.account && freeze(copyAccount(seen.account))
    if (before)
      announceChange(
        narrow(before),
        seen,
        translate((event, createPayload) => emitter.emit(event, bitcoin, createPayload)),
      )
  })

  function narrow(state: PageState): PageState {
    return !network || state.network === network ? state : { account: null, network: state.network }
  }

  function listen(event: PropertyKey, handler: unknown, once?: boolean): object {
    emitter.add(event, handler, once)
    channel.open()
    return bitcoin
  }

  const on = (event: PropertyKey, handler: unknown) => listen(event, handler)
  const off = (event: PropertyKey, handler: unknown) => {
    emitter.remove(event, handler)
    return bitcoin
  }
  const members: Provider = {
    on,
    addListener: on,
    once: (event: PropertyKey, handler: unknown) => listen(event, handler, true),
    off,
    removeListener: off,
    removeAllListeners: (event?: PropertyKey) => {
      emitter.clear(event)
      return bitcoin
    },
    ...extras,
  }
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    // The function has its name of the object.
    const named = {
      [name]: (...params: unknown[]) =>
        promise((done, fail) => channel.ask(prefix + name, params, done, fail, network)),
    }
    setOwn(members, name, named[name])
  }
  const all = keys(members)
  for (let i = 0; i < all.length; i++) {
    const name = all[i] as string
    setOwn(bitcoin, name, freeze(members[name]))
  }
  // A page that looks whether it is connected wants to know it at its next look too.
  defineGetter(bitcoin, 'selectedAccount', () => {
    channel.open()
    return selectedAccount
  })
  return freeze(bitcoin)
}

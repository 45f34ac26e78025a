import type { WireError } from '../provider/errors.ts'
import { SATS_CONNECT_NETWORKS } from '../provider/sats-connect-names.ts'
import { createEmitter } from './emitter.ts'
import { createId, createTable, freeze, setPrototypeOf } from './primordials.ts'
import { announceChange } from './state-events.ts'
import { type Answer, type Done, type Fail, promise, type WalletChannel } from './wallet-channel.ts'

/** The wallet's code, and sats-connect's. */
const CODES = createTable({
  4001: -32000,
  4100: -32002,
  4200: -32001,
  [-32601]: -32601,
  [-32602]: -32602,
})

const NETWORK_NAMES = createTable<string>(SATS_CONNECT_NETWORKS)

/**
 * The frozen provider of a page for sats-connect. The requests themselves are served in the background; here they get
 * the JSON-RPC envelope in which that library wants their answers, and its three events.
 */
export function createSatsConnect(channel: WalletChannel) {
  const emitter = createEmitter()
  let accountChanged = false
  let networkChanged = false

  /** Takes `(eventName, cb)` or `({ eventName, cb })`; returns what ends it. */
  function addListener(first: unknown, second?: unknown): () => void {
    const { eventName, cb } = (
      typeof first === 'object' && first ? first : { eventName: first, cb: second }
    ) as { eventName: PropertyKey; cb: unknown }
    return channel.listen(emitter, eventName, cb)
  }

  channel.watch((before, after) => {
    if (!before) return
    let disconnected = false
    announceChange(before, after, event => {
      if (event === 'networkChanged') networkChanged = true
      else if (event === 'accountChanged') accountChanged = true
      else if (event === 'disconnect') disconnected = true
    })
    if (disconnected) {
      accountChanged = false
      deliver()
      emitter.emit('disconnect', satsConnect, () => [{ type: 'disconnect' }])
    } else if (
      (accountChanged && emitter.has('accountChange')) ||
      (networkChanged && emitter.has('networkChange'))
    ) {
      channel.call('satsConnect.wallet_getAccount', [null], (error, result) => {
        // A later state makes its own request and reports both changes.
        if (channel.state() === after) deliver(error ? undefined : (result as Addresses))
      })
    } else {
      accountChanged = networkChanged = false
    }
  })

  function deliver(account?: Addresses): void {
    const addresses = account ? { addresses: account.addresses } : {}
    if (networkChanged) {
      const name = NETWORK_NAMES[channel.state()?.network ?? '']
      // Wallets give the Bitcoin network's name in both places, and AppKit reads it from the second.
      emitter.emit('networkChange', satsConnect, () => [
        { type: 'networkChange', bitcoin: { name }, stacks: { name }, ...addresses },
      ])
    }
    if (accountChanged) {
      emitter.emit('accountChange', satsConnect, () => [{ type: 'accountChange', ...addresses }])
    }
    accountChanged = networkChanged = false
  }

  // Never rejects: whatever goes wrong is an answer with an `error`.
  const request = createRequest(channel, 'satsConnect.', { toRpcError, refuseBy: done => done })
  const satsConnect = freeze({ request, addListener: freeze(addListener) })
  return satsConnect
}

/** Leather's `request`, which rejects with the envelope of an error, and has the wallet's codes in it. */
export function createLeatherRequest(channel: WalletChannel) {
  return createRequest(channel, 'leather.', {
    toRpcError: ({ code, message, data }) => ({ code, message, ...(data && { data }) }),
    refuseBy: (_, fail) => fail,
  })
}

/** `request(method, params)` with JSON-RPC envelopes, for what the background serves under this prefix. */
function createRequest(
  channel: WalletChannel,
  prefix: string,
  deps: { toRpcError: (error: WireError) => WireError; refuseBy: (done: Done, fail: Fail) => Done },
) {
  const { toRpcError, refuseBy } = deps
  return freeze((method: string, params?: unknown) =>
    promise((done, fail) => {
      const envelope = { jsonrpc: '2.0', id: createId() }
      const answer: Answer = (error, result = null) =>
        error
          ? refuseBy(done, fail)({ ...envelope, error: toRpcError(error) })
          : done({ ...envelope, result })
      try {
        channel.call(prefix + method, [params ?? null], answer)
      } catch (error) {
        answer(setPrototypeOf(error as WireError, null))
      }
    }),
  )
}

type Addresses = { addresses: unknown }

/** Only a person's no is a rejection (-32000): what else fails keeps our code in `data.code`. */
function toRpcError({ code, message, data }: WireError): WireError {
  const known = CODES[code]
  if (known === undefined) return { code: -32603, message, data: { ...data, code } }
  return { code: known, message, ...(data && { data }) }
}

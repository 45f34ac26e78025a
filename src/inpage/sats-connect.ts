import type { WireError } from '../provider/errors.ts'
import { createId } from './bytes.ts'
import { createEmitter } from './emitter.ts'
import { freeze } from './primordials.ts'
import { announceChange } from './state-events.ts'
import { NETWORK_NAMES, type Table, withoutPrototype } from './tables.ts'
import { type Answer, promise, type WalletChannel } from './wallet-channel.ts'

/** The wallet's code, and sats-connect's. */
const CODES: Table<number> = withoutPrototype({
  4001: -32000,
  4100: -32002,
  4200: -32001,
  [-32601]: -32601,
  [-32602]: -32602,
})

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
    announceChange(before, after, event => {
      networkChanged ||= event === 'networkChanged'
      accountChanged ||= event === 'accountChanged'
    })
    if (!after.account) {
      accountChanged = false
      deliver()
      emit('disconnect')
    } else if (
      (accountChanged && emitter.has('accountChange')) ||
      (networkChanged && emitter.has('networkChange'))
    ) {
      channel.call('satsConnect.wallet_getAccount', [null], (error, result) => {
        // A later state makes its own request and reports both changes.
        if (channel.state() === after)
          deliver(error ? {} : { addresses: (result as { addresses: unknown }).addresses })
      })
    } else {
      accountChanged = networkChanged = false
    }
  })

  function deliver(addresses: object = {}): void {
    if (networkChanged) {
      const name = NETWORK_NAMES[channel.state()?.network ?? '']
      // Wallets give the Bitcoin network's name in both places, and AppKit reads it from the second.
      emit('networkChange', () => ({ bitcoin: { name }, stacks: { name }, ...addresses }))
    }
    if (accountChanged) emit('accountChange', () => addresses)
    accountChanged = networkChanged = false
  }

  function emit(type: string, createMembers = (): object => ({})): void {
    emitter.emit(type, satsConnect, () => [{ type, ...createMembers() }])
  }

  // Never rejects: whatever goes wrong is an answer with an `error`.
  const request = createRequest(channel, 'satsConnect.', CODES)
  const satsConnect = freeze({ request, addListener: freeze(addListener) })
  return satsConnect
}

/** Leather's `request`, which rejects with the envelope of an error, and has the wallet's codes in it. */
export function createLeatherRequest(channel: WalletChannel) {
  return createRequest(channel, 'leather.')
}

/**
 * `request(method, params)` with JSON-RPC envelopes, for what the background serves under this prefix. With a table of codes an
 * error resolves it: only a person's no is a rejection (-32000) there, and what has no code in it keeps ours in `data.code`.
 */
function createRequest(channel: WalletChannel, prefix: string, codes?: Table<number>) {
  return freeze((method: string, params?: unknown) =>
    promise((done, fail) => {
      const envelope = { jsonrpc: '2.0', id: createId() }
      const answer: Answer = (error, result = null) => {
        if (!error) return done({ ...envelope, result })
        const { code: ours, message, data: given } = error
        const code = codes ? codes[ours] : ours
        const data = code ? given : { ...given, code: ours }
        const refusal = { code: code ?? -32603, message, ...(data && { data }) }
        ;(codes ? done : fail)({ ...envelope, error: refusal })
      }
      try {
        channel.call(prefix + method, [params ?? null], answer)
      } catch (error) {
        answer(withoutPrototype(error as WireError))
      }
    }),
  )
}

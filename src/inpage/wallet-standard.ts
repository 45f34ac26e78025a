import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base'
import { decodeHex, encodeText, readBase64 } from './bytes.ts'
import { createEmitter } from './emitter.ts'
import { ICON } from './icon.ts'
import { NAME } from './identity.ts'
import { append, freeze, values } from './primordials.ts'
import {
  CHAIN_NAMES,
  type MessageInput,
  parseMessage,
  parsePurposes,
  parseTransaction,
  type TransactionInput,
} from './standard-input.ts'
import { withoutPrototype } from './tables.ts'
import { promise, type WalletChannel } from './wallet-channel.ts'

const VERSION = '1.0.0'

const SIGN_MESSAGE = 'bitcoin:signMessage'
const SIGN_TRANSACTION = 'bitcoin:signTransaction'
const SIGN_AND_SEND = 'bitcoin:signAndSendTransaction'
const ACCOUNT_FEATURES = freeze([SIGN_MESSAGE, SIGN_TRANSACTION, SIGN_AND_SEND] as const)

/** A page's wallet as the Wallet Standard has it: a translation onto the operations of `satchel.bitcoin`. */
export function createStandardWallet(channel: WalletChannel) {
  const emitter = createEmitter()
  let purposes: readonly string[] = withoutPrototype([])
  let accounts: readonly WalletAccount[] = freeze([])
  let described = ''

  /**
   * One entry for each purpose, with the address that serves it; a single one where no purpose was asked for. While nothing about
   * them changes the accounts stay the same objects.
   */
  function refresh(): void {
    const state = channel.state()
    const account = state?.account
    const entries: WalletAccount[] = []
    let text = ''
    for (let i = 0; account && i < (purposes.length || 1); i++) {
      const purpose = purposes[i]
      const { address, publicKey } = (purpose === 'ordinals' && account.ordinals) || account
      const chain = CHAIN_NAMES[state.network ?? ''] as IdentifierString
      text += `${chain} ${address} ${purpose} `
      const entry = {
        address,
        publicKey: decodeHex(publicKey),
        chains: freeze([chain]),
        features: ACCOUNT_FEATURES,
        ...(purpose && { purpose }),
      }
      append(entries, freeze(entry))
    }
    if (text === described) return
    described = text
    accounts = freeze(entries)
    emitter.emit('change', wallet, () => [{ accounts }])
  }

  /** The state that makes the accounts has arrived before the answer. */
  function connect(method: 'connect' | 'getAccounts', asked: ArrayLike<unknown>) {
    return promise((done, fail) => {
      const wanted = parsePurposes(asked)
      const finish = () => {
        purposes = wanted
        refresh()
        done({ accounts })
      }
      channel.ask(method, [], finish, fail)
    })
  }

  /** Reads all inputs before anything is asked; one question is for all of them, and all are signed or none. */
  const signAnd =
    (isSent: boolean) =>
    (...inputs: TransactionInput[]) =>
      promise((done, fail) => {
        const options: unknown[] = []
        const results: unknown[] = []
        const state = channel.state()
        let network = state?.account && state.network
        const psbts = readAll(inputs, input => {
          const order = parseTransaction(input, network, isSent)
          network = order.network
          append(options, order.options)
          return order.psbt
        })
        const finish = (signed: string[]): void => {
          const at = results.length
          const take = (result: object) => {
            append(results, result)
            finish(signed)
          }
          if (at === signed.length) done(results)
          else if (!isSent) take({ signedPsbt: decodeHex(signed[at] as string) })
          else channel.ask('pushPsbt', [signed[at]], txId => take({ txId }), fail, network)
        }
        if (inputs.length) channel.ask('signPsbts', [psbts, options], finish, fail, network)
        else done(psbts)
      })

  /** Like `signAnd`. One alone is asked for as such, in the words for a locked wallet too. */
  const signMessage = (...inputs: MessageInput[]) =>
    promise((done, fail) => {
      const orders = readAll(inputs, parseMessage)
      const finish = (signatures: string[]) =>
        done(
          readAll(orders, ({ text }, i) => ({
            signedMessage: encodeText(text),
            signature: readBase64(signatures[i] as string),
          })),
        )
      if (!orders.length) done(orders)
      else if (orders.length > 1) channel.ask('signMessages', [orders], finish, fail)
      else {
        const { text, type, from } = orders[0] as (typeof orders)[number]
        channel.ask('signMessage', [text, { type, from }], signature => finish([signature]), fail)
      }
    })

  const disconnect = describeFeature({
    disconnect: () =>
      promise((done, fail) => channel.ask('disconnect', [], () => done(undefined), fail)),
  })

  const events = describeFeature({
    on: (event: PropertyKey, handler: unknown) => channel.listen(emitter, event, handler),
  })

  const wallet = freeze({
    version: VERSION,
    name: NAME,
    icon: ICON,
    // Always all of them: a page that is not connected may not know which is in use.
    chains: freeze(values(CHAIN_NAMES)),
    // MetaMask has disconnect and events among the names for Bitcoin, Phantom among the standard's.
    features: freeze({
      'standard:connect': describeFeature({
        connect: (input?: { silent?: boolean }) =>
          connect(input?.silent ? 'getAccounts' : 'connect', purposes),
      }),
      'standard:disconnect': disconnect,
      'standard:events': events,
      'bitcoin:connect': describeFeature({
        connect: (input?: { purposes?: ArrayLike<unknown> }) =>
          connect('connect', input?.purposes ?? purposes),
      }),
      'bitcoin:disconnect': disconnect,
      'bitcoin:events': events,
      [SIGN_MESSAGE]: describeFeature({ signMessage }),
      [SIGN_TRANSACTION]: describeFeature({
        signTransaction: signAnd(false),
      }),
      [SIGN_AND_SEND]: describeFeature({
        signAndSendTransaction: signAnd(true),
      }),
    }),
    /** Empty before the page is connected. Never asks the person; what is not known yet comes with `change`. */
    get accounts() {
      channel.open()
      return accounts
    },
  }) satisfies Wallet
  channel.watch(refresh)
  return wallet
}

function describeFeature<Methods extends object>(methods: Methods) {
  return freeze({ version: VERSION, ...methods })
}

function readAll<Input, Order>(
  inputs: Input[],
  read: (input: Input, index: number) => Order,
): Order[] {
  const orders: Order[] = []
  for (let i = 0; i < inputs.length; i++) append(orders, read(inputs[i] as Input, i))
  return orders
}

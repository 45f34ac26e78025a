import { toBase64, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { hashMessage as hashBip322 } from '../../bitcoin/messages/message-bip322.ts'
import { hashMessage as hashEcdsa } from '../../bitcoin/messages/message-ecdsa.ts'
import { invalidParams } from '../../provider/errors.ts'
import {
  assertMessageList,
  assertTotalLength,
  parseMessageText,
} from '../../provider/message-params.ts'
import { isGiven, parseOptions } from '../../provider/params.ts'
import { type Call, withNames } from '../requests/translation.ts'
import { parseAddressParam, typeOfAddress } from './addresses.ts'
import type { SatsConnectRequest } from './request.ts'

type Protocol = 'ECDSA' | 'BIP322'

type Order = { address: string; message: string; protocol: Protocol }

/** Signs a text with the connected address. Without a protocol taproot signs by BIP-322 and every other kind by ECDSA. */
export const signMessage: SatsConnectRequest = async ({ call }, params) => {
  const order = readOrder('', params)
  const { address, protocol } = order
  const [signature] = await withNames({ from: 'address' }, () => sign(call, [order]))
  return { signature, messageHash: hashMessage(order), address, protocol }
}

/** Asks about all of them at once; all are signed or none. */
export const signMultipleMessages: SatsConnectRequest = async ({ call }, params) => {
  assertMessageList('params', params)
  const orders = Array.from(params, (order: unknown, at) => readOrder(`params[${at}].`, order))
  assertTotalLength('params', params, orders)
  const names = orders.map((_, at) => [`messages[${at}].from`, `params[${at}].address`])
  const signatures = await withNames(
    Object.fromEntries([['from', 'params[0].address'], ...names]),
    () => sign(call, orders),
  )
  return orders.map((order, at) => ({
    signature: signatures[at],
    messageHash: hashMessage(order),
    ...order,
  }))
}

/** Signatures in the order of the messages. One alone is asked for as such, in the words for a locked wallet too. */
async function sign(call: Call, orders: readonly Order[]): Promise<string[]> {
  const messages = orders.map(({ address, message, protocol }) => ({
    text: message,
    type: protocol === 'ECDSA' ? 'ecdsa' : 'bip322-simple',
    from: address,
  }))
  const [first, ...more] = messages
  if (first && more.length === 0) {
    const { text, ...how } = first
    return [await call('signMessage', text, how)]
  }
  return call('signMessages', messages)
}

/** In the two forms that Xverse gives it. */
function hashMessage({ message, protocol }: Order): string {
  const bytes = toUtf8(message)
  return protocol === 'ECDSA' ? toBase64(hashEcdsa(bytes)) : toHex(hashBip322(bytes))
}

function readOrder(prefix: string, params: unknown): Order {
  const { address, message, protocol } = parseOptions(prefix.slice(0, -1) || 'params', params)
  const order = {
    address: parseAddressParam(`${prefix}address`, address),
    message: parseMessageText(`${prefix}message`, message),
  }
  const type = typeOfAddress(order.address)
  if (!isGiven(protocol)) return { ...order, protocol: type === 'p2tr' ? 'BIP322' : 'ECDSA' }
  if (protocol === 'ECDSA' || (protocol === 'BIP322' && type !== 'p2pkh'))
    return { ...order, protocol }
  const expected = type === 'p2pkh' ? 'ECDSA for this address' : 'ECDSA or BIP322'
  throw invalidParams(`${prefix}protocol`, protocol, expected)
}

import { toBase64, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { hashMessage as hashBip322 } from '../../bitcoin/messages/message-bip322.ts'
import { hashMessage as hashEcdsa } from '../../bitcoin/messages/message-ecdsa.ts'
import { invalidParams } from '../../provider/errors.ts'
import { MAX_MESSAGE_LENGTH } from '../../provider/methods.ts'
import { isGiven, parseOptions, parseString } from '../../provider/params.ts'
import type { Call } from '../requests/translation.ts'
import { parseAddressParam, typeOfAddress } from './addresses.ts'
import type { SatsConnectRequest } from './request.ts'

type Protocol = 'ECDSA' | 'BIP322'

type Order = { address: string; message: string; protocol: Protocol }

/** Each is a question of its own. */
const MAX_MESSAGES = 20

/** Signs a text with the connected address. Without a protocol taproot signs by BIP-322 and every other kind by ECDSA. */
export const signMessage: SatsConnectRequest = async ({ call }, params) => {
  const order = readOrder('', params)
  const { address, protocol } = order
  return { ...(await sign(call, order)), address, protocol }
}

/** One after the other; the first that fails ends it, and nothing of the others comes back. */
export const signMultipleMessages: SatsConnectRequest = async ({ call }, params) => {
  if (!Array.isArray(params) || params.length === 0 || params.length > MAX_MESSAGES)
    throw invalidParams('params', params, `a list of 1 to ${MAX_MESSAGES} messages`)
  const orders = Array.from(params, (order: unknown, at) => readOrder(`params[${at}].`, order))
  const signed = []
  for (const order of orders) signed.push({ ...(await sign(call, order)), ...order })
  return signed
}

async function sign(call: Call, { address, message, protocol }: Order) {
  const type = protocol === 'ECDSA' ? 'ecdsa' : 'bip322-simple'
  const signature = await call('signMessage', message, { type, from: address })
  return { signature, messageHash: hashMessage(message, protocol) }
}

/** In the two forms that Xverse gives it. */
function hashMessage(message: string, protocol: Protocol): string {
  const bytes = toUtf8(message)
  return protocol === 'ECDSA' ? toBase64(hashEcdsa(bytes)) : toHex(hashBip322(bytes))
}

function readOrder(prefix: string, params: unknown): Order {
  const { address, message, protocol } = parseOptions(prefix.slice(0, -1) || 'params', params)
  const order = {
    address: parseAddressParam(`${prefix}address`, address),
    message: parseString(`${prefix}message`, message, MAX_MESSAGE_LENGTH),
  }
  if (!order.message.isWellFormed())
    throw invalidParams(`${prefix}message`, message, 'text without lone surrogates')
  const type = typeOfAddress(order.address)
  if (!isGiven(protocol)) return { ...order, protocol: type === 'p2tr' ? 'BIP322' : 'ECDSA' }
  if (protocol === 'ECDSA' || (protocol === 'BIP322' && type !== 'p2pkh'))
    return { ...order, protocol }
  const expected = type === 'p2pkh' ? 'ECDSA for this address' : 'ECDSA or BIP322'
  throw invalidParams(`${prefix}protocol`, protocol, expected)
}

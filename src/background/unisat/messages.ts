import { verifyMessage } from '../../bitcoin/messages/message.ts'
import { invalidParams } from '../../provider/errors.ts'
import { MAX_MESSAGE_LENGTH } from '../../provider/methods.ts'
import { parseNetwork, parseOptions, parseString } from '../../provider/params.ts'
import type { Translation } from '../requests/translation.ts'

/** Each is a question of its own. */
const MAX_MESSAGES = 20

const MAX_SIGNATURE_LENGTH = 10_000

export const signMessage: Translation = ({ call }, [text, type]) =>
  call('signMessage', text, type || undefined)

/** One after the other; the first that fails ends it, and nothing of the others comes back. */
export const signMessages: Translation = async ({ call }, [messages]) => {
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > MAX_MESSAGES)
    throw invalidParams('messages', messages, `a list of 1 to ${MAX_MESSAGES} messages`)
  const orders = Array.from(messages, (message: unknown, at) => {
    const { text, type } = parseOptions(`messages[${at}]`, message)
    return { text: parseString(`messages[${at}].text`, text, MAX_MESSAGE_LENGTH), type }
  })
  const signatures = []
  for (const { text, type } of orders) {
    signatures.push(await call('signMessage', text, type || undefined))
  }
  return signatures
}

/** 1 where the owner of an address of the network in use signed the message, 0 where not; for connected pages alone. */
export const verifyMessageOfBIP322Simple: Translation = async (
  { call },
  [address, message, signature],
) => {
  const given = {
    address: parseString('address', address, 100),
    message: parseString('message', message, MAX_MESSAGE_LENGTH),
    signature: parseString('signature', signature, MAX_SIGNATURE_LENGTH),
  }
  // Checking signatures is work that strangers get none of.
  await call('getPublicKey')
  const network = parseNetwork('network', await call('getNetwork'))
  return verifyMessage({ ...given, network }) === 'valid' ? 1 : 0
}

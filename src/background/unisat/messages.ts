import { verifySimpleMessage } from '../../bitcoin/messages/message.ts'
import { assertMessageList, MAX_MESSAGE_LENGTH } from '../../provider/message-params.ts'
import { parseOptions, parseString } from '../../provider/params.ts'
import type { Translation } from '../requests/translation.ts'

const MAX_SIGNATURE_LENGTH = 10_000

export const signMessage: Translation = ({ call }, [text, type]) =>
  call('signMessage', text, type || undefined)

/** One question for all of them. */
export const signMessages: Translation = ({ call }, [messages]) => {
  assertMessageList('messages', messages)
  const orders = messages.map((message: unknown, at) => {
    const { text, type } = parseOptions(`messages[${at}]`, message)
    return { text, type: type || undefined }
  })
  return call('signMessages', orders)
}

/** 1 where the owner of an address of the network in use signed the message so, 0 where not; for connected pages alone. */
export const verifyMessageOfBIP322Simple: Translation = async (
  { readConnected },
  [address, message, signature],
) => {
  const given = {
    address: parseString('address', address, 100),
    message: parseString('message', message, MAX_MESSAGE_LENGTH),
    signature: parseString('signature', signature, MAX_SIGNATURE_LENGTH),
  }
  // Checking signatures is work that strangers get none of.
  const { network } = await readConnected()
  return verifySimpleMessage({ ...given, network }).state === 'valid' ? 1 : 0
}

import type { MessageType } from '../bitcoin/messages/message.ts'
import { invalidParams } from './errors.ts'
import { isGiven, parseOptions, parseString } from './params.ts'

/** A text to sign and how; `from`, where the page names it, must be the connected address. */
export type MessageOrder = { message: string; type: MessageType; from: string | null }

export const MESSAGE_TYPES: readonly MessageType[] = ['ecdsa', 'bip322-simple', 'bip322']

/** Characters of one question, whether they are one message or many: more than a person can read. */
export const MAX_MESSAGE_LENGTH = 64 * 1024

/** Messages of one question. */
export const MAX_MESSAGES = 50

/** The second argument is a type, or `{ type, from }` as some clients send it. */
export function parseSignMessage([signStr, typeOrOptions]: readonly unknown[]): MessageOrder {
  const message = parseMessageText('signStr', signStr)
  const options = typeof typeOrOptions === 'string' ? { type: typeOrOptions } : typeOrOptions
  const { type, from } = parseOptions('type', options)
  return { message, type: readMessageType('type', type), from: readFrom('type.from', from) }
}

/** A list of `{ text, type, from }`, as UniSat has it, with more types and with the address. The same text may come twice. */
export function parseSignMessages([messages]: readonly unknown[]): { messages: MessageOrder[] } {
  assertMessageList('messages', messages)
  const orders = Array.from(messages, (entry: unknown, at): MessageOrder => {
    const field = `messages[${at}]`
    const { text, type, from } = parseOptions(field, entry)
    return {
      message: parseMessageText(`${field}.text`, text),
      type: readMessageType(`${field}.type`, type),
      from: readFrom(`${field}.from`, from),
    }
  })
  assertTotalLength('messages', messages, orders)
  return { messages: orders }
}

/** Throws -32602 unless it is a list of as many messages as one question can have. */
export function assertMessageList(field: string, value: unknown): asserts value is unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_MESSAGES)
    throw invalidParams(field, value, `a list of 1 to ${MAX_MESSAGES} messages`)
}

/** Throws -32602 where the texts together are longer than one question can be. */
export function assertTotalLength(
  field: string,
  value: unknown,
  orders: readonly { message: string }[],
): void {
  if (orders.reduce((sum, { message }) => sum + message.length, 0) > MAX_MESSAGE_LENGTH)
    throw invalidParams(field, value, `at most ${MAX_MESSAGE_LENGTH} characters in all`)
}

/** Text that has a form in UTF-8. */
export function parseMessageText(field: string, value: unknown): string {
  const text = parseString(field, value, MAX_MESSAGE_LENGTH)
  if (!text.isWellFormed()) throw invalidParams(field, value, 'text without lone surrogates')
  return text
}

function readMessageType(field: string, value: unknown): MessageType {
  if (!isGiven(value)) return 'ecdsa'
  const type = MESSAGE_TYPES.find(name => name === value)
  if (!type) throw invalidParams(field, value, `one of ${MESSAGE_TYPES.join(', ')}`)
  return type
}

function readFrom(field: string, value: unknown): string | null {
  return isGiven(value) ? parseString(field, value, 100) : null
}

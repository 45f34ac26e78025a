import { askAlways, type Method } from '../requests/method.ts'
import { type MessageParts, signMessagesForSite } from './sign-message.ts'

/** Signs several texts with one question: all of them or none. */
export const signMessages: Method<'signMessages', MessageParts> = {
  access: 'connected',
  answer: askAlways,
  ask: (context, { messages }) =>
    signMessagesForSite(
      context,
      messages.map((order, at) => ({
        ...order,
        fields: { type: `messages[${at}].type`, from: `messages[${at}].from` },
      })),
    ),
}

import { type MessageProof, verifyMessage, verifySimpleMessage } from '../message.ts'

/** BIP-322's answer alone. */
export function stateOf(proof: MessageProof) {
  return verifyMessage(proof).state
}

/** The same of the simple form alone. */
export function simpleStateOf(proof: MessageProof) {
  return verifySimpleMessage(proof).state
}

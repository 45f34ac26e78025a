import type { Method, MethodTable } from '../rpc/method.ts'

/** A method that says nothing, under the names of Hardhat, which answers with true, and anvil, which does with null unless told otherwise. */
export function nameTwice(
  name: string,
  { parameters, answer }: Method,
  anvilAnswer: true | null = null,
): MethodTable {
  const answerWith = (said: true | null): Method => ({
    parameters,
    async answer(values, context) {
      await answer(values, context)
      return said
    },
  })
  return { [`hardhat_${name}`]: answerWith(true), [`anvil_${name}`]: answerWith(anvilAnswer) }
}

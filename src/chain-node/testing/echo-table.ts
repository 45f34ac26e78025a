import { readBoolean, readQuantity, readString } from '../codec/parameters.ts'
import { defineMethod, JsonText, type MethodTable, optional, required } from '../rpc/method.ts'
import { ArgumentError, EXECUTION_REVERTED, RpcError } from '../rpc/rpc-error.ts'

/** Methods after those of the test service of geth's rpc package, and some that misbehave. */
export const ECHO_TABLE: MethodTable = {
  test_echo: defineMethod(
    [required(readString), required(readInteger), optional(readObject, null)],
    ([text, number, object]) => ({ String: text, Int: number, Args: object }),
  ),
  test_noArgsRets: defineMethod([], () => undefined),
  test_text: defineMethod([optional(readBoolean, false)], () => new JsonText('{"a":[1,2]}')),
  test_later: defineMethod([required(readInteger)], async ([milliseconds]) => {
    await new Promise(resolve => setTimeout(resolve, milliseconds))
    return milliseconds
  }),
  test_quantity: defineMethod([required(readQuantity)], ([value]) => value.toString()),
  test_bytes: defineMethod([required(readInteger)], ([length]) => 'x'.repeat(length)),
  test_push: defineMethod([required(readInteger), optional(readInteger, 10)], (values, context) => {
    const [count, length] = values
    context.afterAnswer(() => {
      for (let i = 0; i < count; i++) {
        context.connection?.send(JSON.stringify({ pushed: i, text: 'x'.repeat(length) }))
      }
    })
    return count
  }),
  test_revert: defineMethod([], () => {
    throw new RpcError(EXECUTION_REVERTED, 'execution reverted: "quoted"\n', '0x08c379a0')
  }),
  test_described: defineMethod([], async () => {
    throw new RangeError('known')
  }),
  test_panic: defineMethod([], () => {
    throw new TypeError('secret')
  }),
  test_panicLater: defineMethod([], () => Promise.reject(new TypeError('secret'))),
  test_throwNothing: defineMethod([], () => {
    throw undefined
  }),
  test_bigint: defineMethod([], () => 1n),
}

function readInteger(value: unknown): number {
  if (!Number.isInteger(value)) throw new ArgumentError('not an integer')
  return Number(value)
}

function readObject(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new ArgumentError('not an object')
  return value
}

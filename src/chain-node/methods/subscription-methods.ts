import { readLogFilter } from '../codec/log-filter.ts'
import { quote, readBoolean, readString } from '../codec/parameters.ts'
import type { Connection } from '../rpc/connection.ts'
import {
  type CallContext,
  defineMethod,
  type MethodTable,
  optional,
  required,
} from '../rpc/method.ts'
import { ArgumentError, INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../rpc/rpc-error.ts'
import type { Event, Subscriptions } from '../subscriptions/subscriptions.ts'

export function listSubscriptionMethods({
  subscriptions,
}: {
  subscriptions: Subscriptions
}): MethodTable {
  return {
    eth_subscribe: defineMethod(
      [optional(passOn, undefined), optional(passOn, undefined)],
      ([name, argument], context) => {
        const connection = requireConnection(context)
        const event = readEvent(name, argument)
        return subscriptions.subscribe(connection, event, context.afterAnswer)
      },
    ),
    eth_unsubscribe: defineMethod([required(readString)], ([id], context) =>
      subscriptions.unsubscribe(requireConnection(context), id),
    ),
  }
}

/** What the argument means depends on the name, so both are read together. */
function passOn(value: unknown): unknown {
  return value
}

function requireConnection({ connection }: CallContext): Connection {
  if (!connection) throw new RpcError(METHOD_NOT_FOUND, 'notifications not supported')
  return connection
}

/** Throws `RpcError` with geth's text. */
function readEvent(name: unknown, argument: unknown): Event {
  if (typeof name !== 'string') {
    throw new RpcError(INVALID_PARAMS, 'expected subscription name as first argument')
  }
  switch (name) {
    case 'newHeads':
    case 'newPendingTransactions':
      return { name, withTransactions: readArgument(argument, readWithTransactions) }
    case 'logs':
      return { name, filter: readArgument(argument ?? {}, readLogFilter) }
    case 'syncing':
      if (argument === undefined) return { name }
      throw new RpcError(INVALID_PARAMS, 'too many arguments, want at most 1')
    default:
      throw new RpcError(METHOD_NOT_FOUND, `no ${quote(name)} subscription in eth namespace`)
  }
}

/** Reads the second argument, to which the first has given its meaning. */
function readArgument<T>(argument: unknown, read: (value: unknown) => T): T {
  try {
    return read(argument)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw new RpcError(INVALID_PARAMS, `invalid argument 1: ${error.message}`)
  }
}

/** The specification's `includeTransactions` in an object, or geth's boolean alone. */
function readWithTransactions(argument: unknown): boolean {
  if (argument === undefined) return false
  if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) {
    return readBoolean(argument)
  }
  const fields = Object.entries(argument).filter(
    ([name]) => name.toLowerCase() === 'includetransactions',
  )
  const value: unknown = fields.at(-1)?.[1] ?? false
  return readBoolean(value)
}

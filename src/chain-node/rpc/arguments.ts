import type { Parameter } from './method.ts'
import { ArgumentError, INVALID_PARAMS, RpcError } from './rpc-error.ts'

/** Reads positional parameters with geth's texts, in geth's order: what is there first, what is missing last. */
export function readArguments(parameters: readonly Parameter<unknown>[], params: unknown): never[] {
  const given = params === undefined || params === null ? [] : params
  if (!Array.isArray(given)) throw new RpcError(INVALID_PARAMS, 'non-array args')
  const values: unknown[] = []
  for (const [i, value] of given.entries()) {
    const parameter = parameters[i]
    if (!parameter) {
      const most = parameters.length
      throw new RpcError(INVALID_PARAMS, `too many arguments, want at most ${most}`)
    }
    values.push(readArgument(parameter, value, i))
  }
  for (const [i, parameter] of parameters.entries()) {
    if (i >= values.length) values.push(readArgument(parameter, null, i))
  }
  return values as never[]
}

function readArgument(parameter: Parameter<unknown>, value: unknown, position: number): unknown {
  if (value === null) {
    if (parameter.fallback) return parameter.fallback.value
    throw new RpcError(INVALID_PARAMS, `missing value for required argument ${position}`)
  }
  try {
    return parameter.parse(value)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    throw new RpcError(INVALID_PARAMS, `invalid argument ${position}: ${error.message}`)
  }
}

import { readArguments } from './arguments.ts'
import type { Connection } from './connection.ts'
import type { CallContext, MethodTable } from './method.ts'
import { type Request, readRequests } from './request.ts'
import { formatError, formatResult } from './response.ts'
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  RESPONSE_TOO_LARGE,
  RpcError,
} from './rpc-error.ts'

export interface RpcLimits {
  /** Requests of one batch. */
  readonly maxBatch: number
  /** Characters of a batch's answers; once they are more, the rest of its requests is refused. */
  readonly maxBatchAnswer: number
}

/** Geth's. */
const DEFAULT_RPC_LIMITS: RpcLimits = { maxBatch: 1000, maxBatchAnswer: 25_000_000 }

export interface RpcOptions {
  readonly table: MethodTable
  /** What a caller is told of an error that is not an `RpcError`; null for a fault of the node. */
  readonly describeError: (error: unknown) => RpcError | null
  /** Hears of every fault of the node. */
  readonly onFault: (error: unknown, method: string) => void
  /** Hears of every call of a method of the table, with its milliseconds and whether it had a result. */
  readonly onCall?: (method: string, milliseconds: number, isOk: boolean) => void
  readonly limits?: Partial<RpcLimits>
}

export interface Rpc {
  /**
   * Answers what one body asks, and throws nothing. `answer` is called once, within this call where no method has to
   * wait; with null where there is nothing to say, as to notifications.
   *
   * @param connection - null where nothing can be sent later
   * @param isGone - whether nobody waits for the answer any more: what is left of a batch is not run then
   */
  handle(
    body: Uint8Array | string,
    connection: Connection | null,
    answer: (text: string | null) => void,
    isGone?: () => boolean,
  ): void
}

/** Serves a table of methods by JSON-RPC 2.0, with geth's texts. */
export function createRpc(options: RpcOptions): Rpc {
  const methods = new Map(Object.entries(options.table))
  const { maxBatch, maxBatchAnswer } = { ...DEFAULT_RPC_LIMITS, ...options.limits }

  function handle(
    body: Uint8Array | string,
    connection: Connection | null,
    answer: (text: string | null) => void,
    isGone: () => boolean = () => false,
  ): void {
    const later: (() => void)[] = []
    const context: CallContext = { connection, afterAnswer: work => later.push(work) }
    const deliver = (text: string | null) => {
      guard('answer', () => answer(text))
      for (const work of later) guard('afterAnswer', work)
    }
    const requests = readRequests(body, maxBatch)
    if (requests === null) {
      deliver(formatError('null', new RpcError(PARSE_ERROR, 'parse error')))
    } else if ('single' in requests) {
      const text = answerRequest(requests.single, context)
      if (text instanceof Promise) text.then(deliver)
      else deliver(text)
    } else if ('tooLarge' in requests) {
      const error = new RpcError(INVALID_REQUEST, 'batch too large')
      deliver(`[${formatError(requests.tooLarge.id, error)}]`)
    } else if (requests.batch.length === 0) {
      deliver(formatError('null', new RpcError(INVALID_REQUEST, 'empty batch')))
    } else {
      answerBatch(requests.batch, context, isGone).then(deliver, error => {
        report(error, 'batch')
        deliver(formatError('null', INTERNAL))
      })
    }
  }

  /** One after the other; every few milliseconds somebody else has a turn. */
  async function answerBatch(
    batch: readonly Request[],
    context: CallContext,
    isGone: () => boolean,
  ) {
    const answers: string[] = []
    let size = 0
    let turn = performance.now()
    for (const request of batch) {
      if (isGone()) return null
      let text: string | null
      if (size <= maxBatchAnswer) {
        const answer = answerRequest(request, context)
        text = answer instanceof Promise ? await answer : answer
      } else {
        text = request.id && formatError(request.id, TOO_LARGE)
      }
      if (text !== null) {
        answers.push(text)
        size += text.length
      }
      if (performance.now() - turn > TURN) {
        await new Promise(setImmediate)
        turn = performance.now()
      }
    }
    return answers.length > 0 ? `[${answers.join(',')}]` : null
  }

  /** Null for a notification; a promise, never rejected, only where the method has to wait. */
  function answerRequest(
    { id, method: name, params }: Request,
    context: CallContext,
  ): string | null | Promise<string | null> {
    if (name === null) return formatError(id ?? 'null', NOT_A_REQUEST)
    const method = methods.get(name)
    if (!method) return id && formatError(id, refuse(name))

    const start = options.onCall ? performance.now() : 0
    const finish = (isOk: boolean) => {
      if (!options.onCall) return
      try {
        options.onCall(name, performance.now() - start, isOk)
      } catch (error) {
        report(error, name)
      }
    }
    const fail = (error: unknown) => {
      finish(false)
      const described = describe(error, name)
      return id && formatError(id, described)
    }
    const succeed = (result: unknown) => {
      let text: string | null
      try {
        text = id && formatResult(id, result)
      } catch (error) {
        return fail(error)
      }
      finish(true)
      return text
    }
    try {
      const result = method.answer(readArguments(method.parameters, params), context)
      return result instanceof Promise ? result.then(succeed, fail) : succeed(result)
    } catch (error) {
      return fail(error)
    }
  }

  function describe(error: unknown, method: string): RpcError {
    if (error instanceof RpcError) return error
    try {
      const described = options.describeError(error)
      if (described) return described
    } catch (second) {
      report(second, method)
    }
    report(error, method)
    return INTERNAL
  }

  function guard(method: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      report(error, method)
    }
  }

  function report(error: unknown, method: string): void {
    try {
      options.onFault(error, method)
    } catch {
      // A log that fails must not take the node with it.
    }
  }

  return { handle }
}

/** Milliseconds that a batch works before others have a turn. */
const TURN = 5
const LONGEST_NAME = 2048

const NOT_A_REQUEST = new RpcError(INVALID_REQUEST, 'invalid request')
const TOO_LARGE = new RpcError(RESPONSE_TOO_LARGE, 'response too large')
const INTERNAL = new RpcError(INTERNAL_ERROR, 'internal error')

function refuse(name: string): RpcError {
  return name.length > LONGEST_NAME
    ? new RpcError(INVALID_REQUEST, `method name too long: ${name.length} > ${LONGEST_NAME}`)
    : new RpcError(METHOD_NOT_FOUND, `the method ${name} does not exist/is not available`)
}

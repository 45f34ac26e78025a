import type { Connection } from './connection.ts'

/** Where a call came from. */
export interface CallContext {
  /** Null for HTTP, where nothing can be sent later. */
  readonly connection: Connection | null
  /** Runs once the answer to this call has been handed to the connection: what is sent later comes after it. */
  afterAnswer(work: () => void): void
}

/** One positional parameter. */
export interface Parameter<T> {
  /** Reads what the caller wrote; throws `ArgumentError`, or `RpcError` where the text has no position before it. */
  readonly parse: (value: unknown) => T
  /** What stands for a parameter that is missing or null; a parameter without it is required. */
  readonly fallback?: { readonly value: T }
}

/** A method: its parameters and what answers them. */
export interface Method {
  readonly parameters: readonly Parameter<unknown>[]
  /** Gives a JSON value, or `JsonText`; throws `RpcError`. */
  readonly answer: (values: never[], context: CallContext) => unknown
}

export type MethodTable = { readonly [name: string]: Method }

/** A result that is JSON text already, and is put into the answer as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The answer of a read that gives JSON text, or null for what is not there. */
export function answerText(text: string | null): JsonText | null {
  return text === null ? null : new JsonText(text)
}

/** Joins parameters with the function that takes their values. */
export function defineMethod<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  answer: (
    values: { -readonly [I in keyof P]: P[I] extends Parameter<infer T> ? T : never },
    context: CallContext,
  ) => unknown,
): Method {
  return { parameters, answer: answer as Method['answer'] }
}

export function required<T>(parse: (value: unknown) => T): Parameter<T> {
  return { parse }
}

export function optional<T>(parse: (value: unknown) => T, value: T): Parameter<T> {
  return { parse, fallback: { value } }
}

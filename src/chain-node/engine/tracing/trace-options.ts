/** Which of geth's tracers watches a transaction, with its options. */
export type TraceOptions =
  | CallTracerOptions
  | PrestateTracerOptions
  | StructLoggerOptions
  | { readonly tracer: '4byteTracer' | 'noopTracer' }

export interface CallTracerOptions {
  readonly tracer: 'callTracer'
  readonly onlyTopCall: boolean
  readonly withLog: boolean
}

export interface PrestateTracerOptions {
  readonly tracer: 'prestateTracer'
  readonly diffMode: boolean
  readonly disableCode: boolean
  readonly disableStorage: boolean
  /** Also accounts that were not there. */
  readonly includeEmpty: boolean
}

/** The one that is meant where none is named. */
export interface StructLoggerOptions {
  readonly tracer: 'structLogger'
  readonly enableMemory: boolean
  readonly disableStack: boolean
  readonly disableStorage: boolean
  readonly enableReturnData: boolean
  /** Characters after which no opcode is written down any more; zero for no limit. */
  readonly limit: number
}

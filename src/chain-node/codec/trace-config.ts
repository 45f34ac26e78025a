import type { BlockOverrides, StateOverrides } from '../engine/engine.ts'
import type { TraceOptions } from '../engine/tracing/trace-options.ts'
import { ArgumentError, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'
import { readBlockOverrides } from './block-overrides.ts'
import { readStateOverrides } from './call-object.ts'
import { type Fields, readField, readFields } from './fields.ts'
import { nameKind, quote, readBoolean, readIndex, readString } from './parameters.ts'

export interface TraceConfig {
  readonly options: TraceOptions
  /** Milliseconds; null where none is asked for. */
  readonly time: number | null
}

export interface TraceCallConfig extends TraceConfig {
  readonly overrides: StateOverrides
  readonly blockOverrides: BlockOverrides
  /** The transaction of the block before which the call runs; null for after the block. */
  readonly index: number | null
}

/** The configuration of debug_traceTransaction, as geth reads it; it names the struct logger where it names none. */
export function readTraceConfig(value: unknown): TraceConfig {
  return readConfig(readFields(value, 'tracers.TraceConfig'))
}

/** That of debug_traceCall. */
export function readTraceCallConfig(value: unknown): TraceCallConfig {
  const fields = readFields(value, 'tracers.TraceCallConfig')
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'TraceCallConfig', name, read)
  return {
    ...readConfig(fields),
    overrides: find('stateOverrides', readStateOverrides) ?? new Map(),
    blockOverrides: find('blockOverrides', readBlockOverrides) ?? {},
    index: find('txIndex', readIndex),
  }
}

export const DEFAULT_TRACE_CONFIG: TraceCallConfig = readTraceCallConfig({})

function readConfig(fields: Fields): TraceConfig {
  const find = <T>(name: string, read: (value: unknown) => T) =>
    readField(fields, 'TraceConfig', name, read)
  const tracer = find('tracer', readString)
  const own = find('tracerConfig', value => readFields(value, 'native.TracerConfig')) ?? new Map()
  return {
    options: readOptions(tracer, tracer === null ? fields : own),
    time: find('timeout', readDuration),
  }
}

function readOptions(tracer: string | null, fields: Fields): TraceOptions {
  const flag = (name: string) => readField(fields, 'TracerConfig', name, readBoolean) ?? false
  switch (tracer) {
    case null:
      return {
        tracer: 'structLogger',
        enableMemory: flag('enableMemory'),
        disableStack: flag('disableStack'),
        disableStorage: flag('disableStorage'),
        enableReturnData: flag('enableReturnData'),
        limit: readField(fields, 'Config', 'limit', readLimit) ?? 0,
      }
    case 'callTracer':
      return { tracer, onlyTopCall: flag('onlyTopCall'), withLog: flag('withLog') }
    case 'prestateTracer': {
      const [diffMode, includeEmpty] = [flag('diffMode'), flag('includeEmpty')]
      if (diffMode && includeEmpty) {
        throw new RpcError(SERVER_ERROR, 'cannot use diffMode with includeEmpty')
      }
      const [disableCode, disableStorage] = [flag('disableCode'), flag('disableStorage')]
      return { tracer, diffMode, disableCode, disableStorage, includeEmpty }
    }
    case '4byteTracer':
    case 'noopTracer':
      return { tracer }
    default:
      throw new RpcError(
        SERVER_ERROR,
        `the tracer ${quote(tracer)} is not known: there are callTracer, prestateTracer, 4byteTracer, noopTracer and, without a name, the struct logger; none in JavaScript is run`,
      )
  }
}

function readLimit(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  const found = typeof value === 'number' ? `number ${value}` : nameKind(value)
  throw new ArgumentError(`json: cannot unmarshal ${found} into Go value of type int`)
}

const UNITS: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 3.6e6,
}

/** A duration as Go writes it, such as `2.5s` or `1m30s`, in milliseconds. */
function readDuration(value: unknown): number {
  const text = readString(value)
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new RpcError(SERVER_ERROR, `time: invalid duration ${quote(text)}`)
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0)
}

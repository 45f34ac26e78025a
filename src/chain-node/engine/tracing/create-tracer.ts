import type { Machine } from '../machine.ts'
import { createCallTracer } from './call-tracer.ts'
import { createFourByteTracer } from './four-byte-tracer.ts'
import { createPrestateTracer } from './prestate-tracer.ts'
import { createStructLogger } from './struct-logger.ts'
import type { TraceOptions } from './trace-options.ts'
import type { TraceSize } from './trace-size.ts'
import type { Tracer } from './tracer.ts'

/** @param firstLog - the index of the transaction's first log in its block */
export function createTracer(
  machine: Machine,
  options: TraceOptions,
  firstLog: number,
  size: TraceSize,
): Tracer {
  switch (options.tracer) {
    case 'callTracer':
      return createCallTracer(options, firstLog, size)
    case 'prestateTracer':
      return createPrestateTracer(machine, options, size)
    case 'structLogger':
      return createStructLogger(machine, options, size)
    case '4byteTracer':
      return createFourByteTracer(machine)
    case 'noopTracer':
      return { result: () => '{}' }
  }
}

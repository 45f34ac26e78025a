import { Address } from '@ethereumjs/util'
import { encodeHex } from '../../codec/hex.ts'
import type { Machine } from '../machine.ts'
import { CREATE, CREATE2 } from './observed-messages.ts'
import { createTraceSize } from './trace-size.ts'
import type { Tracer } from './tracer.ts'

const SELFDESTRUCT = 0xff

/** geth's `4byteTracer`: how often each selector was called, with how many bytes after it. */
export function createFourByteTracer({ evm }: Pick<Machine, 'evm'>): Tracer {
  const counts = new Map<string, number>()
  const size = createTraceSize()

  return {
    enter({ opcode, to, input }) {
      if (input.length < 4 || [CREATE, CREATE2, SELFDESTRUCT].includes(opcode)) return
      if (evm.getPrecompile(new Address(to)) !== undefined) return
      const name = `${encodeHex(input.subarray(0, 4))}-${input.length - 4}`
      const count = counts.get(name) ?? 0
      if (count === 0) size.add(2 * name.length)
      counts.set(name, count + 1)
    },
    result: () => JSON.stringify(Object.fromEntries(counts)),
  }
}

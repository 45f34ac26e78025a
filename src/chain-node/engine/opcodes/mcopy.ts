import type { EVMOpts } from '@ethereumjs/evm'

type CustomOpcode = NonNullable<EVMOpts['customOpcodes']>[number]
type AddOpcode = Extract<CustomOpcode, { logicFunction: unknown }>
type RunState = Parameters<AddOpcode['logicFunction']>[0]

/** EIP-5656, which EthereumJS knows from Cancun on, for chains that have it earlier. */
export const MCOPY: CustomOpcode = {
  opcode: 0x5e,
  opcodeName: 'MCOPY',
  baseFee: 3,
  async gasFunction(runState, gas) {
    const [destination, source, length] = runState.stack.peek(3) as [bigint, bigint, bigint]
    const words = (length + 31n) / 32n
    return gas + 3n * words + growMemory(runState, max(destination, source), length)
  },
  logicFunction(runState) {
    const [destination, source, length] = runState.stack.popN(3) as [bigint, bigint, bigint]
    if (length === 0n) return
    const bytes = runState.memory.read(Number(source), Number(length), true)
    runState.memory.write(Number(destination), Number(length), bytes)
  },
}

/** Yellow paper, appendix H: the cost of memory up to `offset + length` beyond what has been paid for. */
function growMemory(runState: RunState, offset: bigint, length: bigint): bigint {
  if (length === 0n) return 0n
  const words = (offset + length + 31n) / 32n
  if (words <= runState.memoryWordCount) return 0n
  const cost = words * 3n + (words * words) / 512n
  const added = cost > runState.highestMemCost ? cost - runState.highestMemCost : 0n
  runState.highestMemCost += added
  runState.memoryWordCount = words
  return added
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

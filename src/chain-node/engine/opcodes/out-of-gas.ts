import type { Common } from '@ethereumjs/common'
import { EVMError } from '@ethereumjs/evm'
import { GasError, OpcodeError, refuseMemory } from '../call-error.ts'
import type { RunState } from '../evm/frame.ts'

const { errorMessages } = EVMError
/** EIP-2200. */
const SENTRY_GAS = 2_300n

/** Where opcodes have the offset and the length of what they read and write, from the top of the stack. */
const RANGES: { readonly [opcode: number]: readonly (readonly [offset: number, length: number])[] } =
  {
    32: [[0, 1]], // KECCAK256
    55: [[0, 2]], // CALLDATACOPY
    57: [[0, 2]], // CODECOPY
    60: [[1, 3]], // EXTCODECOPY
    62: [[0, 2]], // RETURNDATACOPY
    94: [[0, 2], [1, 2]], // MCOPY
    160: [[0, 1]], // LOG0 to LOG4
    161: [[0, 1]],
    162: [[0, 1]],
    163: [[0, 1]],
    164: [[0, 1]],
    240: [[1, 2]], // CREATE
    241: [[3, 4], [5, 6]], // CALL
    242: [[3, 4], [5, 6]], // CALLCODE
    243: [[0, 1]], // RETURN
    244: [[2, 3], [4, 5]], // DELEGATECALL
    245: [[1, 2]], // CREATE2
    250: [[2, 3], [4, 5]], // STATICCALL
    253: [[0, 1]], // REVERT
  } // biome-ignore format: a table

const [SSTORE, MLOAD, MSTORE, MSTORE8, SELFDESTRUCT] = [0x55, 0x51, 0x52, 0x53, 0xff]
const CALLS = [0xf1, 0xf2, 0xf4, 0xfa]
/** What changes the state, but for logs and transient storage, which geth looks at later. */
const WRITES = [SSTORE, 0xf0, 0xf1, 0xf5, SELFDESTRUCT]

/**
 * What geth says of an opcode whose gas could not be reckoned or paid, where that is more than that there is none: it says
 * so too of what else it finds while it reckons.
 *
 * @param error - EthereumJS's; nothing has been taken from the stack or paid
 */
export function describeOutOfGas(
  error: unknown,
  state: RunState,
  opcode: number,
  gas: bigint,
  common: Common,
): unknown {
  if (!(error instanceof EVMError) || error instanceof OpcodeError) return error
  if (error.error === errorMessages.STATIC_STATE_CHANGE && WRITES.includes(opcode)) {
    return new OpcodeError(error.error, 'out of gas: write protection')
  }
  if (error.error !== errorMessages.OUT_OF_GAS) return error
  for (const [offset, length] of listRanges(state, opcode)) {
    if (length === 0n) continue
    const refused = refuseMemory(offset, length)
    if (refused instanceof GasError) return refused
  }
  if (opcode === SSTORE && common.gteHardfork('istanbul') && gas <= SENTRY_GAS) {
    return new GasError('out of gas: not enough gas for reentrancy sentry')
  }
  return isFoundEarly(opcode, gas, common) ? new GasError('out of gas: out of gas') : error
}

/** EIP-2929: what is not known costs more, which geth takes before it goes on; from Prague on it does so with all of a call. */
function isFoundEarly(opcode: number, gas: bigint, common: Common): boolean {
  if (!common.isActivatedEIP(2929)) return false
  const cold = common.param('coldaccountaccessGas')
  if (opcode === SELFDESTRUCT) {
    const left = gas - common.param('selfdestructGas')
    return left >= 0n && left < cold
  }
  if (!CALLS.includes(opcode)) return false
  const warm = common.param('warmstoragereadGas')
  return gas >= warm && (common.isActivatedEIP(7702) || gas < cold)
}

function listRanges({ stack }: RunState, opcode: number): (readonly [bigint, bigint])[] {
  const item = (index: number) => stack.peek(index + 1)[index] as bigint
  if (opcode === MLOAD || opcode === MSTORE) return [[item(0), 32n]]
  if (opcode === MSTORE8) return [[item(0), 1n]]
  return (RANGES[opcode] ?? []).map(([offset, length]) => [item(offset), item(length)])
}

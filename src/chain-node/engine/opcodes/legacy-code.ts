import type { Common } from '@ethereumjs/common'
import { EVMError } from '@ethereumjs/evm'
import {
  bigIntToBytes,
  bytesToBigInt,
  createAddressFromBigInt,
  setLengthLeft,
} from '@ethereumjs/util'
import { OpcodeError } from '../call-error.ts'
import type { RunState } from '../evm/frame.ts'
import type { OpcodeEntry } from '../opcode-table.ts'
import type { State } from '../state/state.ts'
import { EMPTY_CODE_HASH, equalBytes, NO_BYTES } from '../state/state-reader.ts'

const { errorMessages } = EVMError
const MASK_160 = 2n ** 160n - 1n

/**
 * The opcodes of a fork with those in place of EthereumJS's that take code which begins with 0xef00 for a container of EIP-3540:
 * no fork has that EIP, and to all of them such code is code.
 */
export function replaceContainerOpcodes(
  entries: readonly OpcodeEntry[],
  state: State,
): OpcodeEntry[] {
  const handlers: { readonly [opcode: number]: (runState: RunState, common: Common) => unknown } = {
    // EXTCODESIZE
    59({ stack }) {
      stack.push(BigInt(readCode(stack.pop()).length))
    },
    // EXTCODECOPY
    60({ stack, memory }) {
      const [address, target, source, length] = stack.popN(4) as [bigint, bigint, bigint, bigint]
      if (length === 0n) return
      const code = readCode(address)
      const bytes = new Uint8Array(Number(length))
      if (source < BigInt(code.length)) {
        bytes.set(code.subarray(Number(source), Number(source) + bytes.length))
      }
      memory.write(Number(target), bytes.length, bytes)
    },
    // EXTCODEHASH: nothing for an account that is empty (EIP-1052)
    63({ stack }) {
      const account = state.readAccount(toAddressBytes(stack.pop()))
      const isEmpty =
        account === null ||
        (account.nonce === 0n &&
          account.balance === 0n &&
          equalBytes(account.codeHash, EMPTY_CODE_HASH))
      stack.push(isEmpty ? 0n : bytesToBigInt(account.codeHash))
    },
    // CREATE
    async 240(runState, common) {
      const [value, offset, length] = runState.stack.popN(3) as [bigint, bigint, bigint]
      const data = readInitCode(runState, common, offset, length)
      const { interpreter, stack } = runState
      stack.push(await interpreter.create(takeGas(runState), value, data))
    },
    // CREATE2
    async 245(runState, common) {
      const { interpreter, stack } = runState
      if (interpreter.isStatic()) throw new EVMError(errorMessages.STATIC_STATE_CHANGE)
      const [value, offset, length, salt] = stack.popN(4) as [bigint, bigint, bigint, bigint]
      const data = readInitCode(runState, common, offset, length)
      stack.push(
        await interpreter.create2(
          takeGas(runState),
          value,
          data,
          setLengthLeft(bigIntToBytes(salt), 32),
        ),
      )
    },
  }

  function readCode(address: bigint): Uint8Array {
    return state.readCode(toAddressBytes(address))
  }

  return entries.map((entry, opcode) => {
    const handler = handlers[opcode]
    if (handler === undefined || entry.opcodeInfo.isInvalid) return entry
    return { ...entry, opHandler: handler as OpcodeEntry['opHandler'] }
  })
}

/** EIP-3860. */
function readInitCode(
  { memory }: RunState,
  common: Common,
  offset: bigint,
  length: bigint,
): Uint8Array {
  const limit = common.isActivatedEIP(3860) ? common.param('maxInitCodeSize') : length
  if (length > limit) {
    const text = `out of gas: max initcode size exceeded: code size ${length} limit ${limit}`
    throw new OpcodeError(errorMessages.INITCODE_SIZE_VIOLATION, text)
  }
  return length === 0n ? NO_BYTES : memory.read(Number(offset), Number(length), true)
}

/** What the gas handler has put by for the frame that begins. */
function takeGas(runState: RunState): bigint {
  const gas = runState.messageGasLimit as bigint
  delete runState.messageGasLimit
  return gas
}

function toAddressBytes(item: bigint): Uint8Array {
  return createAddressFromBigInt(item & MASK_160).bytes
}

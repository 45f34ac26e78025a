import { type EVM, EVMError, type ExecResult, type Message } from '@ethereumjs/evm'
import type { Address } from '@ethereumjs/util'
import { isDelegation } from '../delegation.ts'
import type { State } from '../state/state.ts'
import { EMPTY_CODE_HASH, NO_BYTES } from '../state/state-reader.ts'
import type { Journal } from './journal.ts'

/** What of an EVM is not for its users. */
interface EvmInternals {
  _executeCall: (message: Message) => Promise<{ execResult: ExecResult }>
  readonly runInterpreter: (message: Message) => Promise<ExecResult>
  readonly runPrecompile: (
    code: Message['code'],
    data: Uint8Array,
    gasLimit: bigint,
  ) => Promise<ExecResult> | ExecResult
}

/** What of a machine a call of an account needs. */
interface CallingMachine {
  readonly evm: EVM
  readonly state: State
  readonly journal: Journal
  /** False once precompiled contracts were moved, to wherever. */
  readonly hasOwnPrecompiles: boolean
}

/**
 * A message to an account (yellow paper, 8), in place of EthereumJS's way: it moves the value, finds the code (EIP-7702) and runs
 * it. The rules of forks that the chain node does not have, such as witnesses (EIP-7864) and state gas (EIP-8037), are left out.
 */
export function replaceCalls(machine: CallingMachine): void {
  const { evm, state, journal } = machine
  const internals = evm as unknown as EvmInternals
  const hasTransient = evm.common.isActivatedEIP(1153)
  const hasDelegations = evm.common.isActivatedEIP(7702)

  /** Whether the sender had so much. Both accounts are touched (EIP-161). */
  function moveValue({ caller, to, value }: Message): boolean {
    const receiver = (to as Address).bytes
    const sender = state.readAccount(caller.bytes)
    const balance = sender?.balance ?? 0n
    if (balance < value) return false
    journal.touch(caller.bytes)
    journal.touch(receiver)
    if (value > 0n || sender === null) setBalance(caller.bytes, balance - value)
    const before = state.readAccount(receiver)
    if (value === 0n && before !== null) return true
    // A balance beyond 256 bits wraps, as in geth.
    setBalance(receiver, BigInt.asUintN(256, (before?.balance ?? 0n) + value))
    return true
  }

  function setBalance(address: Uint8Array, balance: bigint): void {
    const account = state.readAccount(address)
    state.writeAccount(address, account?.nonce ?? 0n, balance, account?.codeHash ?? EMPTY_CODE_HASH)
  }

  /** Puts the code into the message, unless it brings one. */
  function loadCode(message: Message): void {
    if (message.code) return
    const { codeAddress, depth } = message
    const mayBe = !machine.hasOwnPrecompiles || isLow(codeAddress.bytes)
    const precompile = mayBe ? evm.getPrecompile(codeAddress) : undefined
    message.isCompiled = precompile !== undefined
    if (precompile !== undefined) {
      message.code = precompile
      return
    }
    let code = state.readCode(codeAddress.bytes)
    if (hasDelegations && isDelegation(code)) {
      const target = code.subarray(3)
      code = state.readCode(target)
      if (depth === 0) journal.addAlwaysWarmAddress(target)
    }
    message.code = code
  }

  internals._executeCall = async message => {
    const hasPaid = message.delegatecall || moveValue(message)
    loadCode(message)
    const { code, gasRefund } = message
    const isEmpty = code === undefined || (typeof code !== 'function' && code.length === 0)
    if (!hasPaid || isEmpty) {
      return {
        execResult: {
          gasRefund,
          executionGasUsed: 0n,
          returnValue: NO_BYTES,
          ...(!hasPaid && {
            exceptionError: new EVMError(EVMError.errorMessages.INSUFFICIENT_BALANCE),
          }),
        },
      }
    }
    let result: ExecResult
    if (message.isCompiled) {
      result = await internals.runPrecompile(code, message.data, message.gasLimit)
      result.gasRefund = gasRefund
    } else {
      result = await internals.runInterpreter(message)
    }
    if (message.depth === 0 && hasTransient) evm.transientStorage.clear()
    return { execResult: result }
  }
}

/** Where precompiled contracts are: only the last two bytes are not zero. */
function isLow(address: Uint8Array): boolean {
  for (let i = 0; i < 18; i++) if (address[i] !== 0) return false
  return true
}

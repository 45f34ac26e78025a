import {
  type EVM,
  EVMError,
  type EVMResult,
  type EVMRunCallOpts,
  type ExecResult,
  Message,
} from '@ethereumjs/evm'
import type { Address } from '@ethereumjs/util'
import { isDelegation } from '../delegation.ts'
import type { State } from '../state/state.ts'
import { EMPTY_CODE_HASH, NO_BYTES } from '../state/state-reader.ts'
import type { Journal } from './journal.ts'

/** What of an EVM is not for its users. */
interface EvmInternals {
  _block: EVMRunCallOpts['block']
  _tx: { gasPrice: bigint; origin: Address }
  readonly _emit: (topic: string, data: unknown) => unknown
  _executeCall: (message: Message) => EVMResult | Promise<EVMResult>
  readonly runInterpreter: (message: Message) => ExecResult | Promise<ExecResult>
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
 * A message to an account (yellow paper, 8), in place of EthereumJS's way, which always waits: it moves the value, finds the code (EIP-7702) and runs
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

  /** The message of a transaction or a call, which is the first of its frames. */
  function openMessage(options: EVMRunCallOpts): Message {
    const { caller, block, gasPrice = 0n } = options
    internals._block = block
    internals._tx = { gasPrice, origin: options.origin ?? (caller as Address) }
    return new Message({
      selfdestruct: new Map(),
      createdAddresses: new Set(),
      ...options,
    } as never)
  }

  function raiseNonce(address: Uint8Array): void {
    const account = state.readAccount(address)
    journal.touch(address)
    state.writeAccount(
      address,
      (account?.nonce ?? 0n) + 1n,
      account?.balance ?? 0n,
      account?.codeHash ?? EMPTY_CODE_HASH,
    )
  }

  const runMessage = evm.runCall.bind(evm)

  function runCall(options: EVMRunCallOpts): EVMResult | Promise<EVMResult> {
    if ((options.message ?? options).to === undefined) return runMessage(options)
    const message = options.message ?? openMessage(options)
    if (message.depth === 0 && options.skipNonceIncrement !== true) raiseNonce(message.caller.bytes)
    internals._emit('beforeMessage', message)
    journal.checkpoint()
    if (hasTransient) evm.transientStorage.checkpoint()
    const result = executeCall(message)
    return result instanceof Promise ? result.then(finishCall) : finishCall(result)
  }

  function finishCall(result: EVMResult): EVMResult {
    const { execResult } = result
    if (execResult.exceptionError === undefined) {
      journal.commit()
      if (hasTransient) evm.transientStorage.commit()
    } else {
      execResult.selfdestruct = new Map()
      execResult.createdAddresses = new Set()
      execResult.gasRefund = 0n
      execResult.logs = []
      journal.revert()
      if (hasTransient) evm.transientStorage.revert()
    }
    internals._emit('afterMessage', result)
    return result
  }

  function executeCall(message: Message): EVMResult | Promise<EVMResult> {
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
    const result = message.isCompiled
      ? internals.runPrecompile(code, message.data, message.gasLimit)
      : internals.runInterpreter(message)
    return result instanceof Promise
      ? result.then(execResult => finishCode(message, execResult))
      : finishCode(message, result)
  }

  function finishCode(message: Message, execResult: ExecResult): EVMResult {
    if (message.isCompiled) execResult.gasRefund = message.gasRefund
    if (message.depth === 0 && hasTransient) evm.transientStorage.clear()
    return { execResult }
  }

  internals._executeCall = executeCall
  Object.assign(evm, { runCall })
}

/** Where precompiled contracts are: only the last two bytes are not zero. */
function isLow(address: Uint8Array): boolean {
  for (let i = 0; i < 18; i++) if (address[i] !== 0) return false
  return true
}

import { EVMError, type ExecResult, type Message } from '@ethereumjs/evm'
import { generateAddress, generateAddress2 } from '@ethereumjs/util'
import { describeFailure } from '../call-error.ts'
import { CallError } from '../engine.ts'
import type { State } from '../state/state.ts'
import { encodeInteger } from '../state/state-reader.ts'
import type { EnteredFrame, Observation } from './tracer.ts'

export const CREATE = 0xf0
export const CALL = 0xf1
export const CALLCODE = 0xf2
export const DELEGATECALL = 0xf4
export const CREATE2 = 0xf5
export const STATICCALL = 0xfa

/** Tells the tracer of a message that EthereumJS is about to run. */
export function enterMessage(observation: Observation, state: State, message: Message): void {
  observation.begun++
  observation.returned = null
  observation.open.push({
    depth: message.depth,
    isCreation: message.to === undefined,
    isPrecompile: () => message.isCompiled,
  })
  observation.tracer.enter?.(describeMessage(observation, state, message))
}

/** Tells it how the message that began last, and has not ended, did. */
export function exitMessage(observation: Observation, result: ExecResult): void {
  const frame = observation.open.pop()
  if (frame === undefined) throw new Error('A message ended that had not begun')
  const { exceptionError: error, executionGasUsed: gasUsed, returnValue } = result
  const failure = error === undefined ? null : describeEnd(error)
  // Frontier keeps a contract without code whose creation cannot pay for it.
  const isWithoutCode = failure === null && error !== undefined
  const output = isWithoutCode ? (observation.returned ?? returnValue) : returnValue
  observation.tracer.exit?.({ depth: frame.depth, output, gasUsed, failure })

  function describeEnd(error: EVMError): CallError | null {
    const { errorMessages } = EVMError
    if (error.error === errorMessages.CODESTORE_OUT_OF_GAS) return null
    // EthereumJS calls both out of gas: the code itself, and paying for what it returned.
    const hasReturned = frame?.isCreation === true && observation.returned !== null
    if (error.error === errorMessages.OUT_OF_GAS && hasReturned) {
      return new CallError('contract creation code storage out of gas', null)
    }
    // EthereumJS says that a precompiled contract reverts where a point is not on its curve; none ever reverts.
    if (error.error === errorMessages.REVERT && frame?.isPrecompile()) {
      return new CallError('bn256: malformed point', null)
    }
    return describeFailure(error, returnValue)
  }
}

function describeMessage(observation: Observation, state: State, message: Message): EnteredFrame {
  const { caller, to, depth, data: input, gasLimit: gas, value } = message
  if (to === undefined) {
    const nonce = (state.readAccount(caller.bytes)?.nonce ?? 1n) - 1n
    const isCreate2 = message.salt !== undefined
    const created = isCreate2
      ? generateAddress2(caller.bytes, message.salt as Uint8Array, input)
      : generateAddress(caller.bytes, encodeInteger(nonce))
    const opcode = isCreate2 ? CREATE2 : CREATE
    return { opcode, depth, from: caller.bytes, to: created, input, gas, value }
  }
  const opcode = depth === 0 ? CALL : observation.opcode
  if (opcode === CALL || opcode === STATICCALL) {
    const sent = opcode === STATICCALL ? null : value
    return { opcode, depth, from: caller.bytes, to: to.bytes, input, gas, value: sent }
  }
  // CALLCODE and DELEGATECALL run the code of another in the contract that calls it.
  const code = message.codeAddress.bytes
  return { opcode, depth, from: to.bytes, to: code, input, gas, value }
}

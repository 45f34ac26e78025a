import { EVMError } from '@ethereumjs/evm'
import { toChecksumAddress } from '@ethereumjs/util'
import { type BlockEnvironment, toAddress, toBytes } from './block-environment.ts'
import { describeFailure, GasError, OpcodeError } from './call-error.ts'
import { CallError, type CallMessage } from './engine.ts'
import { computeFloorGas, computeIntrinsicGas } from './intrinsic-gas.ts'
import type { Machine } from './machine.ts'
import { applyAuthorizations } from './set-code.ts'
import type { State } from './state/state.ts'
import { EMPTY_CODE_HASH } from './state/state-reader.ts'
import { warmAddresses } from './transaction-runner.ts'

/** What a call did with so much gas. */
export interface CallOutcome {
  readonly returned: Uint8Array
  /** What a transaction like it would pay for: with the intrinsic gas, after refunds. */
  readonly gasUsed: bigint
  /** Before refunds. */
  readonly gasSpent: bigint
  readonly failure: CallError | null
  readonly isOutOfGas: boolean
}

/** What a unit of gas costs a call: at most, and in its block. */
export interface CallPrices {
  readonly highest: bigint
  readonly effective: bigint
}

/** Least gas that a call can be run with. */
export function computeLeastGas(machine: Machine, message: CallMessage): bigint {
  const intrinsic = computeIntrinsicGas(machine.common, message)
  const floor = computeFloorGas(machine.common, message.input)
  return intrinsic > floor ? intrinsic : floor
}

/** geth's `ToMessage` and `preCheck`: a call without a price costs nothing. Throws `CallError`. */
export function findPrices(
  machine: Machine,
  environment: BlockEnvironment,
  message: CallMessage,
): CallPrices {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = message
  if (!machine.common.isActivatedEIP(1559)) {
    const price = gasPrice ?? 0n
    return { highest: price, effective: price }
  }
  const highest = gasPrice ?? maxFeePerGas ?? 0n
  const tip = gasPrice ?? maxPriorityFeePerGas ?? 0n
  if (highest === 0n && tip === 0n) return { highest, effective: 0n }
  const who = `address ${toChecksumAddress(message.from)}`
  if (tip > highest) {
    throw new CallError(
      `max priority fee per gas higher than max fee per gas: ${who}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${highest}`,
      null,
    )
  }
  const { baseFee } = environment
  if (highest < baseFee) {
    throw new CallError(
      `max fee per gas less than block base fee: ${who}, maxFeePerGas: ${highest}, baseFee: ${baseFee}`,
      null,
    )
  }
  return { highest, effective: baseFee + tip < highest ? baseFee + tip : highest }
}

/** Runs a call on the machine's state, which it changes. Throws `CallError` where it cannot begin. */
export async function runCall(
  machine: Machine,
  environment: BlockEnvironment,
  message: CallMessage,
  gas: bigint,
  prices: CallPrices,
): Promise<CallOutcome> {
  const { common, evm } = machine
  assertCallable(machine, message, gas, prices)
  payForGas(machine.state, message, gas, prices)
  const intrinsic = computeIntrinsicGas(common, message)
  const floor = computeFloorGas(common, message.input)
  const to = message.to === null ? null : toAddress(message.to)
  warmAddresses(machine, environment, message, to)
  const lent = lendCode(machine, message)
  const { execResult } = await evm.runCall({
    block: prices.effective === 0n ? withoutBaseFee(environment.evmBlock) : environment.evmBlock,
    gasPrice: prices.effective,
    caller: toAddress(message.from),
    gasLimit: gas - intrinsic,
    ...(to !== null && { to }),
    value: message.value,
    data: message.input,
  })
  machine.journal.cleanJournal()
  machine.state.clearOriginals()
  const gasSpent = intrinsic + execResult.executionGasUsed
  const refund = lent + (execResult.gasRefund ?? 0n)
  const most = gasSpent / common.param('maxRefundQuotient')
  const used = gasSpent - (refund < most ? refund : most)
  const error = execResult.exceptionError
  const failure = error === undefined ? null : describeFailure(error, execResult.returnValue)
  // EthereumJS says that a precompiled contract reverts where a point is not on its curve; none ever reverts.
  const isRefusedPoint =
    failure?.reverted != null && to !== null && evm.getPrecompile(to) !== undefined
  return {
    returned: execResult.returnValue,
    gasUsed: used < floor ? floor : used,
    gasSpent: gasSpent < floor ? floor : gasSpent,
    failure: isRefusedPoint ? new CallError('bn256: malformed point', null) : failure,
    isOutOfGas: error !== undefined && isOutOfGas(error),
  }
}

/** Throws `CallError` where a call cannot begin with so much gas. */
export function assertCallable(
  machine: Machine,
  message: CallMessage,
  gas: bigint,
  prices: CallPrices,
): void {
  assertSize(machine, message)
  assertFunds(machine.state, message, gas, prices)
  const intrinsic = computeIntrinsicGas(machine.common, message)
  if (gas < intrinsic) {
    throw new CallError(`intrinsic gas too low: have ${gas}, want ${intrinsic}`, null)
  }
  const floor = computeFloorGas(machine.common, message.input)
  if (gas < floor) {
    throw new CallError(
      `insufficient gas for floor data gas cost: have ${gas}, want ${floor}`,
      null,
    )
  }
}

/** EIP-7702: accounts may name their nonce as it is after the sender's transaction. Gives the gas that is refunded. */
function lendCode({ common, state, ...machine }: Machine, message: CallMessage): bigint {
  const { authorizationList } = message
  if (authorizationList === undefined || !common.isActivatedEIP(7702)) return 0n
  const sender = toBytes(message.from)
  const account = state.readAccount(sender)
  state.writeAccount(
    sender,
    (account?.nonce ?? 0n) + 1n,
    account?.balance ?? 0n,
    account?.codeHash ?? EMPTY_CODE_HASH,
  )
  return applyAuthorizations({ common, state, ...machine }, authorizationList)
}

/** EthereumJS says the same of return data that is not there, and geth another thing of memory beyond 64 bits. */
function isOutOfGas(error: EVMError): boolean {
  if (error instanceof GasError) return error.text.startsWith('out of gas')
  return error.error === EVMError.errorMessages.OUT_OF_GAS && !(error instanceof OpcodeError)
}

/** EIP-3860. */
function assertSize({ common }: Machine, { to, input }: CallMessage): void {
  if (to !== null || !common.isActivatedEIP(3860)) return
  const limit = common.param('maxInitCodeSize')
  if (BigInt(input.length) <= limit) return
  throw new CallError(`max initcode size exceeded: code size ${input.length} limit ${limit}`, null)
}

function assertFunds(state: State, message: CallMessage, gas: bigint, prices: CallPrices): void {
  const balance = state.readAccount(toBytes(message.from))?.balance ?? 0n
  const wanted = gas * prices.highest + message.value
  if (balance >= wanted) return
  const who = toChecksumAddress(message.from)
  throw new CallError(
    `insufficient funds for gas * price + value: address ${who} have ${balance} want ${wanted}`,
    null,
  )
}

function payForGas(state: State, message: CallMessage, gas: bigint, prices: CallPrices): void {
  if (prices.effective === 0n) return
  const sender = toBytes(message.from)
  const account = state.readAccount(sender)
  state.writeAccount(
    sender,
    account?.nonce ?? 0n,
    (account?.balance ?? 0n) - gas * prices.effective,
    account?.codeHash ?? EMPTY_CODE_HASH,
  )
}

/** As geth: a call that pays nothing sees a base fee of nothing. */
export function withoutBaseFee(block: BlockEnvironment['evmBlock']): BlockEnvironment['evmBlock'] {
  if (block.header.baseFeePerGas === undefined) return block
  return { header: { ...block.header, baseFeePerGas: 0n } }
}

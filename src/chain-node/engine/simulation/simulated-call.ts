import { toChecksumAddress } from '@ethereumjs/util'
import { decodeHex, encodeHex } from '../../codec/hex.ts'
import { type BlockEnvironment, toBytes } from '../block-environment.ts'
import { assertCallable, type CallPrices, findPrices } from '../call-runner.ts'
import { keccak256 } from '../crypto.ts'
import type { RlpValue } from '../encoding/rlp.ts'
import { encodeEnvelope, listAccess } from '../encoding/transaction-codec.ts'
import {
  CallError,
  type SimulatedCall,
  type SimulatedCallResult,
  type SimulationOptions,
} from '../engine.ts'
import { countBlobGas } from '../intrinsic-gas.ts'
import type { Machine } from '../machine.ts'
import type { Rules } from '../rules.ts'
import { observe } from '../tracing/tracer.ts'
import type { Transaction } from '../transaction.ts'
import { runTransaction, type TransactionOutcome } from '../transaction-runner.ts'
import { toTransaction } from './call-transaction.ts'
import { GAS_LIMIT_REACHED, refuseCall, SERVER_ERROR, SimulationError } from './simulation-error.ts'
import { createTransferTracer } from './transfer-tracer.ts'

/** Gas that is left to all calls together. */
export interface SimulationBudget {
  remaining: bigint
}

interface SimulatedRun {
  readonly transaction: Transaction
  readonly outcome: TransactionOutcome
  readonly result: SimulatedCallResult
}

const LAST_NONCE = 2n ** 64n - 1n

/** Runs a call as a transaction of its block. Throws `SimulationError` where it cannot begin. */
export async function runSimulatedCall(
  rules: Rules,
  machine: Machine,
  environment: BlockEnvironment,
  call: SimulatedCall,
  block: {
    readonly options: SimulationOptions
    readonly budget: SimulationBudget
    readonly gasLeft: bigint
    readonly takeLogIndex: () => number
  },
): Promise<SimulatedRun> {
  const { options, budget, gasLeft } = block
  const wanted = call.gas ?? gasLeft
  if (gasLeft < wanted) {
    const text = `block gas limit reached: remaining: ${gasLeft}, required: ${wanted}`
    throw new SimulationError(GAS_LIMIT_REACHED, text)
  }
  const gas = wanted < budget.remaining ? wanted : budget.remaining
  if (call.chainId !== undefined && call.chainId !== rules.chainId) {
    const text = `chainId does not match node's (have=${call.chainId}, want=${rules.chainId})`
    throw new SimulationError(SERVER_ERROR, text)
  }
  const prices = checkCall(machine, environment, call, gas, options.validation)
  const transaction = sealTransaction(rules, machine, call, {
    ...toTransaction(machine, call, gas, prices),
    ...(call.nonce !== undefined && { nonce: call.nonce }),
  })
  const tracer = createTransferTracer(options.traceTransfers, block.takeLogIndex)
  machine.observation = observe(tracer)
  // A call that pays nothing pays no base fee either, which its code sees all the same.
  const paysNothing = prices.highest === 0n && !options.validation
  const scene = paysNothing ? { ...environment, baseFee: 0n } : environment
  const outcome = await runTransaction(machine, scene, transaction)
  machine.observation = null
  machine.clock.steps -= STEPS_OF_A_CALL
  if (machine.clock.steps <= 0) await machine.clock.tick()
  budget.remaining -= outcome.gasUsed
  const failure = tracer.failure()
  const isCapped = gas < wanted && failure !== null && failure.reverted === null
  return {
    transaction,
    outcome,
    result: {
      returned: tracer.returned(),
      logs: tracer.logs(),
      gasUsed: outcome.gasUsed,
      maxUsedGas: outcome.gasSpent,
      failure: isCapped
        ? new CallError(
            `${failure.message} (gas limit was capped by the RPC server's global gas cap)`,
            null,
          )
        : failure,
    },
  }
}

/** What a call takes beside its opcodes, in steps of the clock. */
const STEPS_OF_A_CALL = 200

function checkCall(
  machine: Machine,
  environment: BlockEnvironment,
  call: SimulatedCall,
  gas: bigint,
  validation: boolean,
): CallPrices {
  if (validation) checkNonce(machine, call, gas)
  const fault =
    findFormFault(machine, call) ?? findBlobFault(machine, environment, call, gas, validation)
  if (fault !== null) throw refuseCall(fault, gas)
  try {
    const prices = validation
      ? findValidatedPrices(machine, environment, call)
      : findPrices(machine, environment, call)
    assertCallable(machine, call, gas, prices)
    return prices
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    throw refuseCall(error.message, gas)
  }
}

/** What no transaction is. */
function findFormFault({ common }: Machine, call: SimulatedCall): string | null {
  const { to, blobVersionedHashes, authorizationList } = call
  if (blobVersionedHashes !== undefined) {
    if (!common.isActivatedEIP(4844)) return 'transaction type not supported'
    if (to === null) return 'blob transaction of type create'
    if (blobVersionedHashes.length === 0) return 'blob transaction missing blob hashes'
    const index = blobVersionedHashes.findIndex(hash => !hash.startsWith('0x01'))
    if (index >= 0) return `blob ${index} has invalid hash version`
  }
  if (authorizationList !== undefined) {
    const who = `(sender ${toChecksumAddress(call.from)})`
    if (to === null) return `EIP-7702 transaction cannot be used to create contract ${who}`
    if (authorizationList.length === 0) return `EIP-7702 transaction with empty auth list ${who}`
  }
  return null
}

/** Blobs are paid for at their price, also where the call says that they cost nothing. */
function findBlobFault(
  { common, state }: Machine,
  { blobGasPrice }: BlockEnvironment,
  call: SimulatedCall,
  gas: bigint,
  validation: boolean,
): string | null {
  const blobGas = countBlobGas(common, call)
  if (blobGas === 0n) return null
  const { maxFeePerBlobGas: highest = 0n } = call
  const who = `address ${toChecksumAddress(call.from)}`
  if (highest < blobGasPrice && (validation || highest > 0n)) {
    return `max fee per blob gas less than block blob gas fee: ${who} blobGasFeeCap: ${highest}, blobBaseFee: ${blobGasPrice}`
  }
  const balance = state.readAccount(toBytes(call.from))?.balance ?? 0n
  const price = call.gasPrice ?? call.maxFeePerGas ?? 0n
  const blobPrice = highest > blobGasPrice ? highest : blobGasPrice
  const wanted = gas * price + call.value + blobGas * blobPrice
  if (balance >= wanted) return null
  return `insufficient funds for gas * price + value: ${who} have ${balance} want ${wanted}`
}

function checkNonce({ state }: Machine, call: SimulatedCall, gas: bigint): void {
  const known = state.readAccount(toBytes(call.from))?.nonce ?? 0n
  const nonce = call.nonce ?? known
  const who = `address ${toChecksumAddress(call.from)}`
  if (nonce !== known) {
    const fault = nonce < known ? 'nonce too low' : 'nonce too high'
    throw refuseCall(`${fault}: ${who}, tx: ${nonce} state: ${known}`, gas)
  }
  if (known === LAST_NONCE) throw refuseCall(`nonce has max value: ${who}, nonce: ${known}`, gas)
}

/** Also a price of nothing must be the base fee at least. */
function findValidatedPrices(
  machine: Machine,
  environment: BlockEnvironment,
  call: SimulatedCall,
): CallPrices {
  const { baseFee } = environment
  const prices = findPrices(machine, environment, call)
  if (prices.highest >= baseFee) return prices
  const who = `address ${toChecksumAddress(call.from)}`
  throw new CallError(
    `max fee per gas less than block base fee: ${who}, maxFeePerGas: ${prices.highest}, baseFee: ${baseFee}`,
    null,
  )
}

/** The transaction as geth makes it of the call, with a signature of zeros. */
function sealTransaction(
  rules: Rules,
  { common }: Machine,
  call: SimulatedCall,
  transaction: Transaction,
): Transaction {
  const isLegacy = call.gasPrice !== undefined || !common.isActivatedEIP(1559)
  const type = isLegacy
    ? 0
    : call.authorizationList !== undefined
      ? 4
      : call.blobVersionedHashes !== undefined
        ? 3
        : 2
  const { nonce, gasPrice, gas, to, value, input, maxPriorityFeePerGas = 0n } = transaction
  const { maxFeePerBlobGas = 0n, blobVersionedHashes, authorizationList } = call
  const accessList = call.accessList ?? []
  const last: RlpValue[] = [
    gas,
    to === null ? new Uint8Array() : decodeHex(to),
    value,
    input,
    ...(isLegacy ? [] : [listAccess(accessList)]),
  ]
  const own: RlpValue[] =
    type === 3
      ? [maxFeePerBlobGas, (blobVersionedHashes ?? []).map(hash => decodeHex(hash))]
      : type === 4
        ? [(authorizationList ?? []).map(listAuthorization)]
        : []
  const first = isLegacy
    ? [nonce, gasPrice]
    : [rules.chainId, nonce, maxPriorityFeePerGas, gasPrice]
  const raw = encodeEnvelope(type, [...first, ...last, ...own, 0n, 0n, 0n])
  const { maxPriorityFeePerGas: _, ...fields } = transaction
  return {
    ...fields,
    hash: encodeHex(keccak256(raw)),
    type,
    chainId: isLegacy ? null : rules.chainId,
    ...(!isLegacy && { accessList, maxPriorityFeePerGas }),
    ...(type === 3 && { maxFeePerBlobGas, blobVersionedHashes: blobVersionedHashes ?? [] }),
    ...(type === 4 && { authorizationList: authorizationList ?? [] }),
    raw,
  }
}

function listAuthorization(
  authorization: NonNullable<SimulatedCall['authorizationList']>[number],
): RlpValue {
  const { chainId, address, nonce, yParity, r, s } = authorization
  return [chainId, decodeHex(address), nonce, yParity, r, s]
}

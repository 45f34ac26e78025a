import type { ExecResult, Log } from '@ethereumjs/evm'
import { type Address, generateAddress } from '@ethereumjs/util'
import { type BlockEnvironment, toAddress, toBytes } from './block-environment.ts'
import { describeFailure } from './call-error.ts'
import type { CallError } from './engine.ts'
import { computeFloorGas, computeIntrinsicGas, countBlobGas } from './intrinsic-gas.ts'
import type { Machine } from './machine.ts'
import { applyAuthorizations } from './set-code.ts'
import type { State } from './state/state.ts'
import { EMPTY_CODE_HASH, encodeInteger, equalBytes } from './state/state-reader.ts'
import type { Transaction } from './transaction.ts'

/** What a transaction did in its block. */
export interface TransactionOutcome {
  readonly succeeded: boolean
  /** Why it failed, in geth's words; null where it succeeded. */
  readonly failure: CallError | null
  readonly gasUsed: bigint
  /** Before refunds. */
  readonly gasSpent: bigint
  /** Of a unit of gas. */
  readonly effectiveGasPrice: bigint
  readonly logs: readonly Log[]
  /** Of a transaction that creates a contract, also where it failed. */
  readonly contractAddress: Uint8Array | null
}

/**
 * Runs a transaction that `checkTransaction` found nothing against, and pays for it (yellow paper, section 6). It does what
 * EthereumJS's `runTx` does, without a transaction of theirs, and without an EVM where no code runs.
 */
export async function runTransaction(
  machine: Machine,
  environment: BlockEnvironment,
  transaction: Transaction,
): Promise<TransactionOutcome> {
  const { common, state } = machine
  const tracer = machine.observation?.tracer
  tracer?.begin?.(transaction, environment)
  const sender = toAddress(transaction.from)
  const price = findPrices(machine, environment, transaction)
  const blobGas = countBlobGas(common, transaction)
  buyGas(
    state,
    sender.bytes,
    transaction.gas * price.effective + blobGas * environment.blobGasPrice,
  )
  const intrinsic = computeIntrinsicGas(common, transaction)
  const to = transaction.to === null ? null : toAddress(transaction.to)
  let execution: Execution
  if (to !== null && tracer === undefined && isPlainTransfer(machine, transaction, to)) {
    move(machine, sender.bytes, to.bytes, transaction.value)
    execution = NOTHING_RAN
  } else {
    execution = await execute(machine, environment, transaction, sender, to, {
      gas: transaction.gas - intrinsic,
      price: price.effective,
    })
  }
  const spent = intrinsic + execution.gas
  const gasUsed = settleGas(machine, transaction, spent, execution.refund)
  addBalance(machine, sender.bytes, (transaction.gas - gasUsed) * price.effective)
  addBalance(machine, environment.miner.bytes, gasUsed * price.tip)
  tracer?.end?.(gasUsed)
  finish(machine, execution.result)
  const contractAddress =
    to === null ? generateAddress(sender.bytes, encodeInteger(transaction.nonce)) : null
  const { exceptionError, returnValue } = execution.result ?? {}
  return {
    succeeded: exceptionError === undefined,
    failure:
      exceptionError === undefined
        ? null
        : describeFailure(exceptionError, returnValue ?? new Uint8Array()),
    gasUsed,
    gasSpent: spent > gasUsed ? spent : gasUsed,
    effectiveGasPrice: price.effective,
    logs: execution.result?.logs ?? [],
    contractAddress,
  }
}

interface Execution {
  /** Without the intrinsic gas. */
  readonly gas: bigint
  readonly refund: bigint
  readonly result: ExecResult | null
}

const NOTHING_RAN: Execution = { gas: 0n, refund: 0n, result: null }

/** EIP-1559: what a unit of gas costs, and what of it the miner gets. */
function findPrices(
  machine: Machine,
  environment: BlockEnvironment,
  transaction: Transaction,
): { effective: bigint; tip: bigint } {
  const { gasPrice, maxPriorityFeePerGas } = transaction
  if (!machine.common.isActivatedEIP(1559)) return { effective: gasPrice, tip: gasPrice }
  const most = gasPrice - environment.baseFee
  const tip =
    maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas < most ? maxPriorityFeePerGas : most
  return { effective: environment.baseFee + tip, tip }
}

/** The last nonce is followed by zero, which is only ever simulated. */
function buyGas(state: State, sender: Uint8Array, cost: bigint): void {
  const account = state.readAccount(sender)
  state.writeAccount(
    sender,
    BigInt.asUintN(64, (account?.nonce ?? 0n) + 1n),
    (account?.balance ?? 0n) - cost,
    account?.codeHash ?? EMPTY_CODE_HASH,
  )
}

function isPlainTransfer(machine: Machine, transaction: Transaction, to: Address): boolean {
  if ((transaction.authorizationList?.length ?? 0) > 0) return false
  const account = machine.state.readAccount(to.bytes)
  if (account !== null && !equalBytes(account.codeHash, EMPTY_CODE_HASH)) return false
  return machine.evm.getPrecompile(to) === undefined
}

function move(machine: Machine, from: Uint8Array, to: Uint8Array, value: bigint): void {
  if (value > 0n) addBalance(machine, from, -value)
  addBalance(machine, to, value)
}

/** Touches the account (EIP-161): an empty one is taken away, or before that EIP comes to be. Balances have 256 bits, and wrap. */
export function addBalance(machine: Machine, address: Uint8Array, value: bigint): void {
  const { state, common } = machine
  const account = state.readAccount(address)
  const balance = BigInt.asUintN(256, (account?.balance ?? 0n) + value)
  const nonce = account?.nonce ?? 0n
  const codeHash = account?.codeHash ?? EMPTY_CODE_HASH
  const isEmpty = balance === 0n && nonce === 0n && equalBytes(codeHash, EMPTY_CODE_HASH)
  if (!isEmpty || !common.gteHardfork('spuriousDragon')) {
    state.writeAccount(address, nonce, balance, codeHash)
  } else if (account !== null) {
    state.deleteAccount(address)
  }
}

async function execute(
  machine: Machine,
  environment: BlockEnvironment,
  transaction: Transaction,
  sender: Address,
  to: Address | null,
  limits: { gas: bigint; price: bigint },
): Promise<Execution> {
  warmAddresses(machine, environment, transaction, to)
  const authorizationRefund = applyAuthorizations(machine, transaction.authorizationList ?? [])
  const { execResult } = await machine.evm.runCall({
    block: environment.evmBlock,
    gasPrice: limits.price,
    caller: sender,
    gasLimit: limits.gas,
    ...(to !== null && { to }),
    value: transaction.value,
    data: transaction.input,
    skipNonceIncrement: true,
    ...(transaction.blobVersionedHashes !== undefined && {
      blobVersionedHashes: [...transaction.blobVersionedHashes],
    }),
  })
  return {
    gas: execResult.executionGasUsed,
    refund: authorizationRefund + (execResult.gasRefund ?? 0n),
    result: execResult,
  }
}

/** EIP-2929, EIP-2930, EIP-3651. */
export function warmAddresses(
  machine: Machine,
  environment: BlockEnvironment,
  payload: Pick<Transaction, 'from' | 'accessList'>,
  to: Address | null,
): void {
  const { common, journal } = machine
  if (!common.isActivatedEIP(2929)) return
  journal.addAlwaysWarmAddress(toBytes(payload.from))
  if (to !== null) journal.addAlwaysWarmAddress(to.bytes)
  if (common.isActivatedEIP(3651)) journal.addAlwaysWarmAddress(environment.miner.bytes)
  for (const { address, storageKeys } of payload.accessList ?? []) {
    journal.addAlwaysWarmAddress(toBytes(address))
    for (const key of storageKeys) journal.addAlwaysWarmSlot(toBytes(address), toBytes(key))
  }
}

/** EIP-3529, EIP-7623. */
function settleGas(
  machine: Machine,
  transaction: Transaction,
  spent: bigint,
  refund: bigint,
): bigint {
  const most = spent / machine.common.param('maxRefundQuotient')
  const used = spent - (refund < most ? refund : most)
  const floor = computeFloorGas(machine.common, transaction.input)
  return used < floor ? floor : used
}

/** Takes away what destroyed itself (EIP-6780) and what is empty (EIP-161), and forgets what was warm. */
function finish(machine: Machine, result: ExecResult | null): void {
  const { common, state, journal } = machine
  if (result === null) return
  for (const address of result.selfdestruct?.keys() ?? []) {
    if (common.isActivatedEIP(6780) && !result.createdAddresses?.has(address)) continue
    state.deleteAccount(toBytes(address))
  }
  journal.cleanup()
  state.clearOriginals()
}

import type { Common } from '@ethereumjs/common'
import { encodeHex, type Hex } from '../codec/hex.ts'
import { nextBaseFee, nextExcessBlobGas, nextGasLimit } from './base-fee.ts'
import type {
  Block,
  ExecutedBlock,
  Header,
  LogEntry,
  Receipt,
  StateWrite,
  Withdrawal,
} from './block.ts'
import { type BlockEnvironment, createBlockEnvironment, toBytes } from './block-environment.ts'
import { keccak256 } from './crypto.ts'
import { nextDifficulty } from './difficulty.ts'
import {
  computeLogsBloom,
  decodeUncleHeaders,
  encodeBlock,
  type HeaderFields,
  hashUncles,
  hasUncles,
  joinBlooms,
  NO_BLOOM,
  receiptsRoot,
  transactionsRoot,
  withdrawalsRoot,
} from './encoding/block-codec.ts'
import type { BlockTemplate, FindAncestor, ProducedBlock } from './engine.ts'
import { DAO_FORK_EXTRA_DATA, findHeaderFault, namesDaoFork } from './header-check.ts'
import { countBlobGas } from './intrinsic-gas.ts'
import type { FindBlockHash, Machine } from './machine.ts'
import type { MachinePool } from './machine-pool.ts'
import type { Rules } from './rules.ts'
import { moveDaoBalances } from './state/dao-fork.ts'
import { beginBlock, hashRequests, payRewards, payWithdrawals } from './state/system-changes.ts'
import type { Transaction } from './transaction.ts'
import { checkTransaction } from './transaction-check.ts'
import { runTransaction, type TransactionOutcome } from './transaction-runner.ts'
import { findUncleFault } from './uncle-check.ts'

/** EIP-7934: bytes that a block has at most in RLP from Osaka on, and what of them is left for all but its transactions when it is made. */
const MOST_BLOCK_BYTES = 8_388_608
const BYTES_BESIDE = 4_096

const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`

/** A block while its transactions run. */
interface OpenBlock {
  readonly rules: Rules
  readonly machine: Machine
  readonly environment: BlockEnvironment
  readonly transactions: Transaction[]
  readonly receipts: Receipt[]
  readonly outcomes: TransactionOutcome[]
  gasUsed: bigint
  blobGasUsed: bigint
}

/** Makes a block of the candidates that can be in it, in their order. */
export async function produceBlock(
  rules: Rules,
  machines: MachinePool,
  parent: Header,
  template: BlockTemplate,
  candidates: Iterable<Transaction>,
): Promise<ProducedBlock> {
  const number = parent.number + 1n
  const common = rules.commonAt(number, template.timestamp)
  const fields = describeNext(rules, common, parent, template)
  return machines.use(common, toBytes(parent.stateRoot), async machine => {
    machine.speaks = true
    machine.clock.start(null)
    const open = openBlock(rules, machine, fields)
    const refused = await takeCandidates(open, fields.gasLimit, candidates)
    const withdrawals: readonly Withdrawal[] | undefined = common.isActivatedEIP(4895)
      ? []
      : undefined
    return { ...(await closeBlock(open, fields, [], withdrawals)), refused }
  })
}

/**
 * Runs a block that was made elsewhere. Throws where it is not what comes out.
 *
 * @param findAncestor - asked where the block has uncles
 * @param findBlockHash - the hashes before it where it is not of the chain's own branch
 */
export async function executeBlock(
  rules: Rules,
  machines: MachinePool,
  parent: Header,
  block: Block,
  findAncestor: FindAncestor,
  findBlockHash: FindBlockHash | null = null,
): Promise<ExecutedBlock> {
  const { header } = block
  const name = `block ${header.number}`
  const uncles = decodeUncleHeaders(block.rlp)
  const fault =
    findHeaderFault(rules, parent, header) ??
    findUncleFault(rules, parent, uncles, findAncestor) ??
    findSizeFault(rules, block)
  if (fault !== null) throw new Error(`${name}: ${fault}`)
  const common = rules.commonAt(header.number, header.timestamp)
  return machines.use(common, toBytes(parent.stateRoot), async machine => {
    machine.branch = findBlockHash
    machine.clock.start(null)
    const open = openBlock(rules, machine, header)
    for (const transaction of block.transactions) {
      const reason =
        open.gasUsed + transaction.gas > header.gasLimit
          ? 'gas limit reached'
          : findFault(open, transaction)
      if (reason !== null) throw new Error(`${name}: transaction ${transaction.hash}: ${reason}`)
      await includeTransaction(open, transaction)
    }
    const executed = await closeBlock(open, header, uncles, block.withdrawals)
    assertSame(name, header, executed.block.header)
    return executed
  })
}

function findSizeFault(rules: Rules, { header, rlp }: Block): string | null {
  const limit = findSizeLimit(rules.commonAt(header.number, header.timestamp))
  return rlp.length > limit ? `it has ${rlp.length} bytes, at most ${limit} are allowed` : null
}

function findSizeLimit(common: Common): number {
  return common.gteHardfork('osaka') ? MOST_BLOCK_BYTES : Number.POSITIVE_INFINITY
}

/** The block that would be made upon `parent`, with its hash and state. */
export function describeNextBlock(rules: Rules, parent: Header, template: BlockTemplate): Header {
  const common = rules.commonAt(parent.number + 1n, template.timestamp)
  const fields = describeNext(rules, common, parent, template)
  return { ...fields, hash: parent.hash, stateRoot: parent.stateRoot }
}

function describeNext(
  rules: Rules,
  common: Common,
  parent: Header,
  template: BlockTemplate,
): HeaderFields {
  const has = (eip: number) => common.isActivatedEIP(eip)
  return {
    ...template,
    parentHash: parent.hash,
    number: parent.number + 1n,
    gasLimit: nextGasLimit(rules, parent, template),
    difficulty: nextDifficulty(common, parent, hasUncles(parent), template.timestamp),
    nonce: '0x0000000000000000',
    ...(namesDaoFork(rules, parent.number + 1n) && { extraData: DAO_FORK_EXTRA_DATA }),
    // EIP-4399 asks for something that is hard to foresee; here it is only ever something else.
    mixHash: has(4399) ? encodeHex(keccak256(toBytes(parent.hash))) : ZERO_HASH,
    ...OPEN_FIELDS,
    ...(has(1559) && { baseFeePerGas: nextBaseFee(rules, parent) }),
    ...(has(4844) && {
      excessBlobGas: nextExcessBlobGas(rules, parent, template.timestamp),
      blobGasUsed: 0n,
    }),
    ...(has(4788) && { parentBeaconBlockRoot: ZERO_HASH }),
  }
}

/** What is known when the transactions have run. */
const OPEN_FIELDS = {
  uncleHash: ZERO_HASH,
  stateRoot: ZERO_HASH,
  transactionsRoot: ZERO_HASH,
  receiptsRoot: ZERO_HASH,
  logsBloom: '0x',
  gasUsed: 0n,
} as const

/** What a block does to the state before its transactions. */
export function enterBlock(
  rules: Rules,
  machine: Machine,
  header: Parameters<typeof beginBlock>[1],
): void {
  if (header.number === rules.daoForkBlock) moveDaoBalances(machine)
  beginBlock(machine, header)
}

function openBlock(rules: Rules, machine: Machine, fields: HeaderFields): OpenBlock {
  enterBlock(rules, machine, fields)
  return {
    rules,
    machine,
    environment: createBlockEnvironment(rules, fields),
    transactions: [],
    receipts: [],
    outcomes: [],
    gasUsed: 0n,
    blobGasUsed: 0n,
  }
}

/** Gives those that cannot be in the block. What follows one that is not taken is left alone. */
async function takeCandidates(
  open: OpenBlock,
  gasLimit: bigint,
  candidates: Iterable<Transaction>,
): Promise<ProducedBlock['refused']> {
  const refused: { transaction: Transaction; reason: string }[] = []
  const passed = new Set<Hex>()
  const blobLimit = findBlobLimit(open.machine.common)
  let room = findSizeLimit(open.machine.common) - BYTES_BESIDE
  for (const transaction of candidates) {
    if (gasLimit - open.gasUsed < LEAST_GAS) break
    if (passed.has(transaction.from)) continue
    const blobGas = countBlobGas(open.machine.common, transaction)
    if (
      open.gasUsed + transaction.gas > gasLimit ||
      open.blobGasUsed + blobGas > blobLimit ||
      transaction.raw.length > room
    ) {
      passed.add(transaction.from)
      continue
    }
    const reason = findFault(open, transaction)
    if (reason !== null) {
      refused.push({ transaction, reason })
      if (!reason.startsWith('nonce too low')) passed.add(transaction.from)
      continue
    }
    await includeTransaction(open, transaction)
    room -= transaction.raw.length
    open.machine.clock.steps -= STEPS_OF_A_TRANSACTION
    if (open.machine.clock.steps <= 0) await open.machine.clock.tick()
  }
  return refused
}

/** No transaction uses less. */
const LEAST_GAS = 21_000n
/** What one takes beside its opcodes, in steps of the clock. */
const STEPS_OF_A_TRANSACTION = 200

function findBlobLimit(common: Common): bigint {
  return common.isActivatedEIP(4844) ? common.param('maxBlobGasPerBlock') : 0n
}

function findFault(open: OpenBlock, transaction: Transaction): string | null {
  const { machine, environment } = open
  const sender = toBytes(transaction.from)
  return checkTransaction(machine.common, machine.state, environment, transaction, sender)
}

async function includeTransaction(open: OpenBlock, transaction: Transaction): Promise<void> {
  const { machine, environment } = open
  const outcome = await runTransaction(machine, environment, transaction)
  open.gasUsed += outcome.gasUsed
  open.blobGasUsed += countBlobGas(machine.common, transaction)
  open.transactions.push(transaction)
  open.outcomes.push(outcome)
  open.receipts.push(formatReceipt(machine, environment, transaction, outcome, open.gasUsed))
}

/** @param cumulativeGasUsed - with the transaction's own */
export function formatReceipt(
  machine: Machine,
  environment: BlockEnvironment,
  transaction: Transaction,
  outcome: TransactionOutcome,
  cumulativeGasUsed: bigint,
): Receipt {
  const logs = outcome.logs.map(formatLog)
  const hasStatus = machine.common.gteHardfork('byzantium')
  return {
    transactionHash: transaction.hash,
    status: hasStatus ? outcome.succeeded : null,
    root: hasStatus ? null : encodeHex(machine.state.computeRoot([])),
    cumulativeGasUsed,
    gasUsed: outcome.gasUsed,
    effectiveGasPrice: outcome.effectiveGasPrice,
    contractAddress: outcome.contractAddress === null ? null : encodeHex(outcome.contractAddress),
    logs,
    logsBloom: logs.length === 0 ? NO_BLOOM : computeLogsBloom(logs),
    ...(transaction.type === 3 && {
      blobGasUsed: countBlobGas(machine.common, transaction),
      blobGasPrice: environment.blobGasPrice,
    }),
    ...(outcome.failure !== null && { failure: outcome.failure }),
  }
}

function formatLog([address, topics, data]: TransactionOutcome['logs'][number]): LogEntry {
  return { address: encodeHex(address), topics: topics.map(encodeHex), data: encodeHex(data) }
}

async function closeBlock(
  open: OpenBlock,
  fields: HeaderFields,
  uncles: readonly Header[],
  withdrawals: readonly Withdrawal[] | undefined,
): Promise<ExecutedBlock> {
  const { rules, machine, environment, transactions, receipts, outcomes } = open
  payWithdrawals(machine, withdrawals ?? [])
  payRewards(machine, fields, uncles)
  const requestsHash = await hashRequests(rules, machine, environment, outcomes)
  const writes: StateWrite[] = []
  const stateRoot = encodeHex(machine.state.computeRoot(writes))
  const header: HeaderFields = {
    ...fields,
    uncleHash: hashUncles(uncles),
    stateRoot,
    transactionsRoot: transactionsRoot(transactions),
    receiptsRoot: receiptsRoot(receipts, transactions),
    logsBloom: joinBlooms(receipts.map(({ logsBloom }) => logsBloom)),
    gasUsed: open.gasUsed,
    ...(withdrawals !== undefined && { withdrawalsRoot: withdrawalsRoot(withdrawals) }),
    ...(fields.excessBlobGas !== undefined && { blobGasUsed: open.blobGasUsed }),
    ...(requestsHash !== null && { requestsHash }),
  }
  return { block: encodeBlock(header, transactions, uncles, withdrawals), receipts, writes }
}

function assertSame(name: string, found: Header, computed: Header): void {
  for (const field of Object.keys(computed) as (keyof Header)[]) {
    if (field === 'hash' || found[field] === computed[field]) continue
    throw new Error(`${name}: its ${field} is ${found[field]}, execution gives ${computed[field]}`)
  }
}

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { AppendedBlock, Chain } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { ExecutedBlock, Header, Receipt } from '../engine/block.ts'
import { type Account, type Engine, TransactionError } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'

type LedgerEngine = Pick<
  Engine,
  'readAccount' | 'intrinsicGas' | 'nextBaseFee' | 'decodeTransaction' | 'produceBlock'
>

/** Accounts with balances and nonces, and blocks that move value between them: a chain in memory, by its own simple rules. */
export interface Ledger {
  readonly engine: LedgerEngine
  readonly chain: Pick<Chain, 'head' | 'append' | 'onAppend' | 'onReset' | 'findBlock' | 'shape'>
  readonly blocks: readonly ExecutedBlock[]
  balance(address: Hex): bigint
  nonce(address: Hex): bigint
  /** Makes a block that sets accounts as said and takes `transactions`, whoever's they are. */
  appendWith(
    changes: { readonly [address: Hex]: Partial<Pick<Account, 'balance' | 'nonce'>> },
    transactions?: readonly Transaction[],
  ): Promise<void>
  /** What the next block costs at least for a unit of gas. */
  setBaseFee(baseFee: bigint): void
  /** Makes each `append` fail until it is called with null. */
  breakDisk(error: Error | null): void
}

const NO_CODE = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`
/** EIP-3860. */
const MAX_INIT_CODE = 49_152

export function createLedger(options: {
  readonly balances: { readonly [address: Hex]: bigint }
  readonly gasLimit?: bigint
  readonly baseFee?: bigint
}): Ledger {
  const states = new Map<Hex, ReadonlyMap<Hex, Account>>()
  const blocks: ExecutedBlock[] = []
  const listeners = new Set<(block: AppendedBlock) => void>()
  let baseFee = options.baseFee
  let fault: Error | null = null

  const genesis = new Map<Hex, Account>()
  for (const [address, balance] of Object.entries(options.balances)) {
    genesis.set(address as Hex, createAccount(balance, 0n))
  }
  const root = hashOf('state 0')
  states.set(root, genesis)
  let head = createHeader(null, root, options.gasLimit ?? 30_000_000n, 0n, baseFee)

  const stateAt = (stateRoot: Hex) => {
    const state = states.get(stateRoot)
    if (!state) throw new Error(`no state ${stateRoot}`)
    return state
  }

  function seal(
    state: ReadonlyMap<Hex, Account>,
    transactions: readonly Transaction[],
    timestamp: bigint,
  ): ExecutedBlock {
    const stateRoot = hashOf(`state ${head.number + 1n} ${states.size}`)
    states.set(stateRoot, state)
    const header = createHeader(head, stateRoot, head.gasLimit, timestamp, baseFee)
    return {
      block: { header, transactions, uncles: [], rlp: new Uint8Array() },
      receipts: transactions.map(createReceipt),
      writes: [],
    }
  }

  async function append(executed: ExecutedBlock): Promise<AppendedBlock> {
    await setImmediate()
    if (fault) throw fault
    if (executed.block.header.parentHash !== head.hash) throw new Error('not the head’s child')
    head = executed.block.header
    blocks.push(executed)
    const appended = { ...executed, logs: [] }
    for (const listener of listeners) listener(appended)
    return appended
  }

  const engine: LedgerEngine = {
    readAccount: (stateRoot, address) => stateAt(stateRoot).get(address) ?? null,
    intrinsicGas(_parent, { to, input }) {
      if (to === null && input.length > MAX_INIT_CODE) {
        throw new TransactionError('max initcode size exceeded')
      }
      return to === null ? 53_000n : 21_000n
    },
    nextBaseFee: () => baseFee ?? 0n,
    decodeTransaction: raw => parseTransaction(raw),
    async produceBlock(parent, template, candidates) {
      if (parent.hash !== head.hash) throw new Error('the parent is not the head')
      if (template.timestamp <= parent.timestamp) throw new Error('timestamp of the parent or less')
      const state = new Map(stateAt(parent.stateRoot))
      const taken: Transaction[] = []
      const refused: { transaction: Transaction; reason: string }[] = []
      let room = template.gasLimit
      for (const transaction of candidates) {
        if (room < 21_000n) break
        await null
        const reason = applyTransfer(state, transaction, baseFee ?? 0n)
        if (reason !== null) refused.push({ transaction, reason })
        else taken.push(transaction)
        if (reason === null) room -= 21_000n
      }
      return { ...seal(state, taken, template.timestamp), refused }
    },
  }

  return {
    engine,
    chain: {
      shape: 'specified',
      head: () => head,
      append,
      onAppend(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      onReset: () => () => {},
      findBlock: id => blocks.find(({ block }) => block.header.number === id)?.block ?? null,
    },
    blocks,
    balance: address => stateAt(head.stateRoot).get(address)?.balance ?? 0n,
    nonce: address => stateAt(head.stateRoot).get(address)?.nonce ?? 0n,
    async appendWith(changes, transactions = []) {
      const state = new Map(stateAt(head.stateRoot))
      for (const [address, change] of Object.entries(changes)) {
        const before = state.get(address as Hex) ?? createAccount(0n, 0n)
        state.set(address as Hex, { ...before, ...change })
      }
      await append(seal(state, transactions, head.timestamp + 1n))
    },
    setBaseFee(next) {
      baseFee = next
    },
    breakDisk(error) {
      fault = error
    },
  }
}

function applyTransfer(
  state: Map<Hex, Account>,
  transaction: Transaction,
  baseFee: bigint,
): string | null {
  const sender = state.get(transaction.from) ?? createAccount(0n, 0n)
  if (transaction.nonce < sender.nonce) return 'nonce too low'
  if (transaction.nonce > sender.nonce) return 'nonce too high'
  if (transaction.gasPrice < baseFee) return 'max fee per gas less than block base fee'
  if (transaction.value + transaction.gas * transaction.gasPrice > sender.balance) {
    return 'insufficient funds for gas * price + value'
  }
  const balance = sender.balance - transaction.value - 21_000n * transaction.gasPrice
  state.set(transaction.from, { ...sender, balance, nonce: sender.nonce + 1n })
  if (transaction.to !== null) {
    const recipient = state.get(transaction.to) ?? createAccount(0n, 0n)
    state.set(transaction.to, { ...recipient, balance: recipient.balance + transaction.value })
  }
  return null
}

function createAccount(balance: bigint, nonce: bigint): Account {
  return { balance, nonce, codeHash: NO_CODE, storageRoot: ZERO_HASH }
}

function createHeader(
  parent: Header | null,
  stateRoot: Hex,
  gasLimit: bigint,
  timestamp: bigint,
  baseFee: bigint | undefined,
): Header {
  const number = parent ? parent.number + 1n : 0n
  return {
    hash: hashOf(`block ${number} ${stateRoot}`),
    parentHash: parent?.hash ?? ZERO_HASH,
    uncleHash: ZERO_HASH,
    miner: `0x${'0'.repeat(40)}`,
    stateRoot,
    transactionsRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    logsBloom: '0x',
    difficulty: 0n,
    number,
    gasLimit,
    gasUsed: 0n,
    timestamp,
    extraData: '0x',
    mixHash: ZERO_HASH,
    nonce: '0x0000000000000000',
    ...(baseFee !== undefined && { baseFeePerGas: baseFee }),
  }
}

function createReceipt(transaction: Transaction, index: number): Receipt {
  return {
    transactionHash: transaction.hash,
    status: true,
    root: null,
    cumulativeGasUsed: 21_000n * BigInt(index + 1),
    gasUsed: 21_000n,
    effectiveGasPrice: transaction.gasPrice,
    contractAddress: null,
    logs: [],
    logsBloom: '0x',
  }
}

/** An address that is a number. */
export function addressAt(index: number): Hex {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`
}

/**
 * A transfer of the ledger, from somebody who need not sign it.
 *
 * @param fields - of the transaction; `padding` is bytes that make it longer
 */
export function createTransfer({
  padding = 0,
  ...fields
}: Partial<Transaction> & { readonly padding?: number }): Transaction {
  const values = {
    type: fields.maxPriorityFeePerGas === undefined ? 0 : 2,
    chainId: '0x42',
    nonce: fields.nonce ?? 0n,
    from: fields.from ?? addressAt(0),
    to: fields.to === undefined ? addressAt(1000) : fields.to,
    value: fields.value ?? 0n,
    gas: fields.gas ?? 21_000n,
    gasPrice: fields.gasPrice ?? 1_000_000_000n,
    maxPriorityFeePerGas: fields.maxPriorityFeePerGas,
    input: (fields.input ?? new Uint8Array()).length,
    padding: 'x'.repeat(padding),
  }
  return parseTransaction(
    Buffer.from(
      JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
    ),
  )
}

function parseTransaction(raw: Uint8Array): Transaction {
  const text = Buffer.from(raw).toString()
  let values: ReturnType<typeof JSON.parse>
  try {
    values = JSON.parse(text, (_, value) =>
      typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    )
  } catch {
    throw new TransactionError('not a transaction')
  }
  const { padding: _, input, ...fields } = values
  return {
    ...fields,
    chainId: BigInt(values.chainId),
    input: new Uint8Array(input),
    v: 0n,
    r: 0n,
    s: 0n,
    hash: hashOf(text),
    raw: new Uint8Array(raw),
  }
}

function hashOf(text: string): Hex {
  return `0x${createHash('sha256').update(text).digest('hex')}`
}

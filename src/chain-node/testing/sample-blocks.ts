import { decodeRlp, encodeRlp, getCreateAddress, keccak256, toBeHex } from 'ethers'
import { decodeHex, encodeHex, type Hex } from '../codec/hex.ts'
import type { Block, ExecutedBlock, Header, LogEntry, Receipt } from '../engine/block.ts'
import type { BlockTemplate, Engine } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'

/** What a test says about a transaction; the rest is made up. */
export interface SampleTransaction {
  readonly from?: Hex
  readonly to?: Hex | null
  readonly nonce?: bigint
  readonly logs?: readonly LogEntry[]
  readonly failed?: boolean
}

export const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
export const NO_UNCLES: Hex = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
export const NO_BLOOM: Hex = `0x${'00'.repeat(256)}`
export const SENDER: Hex = `0x${'5e'.repeat(20)}`
export const RECIPIENT: Hex = `0x${'7e'.repeat(20)}`

/**
 * Blocks in real RLP with real hashes, encoded by ethers; their roots are made up and nothing was run. Each brings a node of
 * state: its own hash, under the hash of that.
 */
export function createSampleGenesis(extraData: Hex = '0x'): ExecutedBlock {
  return seal({ ...BASE, extraData }, [], [])
}

export function createSampleBlock(
  parent: Header,
  samples: readonly SampleTransaction[],
): ExecutedBlock {
  const number = parent.number + 1n
  const transactions = samples.map((sample, index) => createTransaction(sample, number, index))
  const fields = {
    ...BASE,
    parentHash: parent.hash,
    number,
    timestamp: parent.timestamp + 4n,
    gasUsed: 21_000n * BigInt(samples.length),
  }
  const receipts = transactions.map((transaction, index) =>
    createReceipt(transaction, samples[index] ?? {}, index),
  )
  return seal(fields, transactions, receipts)
}

/** Reads what `createSampleBlock` makes. */
export const sampleEngine: Pick<Engine, 'restoreBlock'> = {
  restoreBlock(rlp, senders): Block {
    const [fields, raws] = decodeRlp(rlp) as [string[], string[][]]
    const transactions = raws.map((raw, index) => {
      const [nonce, gasPrice, gas, to, value, input, v, r, s] = raw as Hex[]
      return describeTransaction({
        from: senders[index] ?? SENDER,
        nonce: readInteger(nonce),
        gasPrice: readInteger(gasPrice),
        gas: readInteger(gas),
        to: to === '0x' || to === undefined ? null : to,
        value: readInteger(value),
        input: decodeHex(input ?? '0x'),
        v: readInteger(v),
        r: readInteger(r),
        s: readInteger(s),
      })
    })
    const hex = fields as Hex[]
    const names = Object.keys(BASE) as (keyof typeof BASE)[]
    const header = Object.fromEntries(
      names.map((name, i) => [name, typeof BASE[name] === 'bigint' ? readInteger(hex[i]) : hex[i]]),
    ) as unknown as typeof BASE
    const hash = keccak256(encodeRlp(fields)) as Hex
    return { header: { ...header, hash }, transactions, uncles: [], rlp }
  },
}

/** In the order of a header in RLP (yellow paper, 4.4). */
const BASE: Omit<Header, 'hash'> = {
  parentHash: `0x${'00'.repeat(32)}`,
  uncleHash: NO_UNCLES,
  miner: `0x${'3a'.repeat(20)}`,
  stateRoot: EMPTY_ROOT,
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: NO_BLOOM,
  difficulty: 2n,
  number: 0n,
  gasLimit: 30_000_000n,
  gasUsed: 0n,
  timestamp: 1_700_000_000n,
  extraData: '0x',
  mixHash: `0x${'00'.repeat(32)}`,
  nonce: '0x0000000000000000',
}

function seal(
  fields: Omit<Header, 'hash'>,
  transactions: readonly Transaction[],
  receipts: readonly Receipt[],
): ExecutedBlock {
  const values = Object.values(fields).map(field => toRlp(field as bigint | Hex))
  const hash = keccak256(encodeRlp(values)) as Hex
  const raws = transactions.map(({ raw }) => decodeRlp(raw))
  const rlp = decodeHex(encodeRlp([values, raws, []]) as Hex)
  const block = { header: { ...fields, hash }, transactions, uncles: [], rlp }
  const node = decodeHex(hash)
  const writes = [{ hash: decodeHex(keccak256(node) as Hex), bytes: node }]
  return { block, receipts, writes }
}

function createTransaction(sample: SampleTransaction, number: bigint, index: number): Transaction {
  return describeTransaction({
    from: sample.from ?? SENDER,
    to: sample.to === undefined ? RECIPIENT : sample.to,
    nonce: sample.nonce ?? BigInt(index),
    gasPrice: 100_000_000n,
    gas: 90_000n,
    value: number,
    input: new Uint8Array(),
    v: 167n,
    r: number + 1n,
    s: BigInt(index) + 1n,
  })
}

function describeTransaction(
  fields: Omit<Transaction, 'hash' | 'raw' | 'type' | 'chainId'>,
): Transaction {
  const { nonce, gasPrice, gas, to, value, input, v, r, s } = fields
  const rlp = encodeRlp(
    [nonce, gasPrice, gas, to ?? '0x', value, encodeHex(input), v, r, s].map(field =>
      toRlp(field as bigint | Hex),
    ),
  ) as Hex
  const hash = keccak256(rlp) as Hex
  return { ...fields, hash, type: 0, chainId: 66n, raw: decodeHex(rlp) }
}

/** What a block would be that is made a second after another. */
export function describeSampleNext({ timestamp, gasLimit }: Header): BlockTemplate {
  return { timestamp: timestamp + 1n, miner: `0x${'00'.repeat(20)}`, gasLimit, extraData: '0x' }
}

function createReceipt(
  transaction: Transaction,
  { logs = [], failed = false }: SampleTransaction,
  index: number,
): Receipt {
  const { from, to, nonce, hash, gasPrice } = transaction
  return {
    transactionHash: hash,
    status: !failed,
    root: null,
    cumulativeGasUsed: 21_000n * BigInt(index + 1),
    gasUsed: 21_000n,
    effectiveGasPrice: gasPrice,
    contractAddress: to ? null : (getCreateAddress({ from, nonce }).toLowerCase() as Hex),
    logs: failed ? [] : logs,
    logsBloom: NO_BLOOM,
  }
}

function toRlp(value: bigint | Hex): string {
  if (typeof value !== 'bigint') return value
  return value === 0n ? '0x' : toBeHex(value)
}

function readInteger(value: Hex | undefined): bigint {
  return value === undefined || value === '0x' ? 0n : BigInt(value)
}

import { decodeHex, encodeHex, type Hex } from '../../codec/hex.ts'
import type { Block, Header, LogEntry, Receipt, Withdrawal } from '../block.ts'
import { keccak256 } from '../crypto.ts'
import type { Rules } from '../rules.ts'
import { computeOrderedRoot } from '../state/ordered-trie.ts'
import { createRecentMap } from '../state/recent-map.ts'
import type { Transaction } from '../transaction.ts'
import { decodeRlp, encodeRlp, isRlpList, RlpError, type RlpItem, type RlpValue } from './rlp.ts'
import {
  readFields,
  readFixed,
  readRlpBytes,
  readRlpList,
  readUint64,
  readUint256,
} from './rlp-fields.ts'
import { decodeBodyTransaction } from './transaction-codec.ts'

/** A header before its hash is known. */
export type HeaderFields = Omit<Header, 'hash'>

const HEADER = 'types.Header'
const BLOCK = 'types.Block'
const LEAST_HEADER_FIELDS = 15
const BLOOM_BITS_KEPT = 1_024

/**
 * Reads a block in RLP and recovers its senders. Throws `RlpError` or `TransactionError` where it is not one, also where its
 * header has other fields than its fork gives it, or does not name the body.
 */
export function decodeBlock(rules: Rules, rlp: Uint8Array): Block {
  const block = readBlock(rules, rlp, () => undefined)
  const { header, transactions, withdrawals } = block
  assertRoot('transactions', transactionsRoot(transactions), header.transactionsRoot)
  if (withdrawals !== undefined) {
    assertRoot('withdrawals', withdrawalsRoot(withdrawals), header.withdrawalsRoot)
  }
  assertRoot('uncles', hashUncles(decodeUncleHeaders(rlp)), header.uncleHash)
  return block
}

/** A stored block, whose senders are known, one a transaction. */
export function restoreBlock(rules: Rules, rlp: Uint8Array, senders: readonly Hex[]): Block {
  return readBlock(rules, rlp, index => senders[index])
}

/** The header of a block in RLP; the rest of it is not looked at. Throws `RlpError`. */
export function decodeBlockHeader(rlp: Uint8Array): Header {
  return readHeader(readFields(decodeRlp(rlp), BLOCK, 3, 4)[0] as RlpItem)
}

/** The headers of a block's uncles. */
export function decodeUncleHeaders(rlp: Uint8Array): Header[] {
  const uncles = readFields(decodeRlp(rlp), BLOCK, 3, 4)[2]
  return readRlpList(uncles, '[]*types.Header', { owner: BLOCK, name: 'Uncles' }).items.map(
    readHeader,
  )
}

/** Puts a block together; the header says what it says. */
export function encodeBlock(
  fields: HeaderFields,
  transactions: readonly Transaction[],
  uncleHeaders: readonly HeaderFields[] = [],
  withdrawals?: readonly Withdrawal[],
): Block {
  const header = sealHeader(fields)
  const rlp = encodeRlp([
    listHeader(fields),
    transactions.map(({ type, raw }) => (type === 0 ? { items: [], raw } : raw)),
    uncleHeaders.map(listHeader),
    ...(withdrawals === undefined ? [] : [withdrawals.map(listWithdrawal)]),
  ])
  return {
    header,
    transactions,
    uncles: uncleHeaders.map(uncle => sealHeader(uncle).hash),
    ...(withdrawals !== undefined && { withdrawals }),
    rlp,
  }
}

/** A header with its hash. */
export function sealHeader(fields: HeaderFields): Header {
  return { ...fields, hash: encodeHex(keccak256(encodeRlp(listHeader(fields)))) }
}

/** The header's `uncleHash`. */
export function hashUncles(uncleHeaders: readonly HeaderFields[]): Hex {
  return encodeHex(keccak256(encodeRlp(uncleHeaders.map(listHeader))))
}

/** The `uncleHash` of a header without uncles. */
export const NO_UNCLES = hashUncles([])

export function hasUncles({ uncleHash }: Pick<Header, 'uncleHash'>): boolean {
  return uncleHash !== NO_UNCLES
}

export function transactionsRoot(transactions: readonly Transaction[]): Hex {
  return encodeHex(computeOrderedRoot(transactions.map(({ raw }) => raw)))
}

export function withdrawalsRoot(withdrawals: readonly Withdrawal[]): Hex {
  const values = withdrawals.map(withdrawal => encodeRlp(listWithdrawal(withdrawal)))
  return encodeHex(computeOrderedRoot(values))
}

/** @param transactions - the transactions that the receipts are of, in the same order */
export function receiptsRoot(
  receipts: readonly Receipt[],
  transactions: readonly Pick<Transaction, 'type'>[],
): Hex {
  const values = receipts.map((receipt, index) =>
    encodeReceipt(receipt, transactions[index]?.type ?? 0),
  )
  return encodeHex(computeOrderedRoot(values))
}

/** A receipt as it stands in the trie of a block (EIP-658, EIP-2718). */
export function encodeReceipt(receipt: Receipt, type: number): Uint8Array {
  const outcome = receipt.root === null ? (receipt.status ? 1n : 0n) : decodeHex(receipt.root)
  const payload = encodeRlp([
    outcome,
    receipt.cumulativeGasUsed,
    receipt.logsBloom === NO_BLOOM ? NO_BLOOM_BYTES : decodeHex(receipt.logsBloom),
    receipt.logs.map(({ address, topics, data }) => [
      decodeHex(address),
      topics.map(decodeHex),
      decodeHex(data),
    ]),
  ])
  return type === 0 ? payload : Buffer.concat([Uint8Array.of(type), payload])
}

/** The bloom filter of logs (yellow paper 4.3.1): 2048 bits, three for each address and topic. */
export function computeLogsBloom(logs: Iterable<Pick<LogEntry, 'address' | 'topics'>>): Hex {
  const bloom = new Uint8Array(BLOOM)
  for (const { address, topics } of logs) {
    addToBloom(bloom, address)
    for (const topic of topics) addToBloom(bloom, topic)
  }
  return encodeHex(bloom)
}

/** The bloom filter of all that is in others. */
export function joinBlooms(blooms: Iterable<Hex>): Hex {
  const joined = new Uint8Array(BLOOM)
  for (const bloom of blooms) {
    if (bloom === NO_BLOOM) continue
    const bytes = decodeHex(bloom)
    for (let i = 0; i < BLOOM; i++) joined[i] = (joined[i] as number) | (bytes[i] as number)
  }
  return encodeHex(joined)
}

const BLOOM = 256
/** Of no logs. */
export const NO_BLOOM: Hex = `0x${'0'.repeat(2 * BLOOM)}`
const NO_BLOOM_BYTES = new Uint8Array(BLOOM)

/** The three bits of values that come again and again, such as contracts, events and holders. */
const bloomBits = createRecentMap<readonly number[]>(BLOOM_BITS_KEPT)

function addToBloom(bloom: Uint8Array, value: Hex): void {
  let bits = bloomBits.get(value)
  if (bits === undefined) {
    const hash = keccak256(decodeHex(value))
    bits = [0, 2, 4].map(at => (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047)
    bloomBits.set(value, bits)
  }
  for (const bit of bits) {
    const index = BLOOM - 1 - (bit >> 3)
    bloom[index] = (bloom[index] as number) | (1 << (bit & 7))
  }
}

function readBlock(
  rules: Rules,
  rlp: Uint8Array,
  senderOf: (index: number) => Hex | undefined,
): Block {
  const [headerItem, transactions, uncles, withdrawals] = readFields(decodeRlp(rlp), BLOCK, 3, 4)
  const field = (name: string) => ({ owner: BLOCK, name })
  const header = readHeader(headerItem as RlpItem)
  assertFields(rules, header, headerItem as RlpItem, withdrawals !== undefined)
  const common = rules.commonAt(header.number, header.timestamp)
  const list = readRlpList(transactions, '[]*types.Transaction', field('Transactions')).items
  const uncleList = readRlpList(uncles, '[]*types.Header', field('Uncles')).items
  return {
    header,
    transactions: list.map((item, index) =>
      decodeBodyTransaction(rules, common, item, senderOf(index)),
    ),
    uncles: uncleList.map(item => readHeader(item).hash),
    ...(withdrawals !== undefined && { withdrawals: readWithdrawals(withdrawals) }),
    rlp,
  }
}

function readHeader(item: RlpItem): Header {
  const items = readFields(item, HEADER, LEAST_HEADER_FIELDS, 21)
  const field = (name: string) => ({ owner: HEADER, name })
  const hash = (index: number, name: string) =>
    readFixed(items[index], 32, 'common.Hash', field(name))
  const bytes = (index: number, length: number, type: string, name: string) =>
    readFixed(items[index], length, type, field(name))
  const optional = <T>(index: number, name: string, read: () => T) =>
    items.length > index ? { [name]: read() } : {}
  return {
    hash: encodeHex(keccak256(isRlpList(item) ? item.raw : item)),
    parentHash: hash(0, 'ParentHash'),
    uncleHash: hash(1, 'UncleHash'),
    miner: bytes(2, 20, 'common.Address', 'Coinbase'),
    stateRoot: hash(3, 'Root'),
    transactionsRoot: hash(4, 'TxHash'),
    receiptsRoot: hash(5, 'ReceiptHash'),
    logsBloom: bytes(6, 256, 'types.Bloom', 'Bloom'),
    difficulty: readUint256(items[7], field('Difficulty')),
    number: readUint64(items[8], field('Number')),
    gasLimit: readUint64(items[9], field('GasLimit')),
    gasUsed: readUint64(items[10], field('GasUsed')),
    timestamp: readUint64(items[11], field('Time')),
    extraData: encodeHex(readRlpBytes(items[12], field('Extra'))),
    mixHash: hash(13, 'MixDigest'),
    nonce: bytes(14, 8, 'types.BlockNonce', 'Nonce'),
    ...optional(15, 'baseFeePerGas', () => readUint256(items[15], field('BaseFee'))),
    ...optional(16, 'withdrawalsRoot', () => hash(16, 'WithdrawalsHash')),
    ...optional(17, 'blobGasUsed', () => readUint64(items[17], field('BlobGasUsed'))),
    ...optional(18, 'excessBlobGas', () => readUint64(items[18], field('ExcessBlobGas'))),
    ...optional(19, 'parentBeaconBlockRoot', () => hash(19, 'ParentBeaconRoot')),
    ...optional(20, 'requestsHash', () => hash(20, 'RequestsHash')),
  }
}

function readWithdrawals(item: RlpItem): Withdrawal[] {
  const owner = 'types.Withdrawal'
  const field = { owner: BLOCK, name: 'Withdrawals' }
  return readRlpList(item, '[]*types.Withdrawal', field).items.map(entry => {
    const [index, validator, address, amount] = readFields(entry, owner, 4)
    return {
      index: readUint64(index, { owner, name: 'Index' }),
      validatorIndex: readUint64(validator, { owner, name: 'Validator' }),
      address: readFixed(address, 20, 'common.Address', { owner, name: 'Address' }),
      amount: readUint64(amount, { owner, name: 'Amount' }),
    }
  })
}

/** How many fields each fork gives a header. */
function assertFields(rules: Rules, header: Header, item: RlpItem, hasWithdrawals: boolean): void {
  const common = rules.commonAt(header.number, header.timestamp)
  const has = (eip: number) => common.isActivatedEIP(eip)
  const expected = has(7685) ? 21 : has(4844) ? 20 : has(4895) ? 17 : has(1559) ? 16 : 15
  const count = isRlpList(item) ? item.items.length : 0
  const name = `block ${header.number}`
  if (count !== expected) {
    throw new RlpError(
      `${name}: the header has ${count} fields, and ${expected} by the rules of ${common.hardfork()}`,
    )
  }
  if (hasWithdrawals !== has(4895)) {
    const fault = hasWithdrawals ? 'has withdrawals, which do not exist' : 'has no withdrawals'
    throw new RlpError(`${name}: ${fault} by the rules of ${common.hardfork()}`)
  }
}

function assertRoot(what: string, computed: Hex, named: Hex | undefined): void {
  if (computed !== named) {
    throw new RlpError(`the header names ${named} for its ${what}, which are ${computed}`)
  }
}

function listHeader(header: HeaderFields): RlpValue[] {
  const optional = [
    header.baseFeePerGas,
    header.withdrawalsRoot,
    header.blobGasUsed,
    header.excessBlobGas,
    header.parentBeaconBlockRoot,
    header.requestsHash,
  ]
  return [
    decodeHex(header.parentHash),
    decodeHex(header.uncleHash),
    decodeHex(header.miner),
    decodeHex(header.stateRoot),
    decodeHex(header.transactionsRoot),
    decodeHex(header.receiptsRoot),
    decodeHex(header.logsBloom),
    header.difficulty,
    header.number,
    header.gasLimit,
    header.gasUsed,
    header.timestamp,
    decodeHex(header.extraData),
    decodeHex(header.mixHash),
    decodeHex(header.nonce),
    ...optional.flatMap(value =>
      value === undefined ? [] : [typeof value === 'bigint' ? value : decodeHex(value)],
    ),
  ]
}

function listWithdrawal({ index, validatorIndex, address, amount }: Withdrawal): RlpValue[] {
  return [index, validatorIndex, decodeHex(address), amount]
}

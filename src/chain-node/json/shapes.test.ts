import { describe, expect, it } from 'vitest'
import { formatQuantity, type Hex } from '../codec/hex.ts'
import type { Header, LogEntry, Receipt } from '../engine/block.ts'
import type { Transaction } from '../engine/transaction.ts'
import { createSampleBlock, createSampleGenesis } from '../testing/sample-blocks.ts'
import { blockFieldsJson, joinTransactions, pendingFieldsJson, quoteHash } from './block-json.ts'
import { headerJson } from './header-json.ts'
import { logJson } from './log-json.ts'
import { cutLogs, findLogs, receiptJson } from './receipt-json.ts'
import { minedTransactionJson, pooledTransactionJson } from './transaction-json.ts'

// Names of fields from the specification's tables, and from execution-apis for the complete shape.
const BLOCK =
  'difficulty extraData gasLimit gasUsed hash logsBloom miner nonce number parentHash sha3Uncles size stateRoot timestamp totalDifficulty transactions transactionsRoot uncles'
const TRANSACTION =
  'blockHash blockNumber from gas gasPrice hash input nonce to transactionIndex value v r s'
const RECEIPT =
  'blockHash blockNumber contractAddress cumulativeGasUsed from gasUsed logs logsBloom status to transactionHash transactionIndex'
const LOG =
  'address blockHash blockNumber data logIndex removed topics transactionHash transactionIndex'

const log: LogEntry = {
  address: `0x${'70'.repeat(20)}`,
  topics: [`0x${'ab'.repeat(32)}`],
  data: '0x01',
}
const executed = createSampleBlock(createSampleGenesis().block.header, [
  { logs: [log] },
  { to: null, failed: true },
])
const { block } = executed
const { header } = block
const [legacy] = block.transactions as [Transaction]
const [receipt] = executed.receipts as [Receipt]
const word: Hex = `0x${'cd'.repeat(32)}`
const modern: Header = {
  ...header,
  baseFeePerGas: 7n,
  withdrawalsRoot: word,
  blobGasUsed: 131_072n,
  excessBlobGas: 0n,
  parentBeaconBlockRoot: word,
  requestsHash: word,
}
const dynamic: Transaction = {
  ...legacy,
  type: 2,
  v: 1n,
  gasPrice: 100n,
  maxPriorityFeePerGas: 3n,
  accessList: [{ address: log.address, storageKeys: [word] }],
}

describe('the specified shape', () => {
  it('of a block has the fields of the specification, mixHash and receiptsRoot', () => {
    const text = joinTransactions(blockFieldsJson(block, 6n, 'specified'), [])
    expect(fields(text)).toEqual(names(`${BLOCK} mixHash receiptsRoot`))
    expect(
      fields(joinTransactions(blockFieldsJson({ ...block, header: modern }, 6n, 'specified'), [])),
    ).toEqual(names(`${BLOCK} mixHash receiptsRoot`))
    expect(JSON.parse(text)).toMatchObject({
      number: '0x1',
      difficulty: '0x2',
      totalDifficulty: '0x6',
      size: formatQuantity(block.rlp.length),
      nonce: '0x0000000000000000',
      uncles: [],
    })
  })

  it('of a transaction has the 14 fields of the specification', () => {
    expect(fields(minedTransactionJson(legacy, header, 0, 'specified'))).toEqual(names(TRANSACTION))
    expect(fields(pooledTransactionJson(legacy, 'specified'))).toEqual(names(TRANSACTION))
  })

  it('of a typed transaction has type and chainId besides', () => {
    const text = minedTransactionJson(dynamic, modern, 0, 'specified')
    expect(fields(text)).toEqual(names(`${TRANSACTION} type chainId`))
    expect(JSON.parse(text)).toMatchObject({ type: '0x2', chainId: '0x42' })
  })

  it('of a receipt has the fields of the specification, effectiveGasPrice and type', () => {
    const text = receiptJson(receipt, legacy, header, 0, ['{}'], 'specified')
    expect(fields(text)).toEqual(names(`${RECEIPT} effectiveGasPrice type`))
    const blob = { ...receipt, blobGasUsed: 1n, blobGasPrice: 1n }
    expect(fields(receiptJson(blob, legacy, header, 0, [], 'specified'))).toEqual(fields(text))
  })

  it('of a log has the fields of the specification', () => {
    const place = { transactionHash: word, transactionIndex: 2, logIndex: 17 }
    const text = logJson(log, header, place, 'specified')
    expect(fields(text)).toEqual(names(LOG))
    expect(JSON.parse(text)).toMatchObject({
      transactionIndex: '0x2',
      logIndex: '0x11',
      removed: false,
    })
  })
})

describe('the complete shape', () => {
  it('of a block has what its fork has', () => {
    const base = names(`${BLOCK} mixHash receiptsRoot`).filter(name => name !== 'totalDifficulty')
    const early = joinTransactions(blockFieldsJson(block, 6n, 'complete'), [])
    expect(fields(early)).toEqual(base)
    const withdrawal = { index: 1n, validatorIndex: 5n, address: log.address, amount: 100n }
    const late = { ...block, header: modern, withdrawals: [withdrawal] }
    const text = joinTransactions(blockFieldsJson(late, 6n, 'complete'), [])
    const later =
      'baseFeePerGas withdrawals withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash'
    expect(fields(text)).toEqual([...base, ...later.split(' ')].sort())
    expect(JSON.parse(text).withdrawals).toEqual([
      { index: '0x1', validatorIndex: '0x5', address: log.address, amount: '0x64' },
    ])
  })

  it('of a transaction has the time of its block, its type and what the type brings', () => {
    const base = `${TRANSACTION} blockTimestamp type chainId`
    expect(fields(minedTransactionJson(legacy, header, 0, 'complete'))).toEqual(names(base))
    const before155 = { ...legacy, chainId: null }
    expect(fields(minedTransactionJson(before155, header, 0, 'complete'))).toEqual(
      names(`${TRANSACTION} blockTimestamp type`),
    )
    expect(fields(minedTransactionJson(dynamic, modern, 0, 'complete'))).toEqual(
      names(`${base} yParity accessList maxFeePerGas maxPriorityFeePerGas`),
    )
    const blob = { ...dynamic, type: 3, maxFeePerBlobGas: 5n, blobVersionedHashes: [word] }
    expect(JSON.parse(minedTransactionJson(blob, modern, 0, 'complete'))).toMatchObject({
      maxFeePerBlobGas: '0x5',
      blobVersionedHashes: [word],
      type: '0x3',
    })
  })

  it('of a receipt has a root in place of the status before Byzantium, and the price of blobs', () => {
    const early = { ...receipt, status: null, root: word }
    expect(fields(receiptJson(early, legacy, header, 0, [], 'complete'))).toEqual(
      names(`${RECEIPT.replace('status', 'root')} effectiveGasPrice type`),
    )
    const blob = { ...receipt, blobGasUsed: 131_072n, blobGasPrice: 1n }
    expect(JSON.parse(receiptJson(blob, legacy, header, 0, [], 'complete'))).toMatchObject({
      blobGasUsed: '0x20000',
      blobGasPrice: '0x1',
    })
  })

  it('of a log has the time of its block', () => {
    const place = { transactionHash: word, transactionIndex: 0, logIndex: 0 }
    expect(fields(logJson(log, header, place, 'complete'))).toEqual(names(`${LOG} blockTimestamp`))
  })
})

describe('values', () => {
  it('gasPrice of a mined transaction is what it paid, of a pooled one what it would at most (EIP-1559)', () => {
    const mined = (gasPrice: bigint) =>
      JSON.parse(minedTransactionJson({ ...dynamic, gasPrice }, modern, 0, 'complete')).gasPrice
    expect(mined(100n)).toBe('0xa')
    expect(mined(9n)).toBe('0x9')
    expect(JSON.parse(pooledTransactionJson(dynamic, 'complete')).gasPrice).toBe('0x64')
    expect(JSON.parse(minedTransactionJson(legacy, modern, 0, 'complete')).gasPrice).toBe(
      '0x5f5e100',
    )
  })

  it('of a pooled transaction have no block', () => {
    expect(JSON.parse(pooledTransactionJson(legacy, 'complete'))).toMatchObject({
      blockHash: null,
      blockNumber: null,
      blockTimestamp: null,
      transactionIndex: null,
    })
  })

  it('of a pending block have no hash, nonce and miner', () => {
    const text = joinTransactions(pendingFieldsJson(block, 'specified'), [quoteHash(word)])
    expect(fields(text)).toEqual(names(`${BLOCK} mixHash receiptsRoot`))
    expect(JSON.parse(text)).toMatchObject({
      hash: null,
      nonce: null,
      miner: null,
      totalDifficulty: null,
      transactions: [word],
    })
  })

  it('of a header for subscribers are those of geth', () => {
    const base = names(
      'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce hash',
    )
    expect(fields(headerJson(header))).toEqual(base)
    expect(fields(headerJson(modern))).toEqual(
      [
        ...base,
        'baseFeePerGas',
        'withdrawalsRoot',
        'blobGasUsed',
        'excessBlobGas',
        'parentBeaconBlockRoot',
        'requestsHash',
      ].sort(),
    )
  })

  it("of a receipt's logs can be cut out of its text", () => {
    for (const logs of [[], ['{"a":"]"}'], ['{}', '{}']]) {
      const text = receiptJson(receipt, legacy, header, 0, logs, 'specified')
      expect(cutLogs(text, findLogs(text, logs))).toBe(`[${logs.join()}]`)
      expect(JSON.parse(text).logs).toHaveLength(logs.length)
    }
  })
})

function names(text: string): string[] {
  return text.split(' ').sort()
}

function fields(json: string): string[] {
  return Object.keys(JSON.parse(json)).sort()
}

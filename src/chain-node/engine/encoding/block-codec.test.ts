import { createBlockFromRLP } from '@ethereumjs/block'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { Bloom, encodeReceipt as encodeReference } from '@ethereumjs/vm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { campaign } from '../../../../testing/campaigns.ts'
import { decodeHex, encodeHex, type Hex } from '../../codec/hex.ts'
import {
  readExecutionApisBlocks,
  readExecutionApisCall,
  readExecutionApisGenesis,
} from '../../testing/execution-apis.ts'
import type { Block, LogEntry, Receipt } from '../block.ts'
import { TransactionError } from '../engine.ts'
import { builtInGenesis, readGenesis } from '../genesis/genesis.ts'
import { createRules, type Rules } from '../rules.ts'
import {
  computeLogsBloom,
  decodeBlock,
  decodeUncleHeaders,
  encodeBlock,
  encodeReceipt,
  hashUncles,
  joinBlooms,
  receiptsRoot,
  restoreBlock,
  sealHeader,
  transactionsRoot,
  withdrawalsRoot,
} from './block-codec.ts'
import { decodeRlp, encodeRlp, isRlpList, RlpError, type RlpList, type RlpValue } from './rlp.ts'

const HEAD = '0xd226371d0b1551adb03fb52b71f08e3e11247fe9b1af994768af8cdaa8e7dcd7'
const { count: RUNS } = campaign('blocks there and back')

describe('the blocks of execution-apis', () => {
  let rules: Rules
  let files: Uint8Array[] = []
  let blocks: Block[] = []

  beforeAll(async () => {
    rules = await createRules(readGenesis(readExecutionApisGenesis()))
    files = readExecutionApisBlocks()
    blocks = files.map(rlp => decodeBlock(rules, rlp))
  })

  it('are decoded to the published head, each the child of the one before', () => {
    expect(blocks.length).toBe(54)
    expect(blocks.map(({ header }) => header.number)).toEqual(files.map((_, i) => BigInt(i + 1)))
    expect(blocks.at(-1)?.header.hash).toBe(HEAD)
    for (const [index, { header }] of blocks.slice(1).entries()) {
      expect(header.parentHash).toBe(blocks[index]?.header.hash)
    }
  })

  it('are encoded byte for byte', () => {
    for (const [index, rlp] of files.entries()) {
      const { header, transactions, withdrawals } = blocks[index] as Block
      const uncles = decodeUncleHeaders(rlp)
      const encoded = encodeBlock(header, transactions, uncles, withdrawals)
      expect(encodeHex(encoded.rlp)).toBe(encodeHex(rlp))
      expect(encoded).toEqual(blocks[index])
      expect(sealHeader(header)).toEqual(header)
    }
  })

  it('name the roots of their bodies', () => {
    let uncles = 0
    for (const [index, block] of blocks.entries()) {
      const { header, transactions, withdrawals } = block
      expect(transactionsRoot(transactions)).toBe(header.transactionsRoot)
      expect(withdrawals && withdrawalsRoot(withdrawals)).toBe(header.withdrawalsRoot)
      expect(hashUncles(decodeUncleHeaders(files[index] as Uint8Array))).toBe(header.uncleHash)
      uncles += block.uncles.length
    }
    expect(uncles).toBeGreaterThan(0)
  })

  it('are restored with the senders that are known', () => {
    for (const [index, rlp] of files.entries()) {
      const block = blocks[index] as Block
      const senders = block.transactions.map(({ from }) => from)
      expect(restoreBlock(rules, rlp, senders)).toEqual(block)
    }
  })

  it.each(['cancun', 'prague', 'shanghai'])('say what the answers say of them: %s', fork => {
    const call = readExecutionApisCall(`eth_getBlockByNumber/get-block-${fork}-fork`)
    const expected = call.response.result as Record<string, unknown>
    const block = blocks[Number(expected.number) - 1] as Block
    const { header } = block
    const quantity = (value: bigint | undefined) => value && `0x${value.toString(16)}`
    expect(expected).toMatchObject({
      hash: header.hash,
      sha3Uncles: header.uncleHash,
      miner: header.miner,
      stateRoot: header.stateRoot,
      receiptsRoot: header.receiptsRoot,
      logsBloom: header.logsBloom,
      gasLimit: quantity(header.gasLimit),
      timestamp: quantity(header.timestamp),
      extraData: header.extraData,
      mixHash: header.mixHash,
      nonce: header.nonce,
      baseFeePerGas: quantity(header.baseFeePerGas),
      withdrawalsRoot: header.withdrawalsRoot,
      size: `0x${block.rlp.length.toString(16)}`,
      withdrawals: block.withdrawals?.map(withdrawal => ({
        index: `0x${withdrawal.index.toString(16)}`,
        validatorIndex: `0x${withdrawal.validatorIndex.toString(16)}`,
        address: withdrawal.address,
        amount: `0x${withdrawal.amount.toString(16)}`,
      })),
    })
    const transactions = expected.transactions as (string | { hash: string; from: string })[]
    expect(block.transactions.map(({ hash }) => hash)).toEqual(
      transactions.map(entry => (typeof entry === 'string' ? entry : entry.hash)),
    )
  })

  it.each(['get-legacy-create', 'get-legacy-input', 'get-access-list', 'get-setcode-tx'])(
    'have transactions as the answers tell them: %s',
    file => {
      const call = readExecutionApisCall(`eth_getTransactionByHash/${file}`)
      const expected = call.response.result as Record<string, Hex>
      const block = blocks[Number(expected.blockNumber) - 1]
      const transaction = block?.transactions[Number(expected.transactionIndex)]
      expect(transaction).toMatchObject({
        hash: expected.hash,
        from: expected.from,
        to: expected.to,
        type: Number(expected.type),
        nonce: BigInt(expected.nonce ?? ''),
        gas: BigInt(expected.gas ?? ''),
        value: BigInt(expected.value ?? ''),
        v: BigInt(expected.v ?? ''),
        r: BigInt(expected.r ?? ''),
        s: BigInt(expected.s ?? ''),
      })
      expect(transaction && encodeHex(transaction.input)).toBe(expected.input)
    },
  )

  it('are refused where the header does not name the body', () => {
    const [header, , uncles] = splitBlock(files[0] as Uint8Array)
    const other = splitBlock(files[1] as Uint8Array)
    const swapped = encodeRlp([header, other[1], uncles] as RlpValue[])
    expect(() => decodeBlock(rules, swapped)).toThrow('for its transactions, which are')
    const withUncle = blocks.findIndex(block => block.uncles.length > 0)
    const parts = splitBlock(files[withUncle] as Uint8Array)
    const childless = encodeRlp([parts[0], parts[1], []] as RlpValue[])
    expect(() => decodeBlock(rules, childless)).toThrow('for its uncles, which are')
  })

  it('are refused where the header has the fields of another fork', () => {
    const [header, transactions, uncles] = splitBlock(files[30] as Uint8Array)
    const items = (header as RlpList).items as RlpValue[]
    const short = encodeRlp([items.slice(0, 15), transactions, uncles] as RlpValue[])
    expect(() => decodeBlock(rules, short)).toThrow(
      'block 31: the header has 15 fields, and 16 by the rules of arrowGlacier',
    )
    const withWithdrawals = encodeRlp([header, transactions, uncles, []] as RlpValue[])
    expect(() => decodeBlock(rules, withWithdrawals)).toThrow(
      'block 31: has withdrawals, which do not exist by the rules of arrowGlacier',
    )
    const last = splitBlock(files[53] as Uint8Array)
    expect(() => decodeBlock(rules, encodeRlp(last.slice(0, 3) as RlpValue[]))).toThrow(
      'block 54: has no withdrawals by the rules of bpo2',
    )
  })

  it('throw nothing unforeseen when bytes of them are changed', () => {
    const small = files.filter(rlp => rlp.length < 2_000)
    fc.assert(
      fc.property(fc.constantFrom(...small), fc.nat(), fc.nat(255), (rlp, at, value) => {
        const changed = Uint8Array.from(rlp)
        changed[at % changed.length] = value
        try {
          decodeBlock(rules, changed)
        } catch (error) {
          const isForeseen = error instanceof RlpError || error instanceof TransactionError
          expect(isForeseen, String(error)).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('read as those of EthereumJS when they are made here', () => {
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Berlin })
    const { header } = blocks[24] as Block
    const made = encodeBlock(header, [])
    const theirs = createBlockFromRLP(made.rlp, { common, skipConsensusFormatValidation: true })
    expect(encodeHex(theirs.hash())).toBe(made.header.hash)
    expect(encodeHex(theirs.serialize())).toBe(encodeHex(made.rlp))
  })

  it.each(['get-access-list', 'get-dynamic-fee', 'get-blob-tx'])(
    'have logs with the published bloom: %s',
    file => {
      const call = readExecutionApisCall(`eth_getTransactionReceipt/${file}`)
      const receipt = call.response.result as { logs: LogEntry[]; logsBloom: Hex }
      expect(receipt.logs.length).toBeGreaterThan(0)
      expect(computeLogsBloom(receipt.logs)).toBe(receipt.logsBloom)
    },
  )
})

describe('a block that is not one', () => {
  it.each<[Hex, string]>([
    ['0x', 'rlp: unexpected EOF'],
    ['0x80', 'rlp: expected input list for types.Block'],
    ['0xc0', 'rlp: too few elements for types.Block'],
    ['0xc3c0c0c0', 'rlp: too few elements for types.Header'],
    ['0xc5c0c0c0c0c0', 'rlp: input list has too many elements for types.Block'],
  ])('%s is refused', async (rlp, message) => {
    const rules = await createRules(builtInGenesis('mainnet', { profile: 'default', alloc: {} }))
    expect(() => decodeBlock(rules, decodeHex(rlp))).toThrow(new RlpError(message))
  })
})

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(bytes => encodeHex(bytes))
const logs: fc.Arbitrary<LogEntry[]> = fc.array(
  fc.record({
    address: hex(20),
    topics: fc.array(hex(32), { maxLength: 4 }),
    data: fc.uint8Array({ maxLength: 80 }).map(bytes => encodeHex(bytes)),
  }),
  { maxLength: 4 },
)

/** A receipt in our form and in that of EthereumJS. */
const receipts = fc
  .record({
    logs,
    type: fc.nat(4),
    status: fc.boolean(),
    root: fc.option(hex(32)),
    gas: fc.integer({ min: 1 }),
  })
  .map(({ logs, type, status, root, gas }) => {
    const logsBloom = computeLogsBloom(logs)
    const cumulativeGasUsed = BigInt(gas)
    const outcome = root === null ? { status: status ? 1 : 0 } : { stateRoot: decodeHex(root) }
    const theirs = {
      ...outcome,
      cumulativeBlockGasUsed: cumulativeGasUsed,
      bitvector: decodeHex(logsBloom),
      logs: logs.map(log => [
        decodeHex(log.address),
        log.topics.map(decodeHex),
        decodeHex(log.data),
      ]),
    }
    const ours = { status: root === null ? status : null, root, cumulativeGasUsed, logs, logsBloom }
    return {
      type,
      receipt: ours as unknown as Receipt,
      encoded: encodeReference(theirs as never, type as never),
    }
  })

describe('a receipt', () => {
  it('is encoded as EthereumJS encodes it', () => {
    fc.assert(
      fc.property(receipts, ({ receipt, type, encoded }) => {
        expect(encodeHex(encodeReceipt(receipt, type))).toBe(encodeHex(encoded))
      }),
      { numRuns: 50 },
    )
  })

  it('is under its position in the trie of the block', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(receipts, { minLength: 1, maxLength: 20 }), async list => {
        const trie = await createMPT()
        for (const [index, { encoded }] of list.entries()) {
          await trie.put(RLP.encode(index), encoded)
        }
        const root = receiptsRoot(
          list.map(({ receipt }) => receipt),
          list,
        )
        expect(root).toBe(encodeHex(trie.root()))
      }),
      { numRuns: 20 },
    )
  })

  it('has the bloom that EthereumJS computes', () => {
    fc.assert(
      fc.property(logs, logs => {
        const bloom = new Bloom()
        for (const { address, topics } of logs) {
          for (const value of [address, ...topics]) bloom.add(decodeHex(value))
        }
        expect(computeLogsBloom(logs)).toBe(encodeHex(bloom.bitvector))
        // One of each log, as the receipts of a block.
        expect(joinBlooms(logs.map(log => computeLogsBloom([log])))).toBe(
          encodeHex(bloom.bitvector),
        )
      }),
      { numRuns: 50 },
    )
  })
})

function splitBlock(rlp: Uint8Array) {
  const block = decodeRlp(rlp)
  if (!isRlpList(block)) throw new Error('not a list')
  return block.items
}

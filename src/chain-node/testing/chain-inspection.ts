import type { Hex } from '../codec/hex.ts'
import { DEV_BALANCE, DEV_KEYS } from '../dev-accounts.ts'
import { askAll, type Call, formatQuantity } from './json-rpc-client.ts'
import { addressOf, balanceOf, RECIPIENTS, type Received, SENDERS, SUPPLY } from './sender-load.ts'

/** What is known of a chain that was read block by block. */
export interface Inspection {
  readonly head: () => { readonly height: number; readonly hash: Hex }
  readonly countTransactions: () => number
  /** Whether a transaction is in one of the blocks that were read. */
  readonly has: (hash: Hex) => boolean
  /**
   * Reads on to the node's head, with every transaction, receipt and log, and the state at the head and at `oldBlock`. Throws
   * where anything is missing, does not fit, or is not what was told.
   */
  advance(url: string, told: Received, oldBlock: (height: number) => number): Promise<void>
}

interface BlockJson {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly gasUsed: Hex
  readonly transactions: readonly { hash: Hex; from: Hex; nonce: Hex; transactionIndex: Hex }[]
}

interface ReceiptJson {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly gasUsed: Hex
  readonly status: Hex
  readonly logs: readonly { readonly logIndex: Hex }[]
}

/** Blocks that are asked for at once: no more than `eth_getLogs` spans. */
const STEP = 100

/** @param miner - who gets the fees, so that all coins are accounted for */
export function createInspection(miner: Hex, token: Hex): Inspection {
  const hashes: Hex[] = []
  const heights = new Map<Hex, number>()
  /** Of each block, the senders of its transactions. */
  const senders: Hex[][] = []
  const nonces = new Map<Hex, number>()

  async function advance(
    url: string,
    told: Received,
    oldBlock: (height: number) => number,
  ): Promise<void> {
    const [latest] = await askAll<Hex>(url, [{ method: 'eth_blockNumber', params: [] }])
    const head = Number(latest)
    for (let from = Math.max(0, hashes.length - 1); from <= head; from += STEP) {
      const numbers = range(from, Math.min(head, from + STEP - 1))
      const blocks = await askAll<BlockJson | null>(url, numbers.map(askBlock))
      await inspectBlocks(
        url,
        blocks.map((block, i) => need(block, `block ${numbers[i]}`)),
      )
    }
    for (const [height, hash] of told.blocks) {
      if (hashes[height] !== hash) {
        throw new Error(`block ${height} was told to be ${hash}, and is ${hashes[height]}`)
      }
    }
    await inspectState(url, head)
    await inspectState(url, oldBlock(head))
  }

  async function inspectBlocks(url: string, blocks: readonly BlockJson[]): Promise<void> {
    const transactions = blocks.flatMap(block => block.transactions)
    const calls = transactions.map(({ hash }) => ({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    }))
    const receipts: (ReceiptJson | null)[] = []
    for (let i = 0; i < calls.length; i += 500) {
      receipts.push(...(await askAll<ReceiptJson | null>(url, calls.slice(i, i + 500))))
    }
    const found = await askAll<unknown[]>(url, [
      {
        method: 'eth_getLogs',
        params: [{ fromBlock: blocks[0]?.number, toBlock: blocks.at(-1)?.number }],
      },
    ])
    const logs = receipts.flatMap(receipt => receipt?.logs ?? [])
    assertEqual(JSON.stringify(found[0]), JSON.stringify(logs), 'the logs')
    let position = 0
    for (const block of blocks) {
      const own = receipts.slice(position, position + block.transactions.length)
      position += own.length
      inspectBlock(block, own)
    }
  }

  function inspectBlock(block: BlockJson, receipts: readonly (ReceiptJson | null)[]): void {
    const height = Number(block.number)
    const known = hashes[height]
    if (known !== undefined) {
      assertEqual(block.hash, known, `block ${height}`)
      return
    }
    assertEqual(height, hashes.length, 'the height')
    if (height > 0) assertEqual(block.parentHash, hashes[height - 1], `parent of ${height}`)
    let gas = 0n
    block.transactions.forEach(({ hash, from, nonce, transactionIndex }, index) => {
      const receipt = need(receipts[index] ?? null, `receipt of ${hash}`)
      assertEqual(receipt.transactionHash, hash, 'the receipt')
      assertEqual(receipt.blockHash, block.hash, `block of ${hash}`)
      assertEqual(receipt.status, '0x1', `status of ${hash}`)
      assertEqual(Number(transactionIndex), index, `index of ${hash}`)
      assertEqual(heights.get(hash), undefined, `block of ${hash}, which is there twice,`)
      assertEqual(Number(nonce), nonces.get(from) ?? 0, `nonce of ${hash}`)
      nonces.set(from, Number(nonce) + 1)
      heights.set(hash, height)
      gas += BigInt(receipt.gasUsed)
    })
    assertEqual(BigInt(block.gasUsed), gas, `gas of block ${height}`)
    hashes.push(block.hash)
    senders.push(block.transactions.map(({ from }) => from))
  }

  async function inspectState(url: string, height: number): Promise<void> {
    const at = formatQuantity(height)
    const accounts = [...SENDERS.map(addressOf), ...RECIPIENTS, miner]
    const query = (method: string) =>
      accounts.map((address): Call => ({ method, params: [address, at] }))
    const balances = await askAll<Hex>(url, query('eth_getBalance'))
    const coins = balances.reduce((sum, balance) => sum + BigInt(balance), 0n)
    assertEqual(coins, BigInt(DEV_KEYS.length) * DEV_BALANCE, `all coins at block ${height}`)
    const counts = await askAll<Hex>(url, query('eth_getTransactionCount'))
    const sent = senders.slice(0, height + 1).flat()
    const expected = new Map<Hex, number>()
    for (const from of sent) expected.set(from, (expected.get(from) ?? 0) + 1)
    accounts.forEach((address, index) => {
      const nonce = expected.get(address) ?? 0
      assertEqual(Number(counts[index]), nonce, `nonce of ${address} at block ${height}`)
    })
    if (height === 0) return
    const tokens = await askAll<Hex>(
      url,
      accounts.map(address => ({
        method: 'eth_call',
        params: [{ to: token, data: balanceOf(address) }, at],
      })),
    )
    const supply = tokens.reduce((sum, balance) => sum + BigInt(balance), 0n)
    assertEqual(supply, SUPPLY, `all tokens at block ${height}`)
  }

  return {
    head: () => ({ height: hashes.length - 1, hash: need(hashes.at(-1) ?? null, 'the head') }),
    countTransactions: () => heights.size,
    has: hash => heights.has(hash),
    advance,
  }
}

const askBlock = (height: number): Call => ({
  method: 'eth_getBlockByNumber',
  params: [formatQuantity(height), true],
})

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

function need<T>(value: T | null, name: string): T {
  if (value === null) throw new Error(`${name} is missing`)
  return value
}

function assertEqual<T>(found: T, expected: T, name: string): void {
  if (found !== expected) throw new Error(`${name} is ${found}, not ${expected}`)
}

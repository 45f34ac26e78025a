import { Transaction, Wallet } from 'ethers'
import { WebSocket } from 'ws'
import type { Hex } from '../codec/hex.ts'
import { DEV_KEYS } from '../dev-accounts.ts'
import type { Random } from './hostile-bodies.ts'
import { askAll, askEach, type Call, formatQuantity } from './json-rpc-client.ts'
import { compileToken } from './token.ts'

/** What a node has told its clients: none of it may ever be otherwise. */
export interface Received {
  /** Block hashes by height, whoever was told: by receipts, by number, by `newHeads`. */
  readonly blocks: Map<number, Hex>
  /** Hashes of transactions that were sent and answered. */
  readonly answered: Set<Hex>
  /** Errors that were answered in place of a hash. */
  readonly refusals: string[]
  /** Starts of requests that got no answer, as `performance.now()` has it. */
  readonly unanswered: number[]
}

export const createReceived = (): Received => ({
  blocks: new Map(),
  answered: new Set(),
  refusals: [],
  unanswered: [],
})

export function tellBlock({ blocks }: Received, height: number, hash: Hex): void {
  const known = blocks.get(height)
  if (known !== undefined && known !== hash) {
    throw new Error(`block ${height} was ${known}, and is ${hash} now`)
  }
  blocks.set(height, hash)
}

export const GAS_PRICE = 1_000_000_000n
/** Of the token, in its smallest unit. */
export const SUPPLY = 10n ** 24n
export const RECIPIENTS: readonly Hex[] = [1, 2, 3, 4].map((i): Hex => `0x${'e'.repeat(39)}${i}`)
/** All ten that a chain for developers funds, and six more. */
export const SENDERS: readonly Wallet[] = [
  ...DEV_KEYS.map(key => new Wallet(key)),
  ...[1, 2, 3, 4, 5, 6].map(i => new Wallet(`0x${`${i}`.repeat(64)}`)),
]
export const addressOf = (wallet: Wallet) => wallet.address.toLowerCase() as Hex

/** Gives coins and tokens to all senders of a new chain, and the token's address. */
export async function fundSenders(url: string): Promise<Hex> {
  const [first] = SENDERS
  if (!first) throw new Error('there are senders')
  const deployed = `${compileToken().token}${word(SUPPLY)}`
  const created = sign(first, 0, { to: null, data: deployed, gasLimit: 2_000_000n })
  await askAll(url, [sendCall(created)])
  const [receipt] = await askAll<{ contractAddress: Hex }>(url, [
    { method: 'eth_getTransactionReceipt', params: [created.hash] },
  ])
  const token = receipt?.contractAddress
  if (!token) throw new Error('the token was not created')
  const gifts = SENDERS.slice(1).flatMap(wallet => [
    { to: wallet.address, value: 10n ** 20n },
    { to: token, data: moveTokens(wallet.address, SUPPLY / 20n), gasLimit: 100_000n },
  ])
  const calls = gifts.map((gift, index) => sendCall(sign(first, 1 + index, gift)))
  await askAll(url, calls)
  return token
}

/**
 * All senders send, alone and in batches, and ask for receipts, until `isOver` or until the node is gone; another client
 * follows the heads. Each sender goes on from its pending nonce.
 */
export async function load(options: {
  readonly url: string
  readonly token: Hex
  readonly told: Received
  readonly random: Random
  readonly isOver: () => boolean
}): Promise<void> {
  const { url, told, isOver } = options
  const watcher = watchHeads(url.replace(/^http/, 'ws'), told)
  try {
    await Promise.all([
      ...SENDERS.map(wallet => send(wallet, options)),
      followHead(url, told, isOver),
    ])
  } finally {
    watcher.close()
  }
}

async function send(
  wallet: Wallet,
  { url, token, told, random, isOver }: Parameters<typeof load>[0],
): Promise<void> {
  const from = addressOf(wallet)
  let nonce: number | null = null
  while (!isOver()) {
    let begun = performance.now()
    try {
      if (nonce === null) {
        const count = { method: 'eth_getTransactionCount', params: [from, 'pending'] }
        nonce = Number((await askAll<Hex>(url, [count]))[0])
      }
      const size = random(3) === 0 ? 2 + random(7) : 1
      const transactions = Array.from({ length: size }, () => {
        const to = RECIPIENTS[random(RECIPIENTS.length)] ?? from
        const isToken = random(2) === 0
        const fields = isToken
          ? { to: token, data: moveTokens(to, 1n), gasLimit: 100_000n }
          : { to, value: BigInt(1 + random(1000)) }
        return sign(wallet, (nonce as number)++, fields)
      })
      begun = performance.now()
      const answers = await askEach<Hex>(url, transactions.map(sendCall))
      answers.forEach(({ result, error }, index) => {
        if (error) told.refusals.push(error.message)
        else if (result === transactions[index]?.hash) told.answered.add(result)
        else throw new Error(`another hash was answered: ${result}`)
      })
      if (answers.some(({ error }) => error)) nonce = null
      begun = performance.now()
      if (random(3) === 0) await readReceipt(url, told, transactions[0]?.hash as Hex)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      told.unanswered.push(begun)
      return
    }
  }
}

async function readReceipt(url: string, told: Received, hash: Hex): Promise<void> {
  const call = { method: 'eth_getTransactionReceipt', params: [hash] }
  const [receipt] = await askAll<{ blockNumber: Hex; blockHash: Hex } | null>(url, [call])
  if (receipt) tellBlock(told, Number(receipt.blockNumber), receipt.blockHash)
}

async function followHead(url: string, told: Received, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      const call = { method: 'eth_getBlockByNumber', params: ['latest', false] }
      const [block] = await askAll<{ number: Hex; hash: Hex }>(url, [call])
      if (block) tellBlock(told, Number(block.number), block.hash)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return
    }
  }
}

function watchHeads(wsUrl: string, told: Received): { close(): void } {
  const socket = new WebSocket(wsUrl)
  socket.on('error', () => {})
  socket.on('open', () => {
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  })
  socket.on('message', text => {
    const { params } = JSON.parse(String(text))
    if (params) tellBlock(told, Number(params.result.number), params.result.hash)
  })
  return { close: () => socket.terminate() }
}

function sign(
  wallet: Wallet,
  nonce: number,
  fields: { to: string | null; value?: bigint; data?: string; gasLimit?: bigint },
): { readonly hash: Hex; readonly raw: Hex } {
  const transaction = Transaction.from({
    type: 0,
    chainId: 66,
    nonce,
    gasPrice: GAS_PRICE,
    gasLimit: 21_000n,
    ...fields,
  })
  transaction.signature = wallet.signingKey.sign(transaction.unsignedHash)
  return { hash: transaction.hash as Hex, raw: transaction.serialized as Hex }
}

/** Of ERC-20, for the address with which it is called. */
export const balanceOf = (address: Hex) => `0x70a08231${word(BigInt(address))}`
const moveTokens = (to: string, amount: bigint) => `0xa9059cbb${word(BigInt(to))}${word(amount)}`
const sendCall = ({ raw }: { readonly raw: Hex }): Call => ({
  method: 'eth_sendRawTransaction',
  params: [raw],
})

function word(value: bigint): string {
  return formatQuantity(value).slice(2).padStart(64, '0')
}

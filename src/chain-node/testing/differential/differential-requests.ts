import { createHash } from 'node:crypto'
import {
  concat,
  decodeRlp,
  encodeRlp,
  getCreateAddress,
  Transaction,
  type TransactionLike,
  toBeHex,
  Wallet,
} from 'ethers'
import type { Hex } from '../../codec/hex.ts'
import { DEV_KEYS } from '../../dev-accounts.ts'
import type { CompiledContracts } from './differential-contracts.ts'
import { AUTHORITIES, type Request } from './differential-nodes.ts'
import type {
  AccountChange,
  Argument,
  Input,
  LogQuery,
  SentTransaction,
  SimulatedCall,
  Target,
  Topic,
} from './differential-scenarios.ts'

/** The accounts of `--dev`; each has coins. */
export const WALLETS = DEV_KEYS.map(key => new Wallet(key))

/** Where the accounts of a scenario are. */
export interface Places {
  readonly contracts: { readonly [name: string]: string }
  readonly programs: readonly string[]
  readonly compiled: CompiledContracts
}

export function findAddress(places: Places, target: Target): string {
  if ('contract' in target) return places.contracts[target.contract] as string
  if ('program' in target) {
    return places.programs[target.program % places.programs.length] ?? WALLETS[0]?.address ?? ''
  }
  const address =
    'account' in target
      ? WALLETS[target.account]?.address
      : 'authority' in target
        ? AUTHORITIES[target.authority]?.address
        : toBeHex(target.low, 20)
  return (address ?? '').toLowerCase()
}

export function encodeInput(places: Places, input: Input | Hex): string {
  if (typeof input === 'string') return input
  const [contract = '', name = ''] = input.calls.split('.')
  const { abi } = places.compiled[contract as keyof CompiledContracts]
  const values = input.with.map(argument => encodeArgument(places, argument))
  return abi.encodeFunctionData(name, values)
}

function encodeArgument(places: Places, argument: Argument): string | bigint {
  if (typeof argument === 'bigint' || typeof argument === 'string') return argument
  if ('text' in argument) return argument.text
  return 'calls' in argument ? encodeInput(places, argument) : findAddress(places, argument)
}

export interface SigningFacts {
  readonly nonce: number
  /** Of the block that it is for, and of the one before. */
  readonly baseFees: { readonly next: bigint; readonly last: bigint }
  /** Which of the transactions of the block it is. */
  readonly index: number
  readonly authorityNonces: number[]
}

/**
 * Signs what a scenario sends; an authority's nonce moves with each of its authorizations. Its tip is unlike all others of the
 * block, and whoever orders by the tip orders as who orders by the highest price. Where there is no base fee there is no
 * price: those who refund unlike amounts of gas have equal balances then.
 */
export function signTransaction(
  places: Places,
  sent: SentTransaction,
  { nonce, baseFees, index, authorityNonces }: SigningFacts,
): string {
  const wallet = WALLETS[sent.from] as Wallet
  const { next: baseFee, last } = baseFees
  const least = last > baseFee ? last - baseFee : 0n
  const tip = least + (BigInt(sent.price) * 16n + BigInt(index)) * 1000n
  const isFree = baseFees.next === 0n
  const spare = BigInt(sent.price % 3) * 300n
  const isCapped = sent.price % 2 === 0
  const authorizations = sent.type === 4 ? sent.authorizations : []
  const list = authorizations.map(({ authority, to }) => {
    const own = authorityNonces[authority] ?? 0
    authorityNonces[authority] = own + 1
    const signer = AUTHORITIES[authority] as Wallet
    return signer.authorizeSync({ address: findAddress(places, to), nonce: own, chainId: 66 })
  })
  const fields: TransactionLike = {
    type: sent.type,
    chainId: sent.fault === 'other chain' ? 67 : 66,
    nonce: sent.fault === 'old nonce' ? nonce - 1 : nonce,
    to: sent.to === null ? null : findAddress(places, sent.to),
    data: encodeInput(places, sent.input),
    value: sent.fault === 'no funds' ? 10n ** 24n : sent.value,
    gasLimit:
      sent.fault === 'no gas' ? 20_999 : sent.fault === 'too much gas' ? 30_000_001 : sent.gas,
    ...(sent.type < 2
      ? { gasPrice: isFree ? 0n : baseFee + tip }
      : isCapped
        ? { maxFeePerGas: baseFee + tip, maxPriorityFeePerGas: tip + min(baseFee, spare) }
        : { maxFeePerGas: baseFee + tip + spare, maxPriorityFeePerGas: tip }),
    ...(sent.type > 0 && { accessList: listAccess(places, sent.accessList) }),
    ...(sent.type === 4 && { authorizationList: list }),
    ...(sent.type === 3 && {
      maxFeePerBlobGas: 1_000_000_000,
      blobVersionedHashes: [hashCommitment(INFINITY)],
    }),
  }
  const transaction = Transaction.from(fields)
  transaction.signature = wallet.signingKey.sign(transaction.unsignedHash)
  return sent.type === 3 ? addBlob(transaction.serialized) : transaction.serialized
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function listAccess(places: Places, targets: readonly Target[]) {
  return targets.map(target => ({
    address: findAddress(places, target),
    storageKeys: [toBeHex(0, 32), toBeHex(3, 32)],
  }))
}

/** The blob of zeros: its commitment and its proof are the point at infinity. */
const BLOB = `0x${'00'.repeat(131_072)}`
const INFINITY = `0xc0${'00'.repeat(47)}`

function hashCommitment(commitment: string): string {
  const digest = createHash('sha256')
    .update(Buffer.from(commitment.slice(2), 'hex'))
    .digest('hex')
  return `0x01${digest.slice(2)}`
}

function addBlob(serialized: string): string {
  const payload = decodeRlp(`0x${serialized.slice(4)}`)
  return concat(['0x03', encodeRlp([payload, [BLOB], [INFINITY], [INFINITY]])])
}

export function describeCall(places: Places, call: SimulatedCall, height: number): Request {
  const message = {
    ...(call.from && { from: findAddress(places, call.from) }),
    ...(call.to && { to: findAddress(places, call.to) }),
    ...(call.gas !== null && { gas: toQuantity(call.gas) }),
    ...(call.gasPrice !== null && { gasPrice: toQuantity(call.gasPrice) }),
    ...(call.value > 0n && { value: toQuantity(call.value) }),
    data: encodeInput(places, call.input),
  }
  const block = call.back === 0 ? 'latest' : toQuantity(Math.max(0, height - call.back))
  const changes = Object.fromEntries(
    call.changes.map(change => [findAddress(places, change.target), describeChange(change)]),
  )
  const method = call.estimate ? 'eth_estimateGas' : 'eth_call'
  return { method, params: [message, block, ...(call.changes.length > 0 ? [changes] : [])] }
}

function describeChange({ balance, nonce, code, slots, values }: AccountChange) {
  const entries = values.map(([slot, value]) => [toBeHex(slot, 32), toBeHex(value, 32)])
  return {
    ...(balance !== null && { balance: toQuantity(balance) }),
    ...(nonce !== null && { nonce: toQuantity(nonce) }),
    ...(code !== null && { code }),
    ...(slots !== null && { [slots]: Object.fromEntries(entries) }),
  }
}

export function describeQuery(places: Places, query: LogQuery, height: number): Request {
  const { addresses, topics, range } = query
  const place = (target: Target) => findAddress(places, target)
  const back = (blocks: number) => toQuantity(Math.max(0, height - blocks))
  const filter = {
    ...(addresses !== null && {
      address: 'map' in addresses ? addresses.map(place) : place(addresses),
    }),
    ...(topics !== null && {
      topics: topics.map(item =>
        item !== null && typeof item === 'object' && 'map' in item
          ? item.map(one => encodeTopic(places, one))
          : item === null
            ? null
            : encodeTopic(places, item),
      ),
    }),
    ...('block' in range
      ? { blockHash: `block ${Math.max(0, height - range.block)}` }
      : {
          ...(range.from !== null && { fromBlock: back(range.from) }),
          ...(range.to !== null && { toBlock: back(range.to) }),
        }),
  }
  return { method: 'eth_getLogs', params: [filter] }
}

function encodeTopic(places: Places, topic: Topic): string {
  if (typeof topic === 'number') return toBeHex(topic, 32)
  if (typeof topic === 'object') return toBeHex(findAddress(places, topic), 32)
  const contract = { Transfer: 'Token', Approval: 'Token', Written: 'Ledger', Returned: 'Caller' }
  const { abi } = places.compiled[contract[topic] as keyof CompiledContracts]
  return abi.getEvent(topic)?.topicHash ?? ''
}

/** Requests that are refused, or are asked of what is not there. */
export function listWrongRequests(places: Places, height: number): Request[] {
  const to = places.contracts.Token
  const next = toQuantity(height + 1)
  const unknown = toBeHex(1, 32)
  const account = WALLETS[0]?.address
  return [
    { method: 'eth_call', params: [{ to }, next] },
    { method: 'eth_call', params: [{ to: '0x1234' }, 'latest'] },
    { method: 'eth_call', params: [{ to, data: '0x123' }, 'latest'] },
    { method: 'eth_call', params: [{ to, value: '12' }, 'latest'] },
    { method: 'eth_call', params: [{ to, gas: '0x5' }, 'latest'] },
    { method: 'eth_call', params: [{ to, data: '0x11', input: '0x12' }, 'latest'] },
    { method: 'eth_call', params: [{ to, from: toBeHex(77, 20), value: '0x1' }, 'latest'] },
    { method: 'eth_call', params: [{ to }, { blockHash: unknown }] },
    { method: 'eth_call', params: [] },
    { method: 'eth_estimateGas', params: [{ to, from: toBeHex(77, 20), value: '0x1' }] },
    { method: 'eth_getBalance', params: [account, next] },
    { method: 'eth_getStorageAt', params: [to, `0x${'1'.repeat(66)}`, 'latest'] },
    { method: 'eth_getLogs', params: [{ fromBlock: toQuantity(height), toBlock: '0x0' }] },
    { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: next }] },
    { method: 'eth_getLogs', params: [{ blockHash: unknown }] },
    { method: 'eth_getLogs', params: [{ blockHash: 'block 0', fromBlock: '0x0' }] },
    { method: 'eth_getTransactionReceipt', params: [unknown] },
    { method: 'eth_sendRawTransaction', params: ['0x1234'] },
  ]
}

/** Where the n-th contract of a sender goes. */
export function createdAddress(from: number, nonce: number): string {
  return getCreateAddress({ from: WALLETS[from]?.address ?? '', nonce }).toLowerCase()
}

export function toQuantity(value: number | bigint): string {
  return `0x${value.toString(16)}`
}

import { addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { HistoryTransaction } from '../../chain/chain-source.ts'

/** What a transaction was to an account, as a server told it. */
export type HistoryRow = {
  txid: string
  height: number | null
  /** End of the block's hash: enough to see that a block is another one. */
  block: string | null
  /** Time of the block, or when it was first seen, in milliseconds. */
  at: number
  kind: 'sent' | 'received' | 'moved'
  /** Effect on the account in sats, fee included. */
  net: number
  /** In sats; null where others paid it. */
  fee: number | null
  /** Recipients other than the account, or the senders of what it received; the first is the one that is shown. */
  peers: string[]
  /** First inputs, for asking what took the place of a transaction that is gone; empty where that is past. */
  spends: string[]
  /** Was in a block that is no longer part of the chain. */
  undone: boolean
  replacedBy: string | null
  /** Scripts that it pays, of a transaction of others alone; absent for any other, and in rows of earlier versions. */
  recipients?: number
}

const MAX_PEERS = 8
const MAX_SPENDS = 3
const BLOCK_DIGITS = 16

/** What a transaction was to the owner of scripts (in hex); `now` stands for the time of one that no block holds. */
export function describeTransaction(
  transaction: HistoryTransaction,
  own: ReadonlySet<string>,
  network: Network,
  now: number,
): HistoryRow {
  const { txid, height, blockHash, at, inputs, outputs, fee } = transaction
  const isOwn = (script: Uint8Array | null) => script !== null && own.has(toHex(script))
  const spent = inputs.filter(input => isOwn(input.scriptPubKey))
  const foreign = outputs.filter(output => !isOwn(output.scriptPubKey))
  const net =
    sum(outputs.filter(output => isOwn(output.scriptPubKey))) - spent.reduce(addAmount, 0n)
  const pays = spent.length > 0 && net <= 0n
  const peers = pays ? foreign : inputs.filter(input => !isOwn(input.scriptPubKey))
  return {
    txid,
    height,
    block: blockHash?.slice(-BLOCK_DIGITS) ?? null,
    at: at ?? now,
    kind: !pays ? 'received' : foreign.some(({ amount }) => amount > 0n) ? 'sent' : 'moved',
    net: Number(net),
    fee: pays ? Number(fee) : null,
    peers: listAddresses(peers, network),
    spends: inputs.slice(0, MAX_SPENDS).map(formatOutpoint),
    undone: false,
    replacedBy: null,
    ...(spent.length === 0 && { recipients: countScripts(outputs) }),
  }
}

function countScripts(outputs: readonly { scriptPubKey: Uint8Array }[]): number {
  return new Set(outputs.map(({ scriptPubKey }) => toHex(scriptPubKey))).size
}

function addAmount(total: bigint, { amount }: { amount: bigint | null }): bigint {
  return total + (amount ?? 0n)
}

function sum(parts: readonly { amount: bigint }[]): bigint {
  return parts.reduce(addAmount, 0n)
}

function listAddresses(
  parts: readonly { scriptPubKey: Uint8Array | null }[],
  network: Network,
): string[] {
  const addresses = new Set<string>()
  for (const { scriptPubKey } of parts) {
    const address = scriptPubKey && addressOfScript(scriptPubKey, network)
    if (address) addresses.add(address)
    if (addresses.size === MAX_PEERS) break
  }
  return [...addresses]
}

/** How a row is stored: an account may have thousands. */
export type StoredRow = [
  txid: string,
  height: number | null,
  block: string | null,
  at: number,
  kind: HistoryRow['kind'],
  net: number,
  fee: number | null,
  peers: string[],
  /** Absent for a row that nothing will undo. */
  open?: { spends: string[]; undone: boolean; replacedBy: string | null } | null,
  recipients?: number,
]

/** The newest rows of blocks that are stored with their inputs, for reorganisations. */
const OPEN_ROWS = 50

/** `index` counts rows from the newest: an old one in a block is stored without its inputs. */
export function encodeRow(row: HistoryRow, index: number): StoredRow {
  const { txid, height, block, at, kind, net, fee, peers, spends, undone, replacedBy } = row
  const { recipients } = row
  const stored: StoredRow = [txid, height, block, at, kind, net, fee, peers]
  const isOpen = height === null || index < OPEN_ROWS
  if (isOpen || recipients !== undefined)
    stored.push(isOpen ? { spends, undone, replacedBy } : null)
  if (recipients !== undefined) stored.push(recipients)
  return stored
}

/** A row that was stored without its inputs comes back with none, as nothing will undo it. */
export function decodeRow([
  txid,
  height,
  block,
  at,
  kind,
  net,
  fee,
  peers,
  open,
  recipients,
]: StoredRow): HistoryRow {
  const { spends = [], undone = false, replacedBy = null } = open ?? {}
  const row = { txid, height, block, at, kind, net, fee, peers, spends, undone, replacedBy }
  return recipients === undefined ? row : { ...row, recipients }
}

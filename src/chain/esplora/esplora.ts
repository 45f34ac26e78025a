// esplora: the chain by an Esplora server (https://github.com/Blockstream/esplora/blob/master/API.md), and what
// mempool.space adds to it. It promises that a transaction's bytes hash to its txid and that the server follows
// the network that was asked for.

import { formatBtc } from '../../bitcoin/amount.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { parseTransaction as parseRawTransaction, txidOf } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { AnswerTooLongError, serverFailure } from '../access/http.ts'
import {
  MalformedAnswerError,
  malformed,
  parseArray,
  parseBytes,
  parseJson,
  parseTxid,
} from '../access/json-reader.ts'
import { describeAnswer, type ServerAccess } from '../access/server-access.ts'
import { createServerReader } from '../access/server-reader.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
  type ChainTip,
  type HistoryPage,
  type NetworkChecks,
  TransactionNotFoundError,
} from '../chain-source.ts'
import { GENESIS_HASH } from '../genesis.ts'
import {
  parseBalance,
  parseBlock,
  parseBlockHeaders,
  parseMerkleProof,
  parseTip,
  parseTransaction,
  parseUtxos,
  readPackageFailure,
} from './esplora-json.ts'
import { createUtxoGatherer } from './utxo-gatherer.ts'

const OP_RETURN = 0x6a

/** Sats in outputs that nobody can ever spend. */
function burnedSats(rawTx: Uint8Array): bigint {
  return parseRawTransaction(rawTx)
    .outputs.filter(({ scriptPubKey: [first] }) => first === OP_RETURN)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/** Bitcoin Core's words for a transaction that it has already: in its mempool, or in a block. */
const ALREADY_KNOWN =
  /txn-already-in-mempool|txn-already-known|already in block chain|outputs already in utxo set/i

/** `after` of a history whose unconfirmed part filled the first page. */
const FIRST_CONFIRMED = 'chain'

/** No server cuts a page that is shorter than this. */
const SHORTEST_PAGE = 10
/** A hundred thousand coins of one address: each takes up to 270. */
const MAX_COINS_BYTES = 27_000_000

export type EsploraDeps = {
  access: ServerAccess
  checks: NetworkChecks
  /** Asks at once, also while the server rests. */
  bypassBackoff?: boolean
}

/**
 * The Esplora REST interface (electrs, mempool.space) at `url`, without a slash at its end. A server whose first block
 * is not the network's is asked nothing else: every call throws the problem `wrong-network`.
 */
export function createEsplora(network: Network, url: string, deps: EsploraDeps): ChainSource {
  const { access, checks, bypassBackoff = false } = deps
  const server = createServerReader(url, access, { bypassBackoff })
  const urgent = createServerReader(url, access, { bypassBackoff: true })
  /** Of the newest hash that was told: what a hash names does not change. */
  let tip: ChainTip | null = null
  /** Lists of coins on their way, by address: those of crowded ones are megabytes. */
  const listing = new Map<string, Promise<Utxo[]>>()
  const gatherUtxos = createUtxoGatherer({ fetchBalance, fetchHistory, host: server.host })

  return {
    network,
    async fetchTip() {
      const hash = await get('/blocks/tip/hash', body => parseTxid('the newest block', body.trim()))
      if (tip?.hash !== hash)
        tip = await get(`/block/${hash}`, body => parseTip(parseJson(body), hash))
      return tip
    },
    fetchBalance,
    async fetchUtxos(address, scriptPubKey) {
      try {
        return await listUtxos(address, scriptPubKey)
      } catch (cause) {
        if (cause instanceof AnswerTooLongError)
          throw serverFailure('too-many-coins', url, cause.problem.detail, { cause })
        const tooMany =
          cause instanceof BackendUnavailableError && cause.problem.kind === 'too-many-coins'
        if (!tooMany) throw cause
        return gatherUtxos(address, scriptPubKey, cause)
      }
    },
    fetchTransaction: txid =>
      get(
        `/tx/${txid}/hex`,
        body => {
          const rawTx = parseBytes('the transaction', body)
          if (!hashesTo(rawTx, txid)) throw malformed('the transaction', txid)
          return rawTx
        },
        () => throwNotFound(txid),
      ),
    // Not /status: there, a transaction that the server does not have looks like one without a block.
    fetchTransactionHeight: txid =>
      get<number | null | undefined>(
        `/tx/${txid}`,
        body => parseTransaction('tx', parseJson(body), txid).height,
        () => undefined,
      ),
    fetchHistory,
    fetchTransactionRecord: txid =>
      get(
        `/tx/${txid}`,
        body => parseTransaction('tx', parseJson(body), txid),
        () => throwNotFound(txid),
      ),
    fetchSpender: ({ txid, vout }) =>
      get(
        `/tx/${txid}/outspend/${vout}`,
        body => readSpender(parseJson(body)),
        () => throwNotFound(txid),
      ),
    async fetchBlock(hash) {
      const [block, coinbase] = await Promise.all([
        get(`/block/${hash}`, body => parseBlock(parseJson(body), hash)),
        get(`/block/${hash}/txid/0`, body => parseTxid('the coinbase', body.trim())),
      ])
      return { ...block, coinbase }
    },
    fetchBlockHeader: hash => get(`/block/${hash}/header`, body => parseBytes('the header', body)),
    fetchBlockHeaders: height =>
      get(`/blocks/${height}`, body => parseBlockHeaders(parseJson(body), height).raws),
    fetchNewestHeaders: () => get('/blocks', body => parseBlockHeaders(parseJson(body), null)),
    fetchMerkleProof: txid =>
      get(
        `/tx/${txid}/merkle-proof`,
        body => parseMerkleProof(parseJson(body)),
        () => throwNotFound(txid),
      ),
    async broadcast(rawTx) {
      const txid = txidOf(rawTx)
      await assertNetwork(urgent)
      const hex = toHex(rawTx)
      const burned = burnedSats(rawTx)
      if (burned > 0n && (await submitBurn(hex, burned))) return txid
      const { status, body } = await urgent.post('/tx', hex)
      if (status === 200 || ALREADY_KNOWN.test(body)) return txid
      if (status === 400) throw new BroadcastRejectedError(readNodeReason(body))
      throw serverFailure('nonsense', url, describeAnswer(status, body))
    },
  }

  async function get<T>(path: string, read: (body: string) => T, missing?: () => T): Promise<T> {
    await assertNetwork()
    return server.get(path, read, missing)
  }

  /**
   * Bitcoin Core takes a transaction that burns sats only where the call says how many may be, and of Esplora's calls only this one passes that
   * on. False where the server has no such call, or a node from before it took a single transaction there: `/tx` tells why, then.
   */
  async function submitBurn(hex: string, burned: bigint): Promise<boolean> {
    const path = `/txs/package?maxburnamount=${formatBtc(burned)}`
    const { status, body } = await urgent.post(path, JSON.stringify([hex]))
    if (status !== 200) return false
    const failure = readAnswer(body)
    if (failure === null || ALREADY_KNOWN.test(failure)) return true
    throw new BroadcastRejectedError(failure)
  }

  /** Nobody knows whether it arrived where the answer makes no sense. */
  function readAnswer(body: string): string | null {
    try {
      return readPackageFailure(parseJson(body))
    } catch (cause) {
      if (!(cause instanceof MalformedAnswerError)) throw cause
      throw serverFailure('nonsense', url, describeAnswer(200, body))
    }
  }

  /** Callers that wait for the same request also share what is read of its answer. */
  async function listUtxos(address: string, scriptPubKey: Uint8Array): Promise<Utxo[]> {
    await assertNetwork()
    const shared = listing.get(address)
    if (shared) return shared
    const list = server
      .ask(
        `/address/${encodeURIComponent(address)}/utxo`,
        { maxBytes: MAX_COINS_BYTES },
        ({ body }) => parseUtxos(parseJson(body), scriptPubKey),
      )
      .finally(() => listing.delete(address))
    listing.set(address, list)
    return list
  }

  async function assertNetwork(reader = server): Promise<void> {
    if (await checks.has(network, url)) return
    const hash = await reader.get('/block-height/0', body =>
      parseTxid('the first block', body.trim()),
    )
    if (hash !== GENESIS_HASH[network]) {
      throw serverFailure('wrong-network', url, `follows another chain than ${network}`)
    }
    await checks.add(network, url)
  }

  async function fetchBalance(address: string) {
    return get(`/address/${encodeURIComponent(address)}`, body => parseBalance(parseJson(body)))
  }

  /** Of unconfirmed transactions there are the newest 50; the confirmed ones are all there, page by page. */
  async function fetchHistory(address: string, after: string | null): Promise<HistoryPage> {
    const path = `/address/${encodeURIComponent(address)}/txs`
    const rest = after === FIRST_CONFIRMED ? '/chain' : `/chain/${encodeURIComponent(after ?? '')}`
    const transactions = await get(after === null ? path : path + rest, body =>
      parseArray('txs', parseJson(body)).map((one, index) =>
        parseTransaction(`txs[${index}]`, one),
      ),
    )
    if (transactions.length < SHORTEST_PAGE) return { transactions, next: null }
    const last = transactions.findLast(({ height }) => height !== null)
    return { transactions, next: last?.txid ?? FIRST_CONFIRMED }
  }

  function throwNotFound(txid: string): never {
    throw new TransactionNotFoundError(server.host, txid)
  }
}

/** False also for bytes that are no transaction. */
function hashesTo(rawTx: Uint8Array, txid: string): boolean {
  try {
    return txidOf(rawTx) === txid
  } catch {
    return false
  }
}

function readSpender(value: unknown): string | null {
  const outspend = Object(value)
  if (outspend.spent === false) return null
  if (outspend.spent === true) return parseTxid('outspend.txid', outspend.txid)
  throw malformed('outspend.spent', 'true or false')
}

/** The node's own words inside `sendrawtransaction RPC error: {"code":…,"message":"…"}`. */
function readNodeReason(body: string): string {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
  return (message ?? body).slice(0, 300)
}

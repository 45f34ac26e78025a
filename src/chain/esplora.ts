import { fromHex, toHex } from '../bitcoin/bytes.ts'
import type { Network } from '../bitcoin/network.ts'
import { txidOf } from '../bitcoin/transaction.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import {
  BackendUnavailableError,
  BroadcastRejectedError,
  type ChainSource,
  type FeeRates,
  type FeeSource,
  TransactionNotFoundError,
} from './chain-source.ts'
import { type HttpRequest, requestText } from './http.ts'
import { readArray, readBoolean, readInteger, readRecord, readTxid } from './json-reader.ts'

const MAX_HEIGHT = 500_000_000
const MAX_SATS = 2_100_000_000_000_000

/** Bitcoin Core's words for a transaction that it has already: in its mempool, or in a block. */
const ALREADY_KNOWN =
  /txn-already-in-mempool|txn-already-known|already in block chain|outputs already in utxo set/i

/** The Esplora REST interface (electrs, mempool.space) at `baseUrl`, without a slash at its end. */
export function createEsplora(network: Network, baseUrl: string): ChainSource & FeeSource {
  return {
    network,
    async fetchBalance(address) {
      const answer = readRecord('address', await getJson(`/address/${encodeURIComponent(address)}`))
      return {
        confirmed: readNetSum('chain_stats', answer.chain_stats),
        unconfirmed: readNetSum('mempool_stats', answer.mempool_stats),
      }
    },
    async fetchUtxos(address, scriptPubKey) {
      const answer = await getJson(`/address/${encodeURIComponent(address)}/utxo`)
      return readArray('utxos', answer).map((entry, index) =>
        readUtxo(`utxos[${index}]`, entry, scriptPubKey),
      )
    },
    async fetchTransaction(txid) {
      const { status, body } = await ask(`/tx/${txid}/hex`)
      if (status === 404)
        throw new TransactionNotFoundError(`The server has no transaction ${txid}.`)
      const rawTx = parseHex(assertOk(status, body))
      if (!hashesTo(rawTx, txid)) {
        throw new BackendUnavailableError(`The server sent another transaction than ${txid}.`)
      }
      return rawTx
    },
    async fetchTransactionHeight(txid) {
      const { status, body } = await ask(`/tx/${txid}/status`)
      if (status === 404) return undefined
      return readHeight('status', parseJson(assertOk(status, body)))
    },
    async broadcast(rawTx) {
      const txid = txidOf(rawTx)
      const { status, body } = await ask('/tx', {
        method: 'POST',
        body: toHex(rawTx),
        timeoutMs: 30_000,
      })
      if (status === 200 || ALREADY_KNOWN.test(body)) return txid
      if (status === 400) throw new BroadcastRejectedError(readNodeReason(body))
      throw new BackendUnavailableError(`The server answered ${status} to the broadcast.`)
    },
    fetchFeeRates,
  }

  async function ask(path: string, request?: HttpRequest) {
    return requestText(`${baseUrl}${path}`, request)
  }

  async function getText(path: string): Promise<string> {
    const { status, body } = await ask(path)
    return assertOk(status, body)
  }

  async function getJson(path: string): Promise<unknown> {
    return parseJson(await getText(path))
  }

  /** mempool.space's figures where the server has them, else Esplora's estimates by target. */
  async function fetchFeeRates(): Promise<FeeRates> {
    const recommended = await ask('/v1/fees/precise')
    if (recommended.status === 200) {
      const rates = readRecord('fees', parseJson(recommended.body))
      return {
        fastest: readFeeRate('fastestFee', rates.fastestFee),
        halfHour: readFeeRate('halfHourFee', rates.halfHourFee),
        hour: readFeeRate('hourFee', rates.hourFee),
        minimum: readFeeRate('minimumFee', rates.minimumFee),
      }
    }
    const estimates = readRecord('fee-estimates', await getJson('/fee-estimates'))
    const at = (target: number) => readFeeRate(`fee-estimates.${target}`, estimates[target] ?? 1)
    return { fastest: at(1), halfHour: at(3), hour: at(6), minimum: at(1008) }
  }
}

function assertOk(status: number, body: string): string {
  if (status === 200) return body
  throw new BackendUnavailableError(`The server answered ${status}: ${body.slice(0, 200)}`)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new BackendUnavailableError('The server sent something that is not JSON.', { cause })
  }
}

function parseHex(body: string): Uint8Array {
  try {
    return fromHex(body.trim())
  } catch (cause) {
    throw new BackendUnavailableError('The server sent something that is not hex.', { cause })
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

function readUtxo(field: string, value: unknown, scriptPubKey: Uint8Array): Utxo {
  const entry = readRecord(field, value)
  return {
    txid: readTxid(`${field}.txid`, entry.txid),
    vout: readInteger(`${field}.vout`, entry.vout, 0, 0xffff_ffff),
    amount: BigInt(readInteger(`${field}.value`, entry.value, 0, MAX_SATS)),
    scriptPubKey,
    height: readHeight(`${field}.status`, entry.status),
  }
}

function readHeight(field: string, value: unknown): number | null {
  const status = readRecord(field, value)
  if (!readBoolean(`${field}.confirmed`, status.confirmed)) return null
  return readInteger(`${field}.block_height`, status.block_height, 0, MAX_HEIGHT)
}

function readNetSum(field: string, value: unknown): bigint {
  const stats = readRecord(field, value)
  const funded = readInteger(
    `${field}.funded_txo_sum`,
    stats.funded_txo_sum,
    0,
    Number.MAX_SAFE_INTEGER,
  )
  const spent = readInteger(
    `${field}.spent_txo_sum`,
    stats.spent_txo_sum,
    0,
    Number.MAX_SAFE_INTEGER,
  )
  return BigInt(funded) - BigInt(spent)
}

/** sat/vB, cut to three decimals, never below a tenth of a sat. */
function readFeeRate(field: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0) || value > 10_000) {
    throw new BackendUnavailableError(`The server's ${field} is not a fee rate.`)
  }
  return Math.max(0.1, Math.ceil(value * 1000) / 1000)
}

/** The node's own words inside `sendrawtransaction RPC error: {"code":…,"message":"…"}`. */
function readNodeReason(body: string): string {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
  return (message ?? body).slice(0, 300)
}

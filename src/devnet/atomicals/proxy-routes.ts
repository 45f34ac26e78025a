import { Psbt, type Transaction } from 'bitcoinjs-lib'
import { parseAtomicalId } from '../../ordinals/atomical-id.ts'
import { fromHex, toHex } from '../chain/hex.ts'
import { decodeTransaction, spentOutpoint } from '../chain/transaction-record.ts'
import type { LocalNetwork } from '../mempool/local-network.ts'
import { RejectedError } from '../mempool/rejection.ts'
import { type ExactJson, writeExact } from '../server/exact-json.ts'
import type { Answer, Call, Route } from '../server/http.ts'
import {
  describeAtomical,
  describeBriefly,
  describeLocations,
  describeState,
  describeSupply,
  doubleHash,
  type JsonFields,
} from './atomical-json.ts'
import type { AtomicalsFollower } from './atomicals-follower.ts'
import type { Atomical, AtomicalsIndex } from './atomicals-index.ts'
import { describeBlueprint } from './blueprint-json.ts'
import {
  describeCoin,
  listNftBalances,
  listScripthash,
  listTokenBalances,
} from './scripthash-json.ts'
import { describeGlobal } from './server-json.ts'

const BAD_REQUEST = 1
const INVALID_ATOMICALS = 800422
const UNKNOWN_METHOD = -32601
const MOST_HASHES = 100

/** What the server answers with a status of 500; the text is a pair of code and message, as Python writes it. */
class ProxyError extends Error {
  constructor(code: number, message: string) {
    super(`(${code}, ${JSON.stringify(message)})`)
    this.name = 'ProxyError'
  }
}

type Method = (params: readonly unknown[], index: AtomicalsIndex, call: Call) => Answered
type Answered = ExactJson | Promise<ExactJson>

/** atomicals-electrumx' HTTP proxy, relative to its address; confirmed Atomicals alone, as there. */
export function proxyRoutes(network: LocalNetwork, follower: AtomicalsFollower): Route[] {
  const methods = new Map<string, Method>([
    ['health', () => ({ success: true, health: true })],
    [
      'blockchain.atomicals.listscripthash',
      ([scripthash, verbose], index) => ({
        global: describeGlobal(index),
        ...listScripthash(index, readScripthash(scripthash), verbose === true),
      }),
    ],
    [
      'blockchain.scripthash.listunspent',
      ([scripthash], index) => listUnspent(network, index, readScripthash(scripthash)),
    ],
    ['blockchain.atomicals.get', describing(describeAtomical)],
    [
      'blockchain.atomicals.get_location',
      describing((index, atomical) => ({
        ...describeAtomical(index, atomical),
        ...describeLocations(index, atomical.id),
      })),
    ],
    [
      'blockchain.atomicals.get_state',
      describing((index, atomical) => ({
        ...describeAtomical(index, atomical),
        ...describeState(atomical),
        ...describeLocations(index, atomical.id),
      })),
    ],
    [
      'blockchain.atomicals.get_ft_info',
      describing((index, atomical) => {
        if (atomical.type !== 'ft') {
          throw new ProxyError(BAD_REQUEST, `"${atomical.id}" is not a fungible token (FT)`)
        }
        return { ...describeAtomical(index, atomical), ...describeSupply(index, atomical) }
      }),
    ],
    ['blockchain.atomicals.at_location', ([location], index) => describeAt(index, location)],
    [
      'blockchain.atomicals.get_ft_balances_scripthash',
      ([scripthash], index) => listTokenBalances(index, readScripthash(scripthash)),
    ],
    [
      'blockchain.atomicals.get_nft_balances_scripthash',
      ([scripthash], index) => listNftBalances(index, readScripthash(scripthash)),
    ],
    [
      'blockchain.atomicals.get_global',
      ([hashes = 10], index) => ({
        global: describeGlobal(index, Math.min(Number(hashes), MOST_HASHES)),
      }),
    ],
    [
      'blockchain.atomicals.validate',
      ([hex], index) => {
        const tx = readTransaction(hex)
        refuseBurns(index, tx, hex)
        return tx.getId()
      },
    ],
    [
      'blockchain.atomicals.validate_tx_blueprint',
      ([hex], index) => ({
        result: foresee(index, readTransaction(hex)),
      }),
    ],
    [
      'blockchain.atomicals.validate_psbt_blueprint',
      ([hex], index) => ({
        result: foresee(index, readUnsigned(hex)),
      }),
    ],
    [
      'blockchain.transaction.broadcast',
      ([hex], index) => {
        refuseBurns(index, readTransaction(hex), hex)
        return broadcast(network, hex)
      },
    ],
    ['blockchain.transaction.broadcast_force', ([hex]) => broadcast(network, hex)],
  ])

  async function answer(call: Call): Promise<Answer> {
    try {
      const name = call.params.method ?? ''
      const method = methods.get(name)
      if (!method) throw new ProxyError(UNKNOWN_METHOD, `unknown method "${name}"`)
      const params = readParams(call)
      const result = await follower.readAt(call.staleBlocks, index => method(params, index, call))
      return write({ success: true, response: result })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return write({ success: false, code: 1, message }, 500)
    }
  }

  return (['GET', 'POST'] as const).flatMap(method => [
    { method, path: '/proxy', handle: () => write({ success: true, response: WELCOME }) },
    { method, path: '/proxy/:method', handle: answer },
  ])
}

const WELCOME = {
  success: true,
  info: {
    note: 'Atomicals on devnet',
    usageInfo: {
      POST: 'POST /proxy/:method with a list in the field "params" of the body',
      GET: 'GET /proxy/:method?params=["value1"]',
    },
    healthCheck: 'GET /proxy/health',
  },
}

function write(value: ExactJson, status = 200): Answer {
  return { status, type: 'application/json', body: writeExact(value) }
}

function readParams({ query, body }: Call): unknown[] {
  const text = body.toString('utf8')
  const params: unknown =
    text === '' ? JSON.parse(query.get('params') ?? '[]') : (JSON.parse(text)?.params ?? [])
  if (!Array.isArray(params)) throw new ProxyError(BAD_REQUEST, 'params must be a list')
  return params
}

function describing(describe: (index: AtomicalsIndex, atomical: Atomical) => JsonFields): Method {
  return ([key], index) => {
    const atomical = index.atomical(typeof key === 'number' ? key : String(key))
    if (!atomical) {
      const isId = typeof key === 'string' && parseAtomicalId(key) !== null
      const message = isId ? `"${key}" is not found` : `not found atomical: ${key}`
      throw new ProxyError(BAD_REQUEST, message)
    }
    return { global: describeGlobal(index), result: describe(index, atomical) }
  }
}

function describeAt(index: AtomicalsIndex, location: unknown): JsonFields {
  const parts = parseAtomicalId(String(location))
  if (!parts) throw new ProxyError(BAD_REQUEST, `${location} is not a location`)
  const outpoint = `${parts.txid}:${parts.vout}`
  const coin = index.coin(outpoint)
  const holdings = index.holdings(outpoint)
  const script = Uint8Array.from(coin?.script ?? [])
  return {
    location_info:
      coin && holdings.length > 0
        ? {
            location: String(location),
            txid: coin.txid,
            index: coin.vout,
            scripthash: doubleHash(script),
            script: toHex(script),
            value: coin.value,
          }
        : {},
    atomicals: holdings.flatMap(({ id, amount }) => {
      const atomical = index.atomical(id)
      return atomical ? [{ ...describeBriefly(atomical), value: amount }] : []
    }),
  }
}

/** Confirmed coins that nothing in the pool spends, and those of the pool, of whose Atomicals nothing is known. */
function listUnspent(network: LocalNetwork, index: AtomicalsIndex, scripthash: string): ExactJson {
  const pool = network.pool()
  const confirmed = index
    .coinsOf(scripthash)
    .filter(({ txid, vout }) => !pool.spender(`${txid}:${vout}`))
    .map(coin => ({ ...describeCoin(index, coin), tx_hash: coin.txid, tx_pos: coin.vout }))
  const key = Buffer.from(scripthash, 'hex').reverse().toString('hex')
  const unconfirmed = pool.coins(key).map(({ txid, vout, value }) => ({
    txid,
    tx_hash: txid,
    index: vout,
    tx_pos: vout,
    vout,
    height: (pool.get(txid)?.parents.size ?? 0) > 0 ? -1 : 0,
    value,
    atomicals: {},
  }))
  return [...confirmed, ...unconfirmed]
}

function foresee(index: AtomicalsIndex, tx: Transaction): JsonFields {
  const inputs = tx.ins.map(input => {
    const outpoint = spentOutpoint(input)
    return { outpoint, value: index.coin(outpoint)?.value ?? 0n }
  })
  return describeBlueprint(index, index.foresee(tx), {
    txid: tx.getId(),
    inputs,
    outputs: tx.outs,
  })
}

/** Of tokens alone: an NFT is never said to be lost here. */
function refuseBurns(index: AtomicalsIndex, tx: Transaction, hex: unknown): void {
  const burned = index.foresee(tx).colouring.burned.filter(({ type }) => type === 'ft')
  if (burned.length === 0) return
  const list = burned.map(({ id, amount }) => `${amount} of ${id}`).join(', ')
  const message = `the transaction was rejected by atomicals rules.\n\nIt would burn ${list}\n[${hex}]`
  throw new ProxyError(INVALID_ATOMICALS, message)
}

async function broadcast(network: LocalNetwork, hex: unknown): Promise<string> {
  try {
    const { txid } = await network.submit(String(hex))
    return txid
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error
    const message = `the transaction was rejected by network rules.\n\n${error.message}\n[${hex}]`
    throw new ProxyError(BAD_REQUEST, message)
  }
}

function readTransaction(hex: unknown): Transaction {
  const tx = decodeTransaction(String(hex))
  if (!tx) throw new ProxyError(BAD_REQUEST, 'the transaction cannot be decoded')
  return tx
}

/** The transaction that a PSBT in hex is about, without its signatures. */
function readUnsigned(hex: unknown): Transaction {
  const bytes = fromHex(String(hex))
  if (!bytes) throw new ProxyError(BAD_REQUEST, 'the PSBT is not hex')
  const psbt = Psbt.fromBuffer(Buffer.from(bytes))
  return readTransaction(toHex(psbt.data.getTransaction()))
}

function readScripthash(value: unknown): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)) return value.toLowerCase()
  throw new ProxyError(BAD_REQUEST, `${value} is not a valid script hash`)
}

import { MAX_SATS } from '../../bitcoin/amount.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { type AtomicalId, parseAtomicalId } from '../../ordinals/atomical-id.ts'
import {
  MalformedAnswerError,
  malformed,
  readArray,
  readBigint,
  readHeight,
  readIfAny,
  readInteger,
  readRecord,
  readSats,
  readText,
  readTxid,
} from '../access/json-reader.ts'
import type { AtomicalFacts, AtomicalsBlueprint } from '../atomicals-source.ts'

/**
 * The JSON of atomicals-electrumx (electrumx/server/session/shared_session.py, block_processor.py) as the wallet's own
 * types; fields that are not used may be anything.
 */

/** What an index says of itself; its names of networks are ours, and `testnet` for testnet3. */
export type AtomicalsGlobal = { network: string; height: number }

/** An unspent output with what is said to be on it: units, null where they cannot be read, of what may be a token. */
export type ListedCoin = {
  height: number
  value: bigint
  units: ReadonlyMap<AtomicalId, bigint | null>
}

export type AtomicalSummary = Pick<AtomicalFacts, 'type' | 'name'> & { number: number | null }

/** Of the coins that were asked for those that are listed, and of what is on them all that is told. */
export type Listing = {
  height: number
  coins: ReadonlyMap<string, ListedCoin>
  summaries: ReadonlyMap<AtomicalId, AtomicalSummary>
}

/** Numbers are counted in blocks' order: there are fewer than sats. */
const MAX_NUMBER = Number(MAX_SATS)
const U32 = 2 ** 32 - 1
/** What realms, containers, items and tickers are made of, with the points between the levels of a realm. */
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,254}[a-z0-9])?$/

export function readGlobal(value: unknown): AtomicalsGlobal {
  const global = readRecord('global', value)
  return {
    network: readText('global.network', global.network, 100),
    height: readHeight('global.height', global.height),
  }
}

/** Those coins of a list that are wanted. One that cannot be read is left out. */
export function readCoins(
  list: unknown,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, ListedCoin> {
  const found = new Set<string>()
  const coins = new Map<string, ListedCoin>()
  for (const one of readArray('utxos', list)) {
    const entry = readRecord('utxos', one)
    const txid = readTxid('txid', entry.txid)
    const outpoint = formatOutpoint({ txid, vout: readInteger('index', entry.index, 0, U32) })
    if (!wanted.has(outpoint)) continue
    if (found.has(outpoint)) throw malformed('utxos', 'a list without repetitions')
    found.add(outpoint)
    const coin = unlessMalformed(() => readCoin(entry))
    if (coin) coins.set(outpoint, coin)
  }
  return coins
}

function readCoin(entry: { [field: string]: unknown }): ListedCoin {
  const units = Object.entries(readRecord('atomicals', entry.atomicals)).map(
    ([id, told]) => [readId('atomicals', id), readUnits(told)] as const,
  )
  return {
    height: readInteger('height', entry.height, -1, 100_000_000),
    value: readSats('value', entry.value),
    units: new Map(units),
  }
}

/** A number, or an object that holds it. */
function readUnits(told: unknown): bigint | null {
  return unlessMalformed(() => {
    if (typeof told !== 'object' || told === null) return readBigint('units', told, 0n, MAX_SATS)
    const { atomical_value, value } = readRecord('units', told)
    return readBigint('units', atomical_value ?? value, 0n, MAX_SATS)
  })
}

/** What a list says of these ids. One that cannot be read is left out. */
export function readSummaries(
  value: unknown,
  ids: Iterable<AtomicalId>,
): ReadonlyMap<AtomicalId, AtomicalSummary> {
  const told = readRecord('atomicals', value)
  return new Map(
    [...ids].flatMap(id => {
      const summary = unlessMalformed(() => readSummary(told[id], id))
      return summary ? [[id, summary] as const] : []
    }),
  )
}

function readSummary(value: unknown, id: AtomicalId): AtomicalSummary {
  const one = readRecord('atomicals', value)
  assertId(one.atomical_id, id)
  return {
    type: readType(one.type),
    number: readIfAny(one.atomical_number, number => readNumber(number)),
    name: readName(readRecord('data', one.data ?? {})),
  }
}

/** Null for one that no block holds. */
export function readFacts(value: unknown, id: AtomicalId): AtomicalFacts | null {
  const facts = readRecord('result', value)
  assertId(facts.atomical_id, id)
  if (facts.confirmed === false) return null
  const mint = readRecord('mint_info', facts.mint_info)
  return {
    id,
    number: readNumber(facts.atomical_number),
    type: readType(facts.type),
    subtype: readIfAny(facts.subtype, subtype => readText('subtype', subtype, 100)),
    name: readName(facts),
    reveal: {
      txid: readTxid('reveal_location_txid', mint.reveal_location_txid),
      height: readHeight('reveal_location_height', mint.reveal_location_height),
    },
  }
}

/** The name that an Atomical has: not one that it asks for; null for what no rule makes a name. */
function readName(data: { [field: string]: unknown }): string | null {
  const { $ticker, $realm, $subrealm, $full_realm_name, $container, $dmitem } = data
  const realm = $realm || $subrealm ? $full_realm_name : null
  const name = [$ticker, realm, $container, $dmitem].find(one => one !== undefined && one !== null)
  return typeof name === 'string' && NAME.test(name) ? name : null
}

/** Where a transaction with these outputs would bring what it spends. */
export function readBlueprint(
  value: unknown,
  { txid, outputs }: { txid: string; outputs: readonly { amount: bigint }[] },
): AtomicalsBlueprint {
  const { tx_id, ft_output_blueprint, nft_output_blueprint } = readRecord('result', value)
  if (tx_id !== txid) throw malformed('tx_id', 'the transaction that was asked for')
  const tokens = readRecord('ft_output_blueprint', ft_output_blueprint)
  const nfts = readRecord('nft_output_blueprint', nft_output_blueprint)
  const lostTokens = Object.entries(readRecord('fts_burned', tokens.fts_burned))
  const lostNfts = Object.keys(readRecord('nfts_burned', nfts.nfts_burned ?? {}))
  return {
    outputs: [
      ...readOutputs(tokens.outputs).flatMap(({ output, id, told }) => {
        const most = outputs[output]?.amount ?? 0n
        const amount = readBigint('atomical_value', told.atomical_value, 0n, most)
        // An output without sats is coloured with nothing.
        return amount > 0n ? [{ output, id, type: 'ft' as const, amount }] : []
      }),
      ...readOutputs(nfts.outputs).map(({ output, id }) => {
        if (output >= outputs.length) throw malformed('outputs', 'of the transaction')
        return { output, id, type: 'nft' as const, amount: 1n }
      }),
    ].sort((a, b) => a.output - b.output),
    burned: [
      ...lostTokens.map(([id, amount]) => ({
        id: readId('fts_burned', id),
        amount: readBigint('fts_burned', amount, 1n, MAX_SATS),
      })),
      ...lostNfts.map(id => ({ id: readId('nfts_burned', id), amount: 1n })),
    ],
  }
}

function readOutputs(
  value: unknown,
): { output: number; id: AtomicalId; told: { [field: string]: unknown } }[] {
  return Object.entries(readRecord('outputs', value)).flatMap(([index, one]) => {
    if (!/^(?:0|[1-9]\d{0,5})$/.test(index)) throw malformed('outputs', 'by their index')
    const { atomicals } = readRecord('outputs', one)
    return Object.entries(readRecord('atomicals', atomicals)).map(([id, told]) => ({
      output: Number(index),
      id: readId('atomicals', id),
      told: readRecord('atomicals', told),
    }))
  })
}

function readType(value: unknown): 'nft' | 'ft' {
  if (value === 'NFT') return 'nft'
  if (value === 'FT') return 'ft'
  throw malformed('type', 'NFT or FT')
}

function readNumber(value: unknown): number {
  return readInteger('atomical_number', value, 0, MAX_NUMBER)
}

function readId(field: string, value: unknown): AtomicalId {
  if (typeof value === 'string' && parseAtomicalId(value)) return value
  throw malformed(field, 'the id of an Atomical')
}

function assertId(value: unknown, id: AtomicalId): void {
  if (value !== id) throw malformed('atomical_id', 'the one that was asked for')
}

function unlessMalformed<T>(read: () => T): T | null {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof MalformedAnswerError) return null
    throw cause
  }
}

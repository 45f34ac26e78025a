import { MAX_SATS } from '../../bitcoin/amount.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { type AtomicalId, parseAtomicalId } from '../../ordinals/atomical-id.ts'
import {
  MalformedAnswerError,
  malformed,
  parseArray,
  parseBigint,
  parseHeight,
  parseInteger,
  parseNullable,
  parseRecord,
  parseSats,
  parseText,
  parseTxid,
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

/** The coins that were asked for, as far as the server lists them, and what it says of the Atomicals on them. */
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

export function parseGlobal(value: unknown): AtomicalsGlobal {
  const global = parseRecord('global', value)
  return {
    network: parseText('global.network', global.network, 100),
    height: parseHeight('global.height', global.height),
  }
}

/** Those coins of a list that are wanted. One that cannot be read is left out. */
export function parseCoins(
  list: unknown,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, ListedCoin> {
  const found = new Set<string>()
  const coins = new Map<string, ListedCoin>()
  for (const one of parseArray('utxos', list)) {
    const entry = parseRecord('utxos', one)
    const txid = parseTxid('txid', entry.txid)
    const outpoint = formatOutpoint({ txid, vout: parseInteger('index', entry.index, 0, U32) })
    if (!wanted.has(outpoint)) continue
    if (found.has(outpoint)) throw malformed('utxos', 'a list without repetitions')
    found.add(outpoint)
    const coin = unlessMalformed(() => readCoin(entry))
    if (coin) coins.set(outpoint, coin)
  }
  return coins
}

function readCoin(entry: { [field: string]: unknown }): ListedCoin {
  const units = Object.entries(parseRecord('atomicals', entry.atomicals)).map(
    ([id, answer]) => [readId('atomicals', id), readUnits(answer)] as const,
  )
  return {
    height: parseInteger('height', entry.height, -1, 100_000_000),
    value: parseSats('value', entry.value),
    units: new Map(units),
  }
}

/** A number, or an object that holds it. */
function readUnits(answer: unknown): bigint | null {
  return unlessMalformed(() => {
    if (typeof answer !== 'object' || answer === null)
      return parseBigint('units', answer, 0n, MAX_SATS)
    const { atomical_value, value } = parseRecord('units', answer)
    return parseBigint('units', atomical_value ?? value, 0n, MAX_SATS)
  })
}

/** What a list says of these ids. One that cannot be read is left out. */
export function parseSummaries(
  value: unknown,
  ids: Iterable<AtomicalId>,
): ReadonlyMap<AtomicalId, AtomicalSummary> {
  const answer = parseRecord('atomicals', value)
  return new Map(
    [...ids].flatMap(id => {
      const summary = unlessMalformed(() => readSummary(answer[id], id))
      return summary ? [[id, summary] as const] : []
    }),
  )
}

function readSummary(value: unknown, id: AtomicalId): AtomicalSummary {
  const one = parseRecord('atomicals', value)
  assertId(one.atomical_id, id)
  return {
    type: readType(one.type),
    number: parseNullable(one.atomical_number, number => readNumber(number)),
    name: readName(parseRecord('data', one.data ?? {})),
  }
}

/** Null for one that no block holds. */
export function parseFacts(value: unknown, id: AtomicalId): AtomicalFacts | null {
  const facts = parseRecord('result', value)
  assertId(facts.atomical_id, id)
  if (facts.confirmed === false) return null
  const mint = parseRecord('mint_info', facts.mint_info)
  return {
    id,
    number: readNumber(facts.atomical_number),
    type: readType(facts.type),
    subtype: parseNullable(facts.subtype, subtype => parseText('subtype', subtype, 100)),
    name: readName(facts),
    reveal: {
      txid: parseTxid('reveal_location_txid', mint.reveal_location_txid),
      height: parseHeight('reveal_location_height', mint.reveal_location_height),
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
export function parseBlueprint(
  value: unknown,
  { txid, outputs }: { txid: string; outputs: readonly { amount: bigint }[] },
): AtomicalsBlueprint {
  const { tx_id, ft_output_blueprint, nft_output_blueprint } = parseRecord('result', value)
  if (tx_id !== txid) throw malformed('tx_id', 'the transaction that was asked for')
  const tokens = parseRecord('ft_output_blueprint', ft_output_blueprint)
  const nfts = parseRecord('nft_output_blueprint', nft_output_blueprint)
  const lostTokens = Object.entries(parseRecord('fts_burned', tokens.fts_burned))
  const lostNfts = Object.keys(parseRecord('nfts_burned', nfts.nfts_burned ?? {}))
  return {
    outputs: [
      ...readOutputs(tokens.outputs).flatMap(({ output, id, answer }) => {
        const most = outputs[output]?.amount ?? 0n
        const amount = parseBigint('atomical_value', answer.atomical_value, 0n, most)
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
        amount: parseBigint('fts_burned', amount, 1n, MAX_SATS),
      })),
      ...lostNfts.map(id => ({ id: readId('nfts_burned', id), amount: 1n })),
    ],
  }
}

function readOutputs(
  value: unknown,
): { output: number; id: AtomicalId; answer: { [field: string]: unknown } }[] {
  return Object.entries(parseRecord('outputs', value)).flatMap(([index, one]) => {
    if (!/^(?:0|[1-9]\d{0,5})$/.test(index)) throw malformed('outputs', 'by their index')
    const { atomicals } = parseRecord('outputs', one)
    return Object.entries(parseRecord('atomicals', atomicals)).map(([id, answer]) => ({
      output: Number(index),
      id: readId('atomicals', id),
      answer: parseRecord('atomicals', answer),
    }))
  })
}

function readType(value: unknown): 'nft' | 'ft' {
  if (value === 'NFT') return 'nft'
  if (value === 'FT') return 'ft'
  throw malformed('type', 'NFT or FT')
}

function readNumber(value: unknown): number {
  return parseInteger('atomical_number', value, 0, MAX_NUMBER)
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

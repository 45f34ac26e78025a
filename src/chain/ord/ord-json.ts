import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import type { Asset, RuneAsset } from '../../ordinals/asset.ts'
import type { SatPoint } from '../../ordinals/flow/sat-flow.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import {
  findRareSats,
  type RareSat,
  SAT_SUPPLY,
  type SatRange,
} from '../../ordinals/sats/rare-sats.ts'
import {
  malformed,
  parseArray,
  parseBigint,
  parseBoolean,
  parseHeight,
  parseInteger,
  parseNullable,
  parseRecord,
  parseSats,
  parseText,
  parseTime,
} from '../access/json-reader.ts'
import type { InscriptionFacts } from '../asset-source.ts'

/** The JSON of ord 0.23 and later (src/api.rs) as the wallet's own types; fields that are not used may be anything. */

/** What an index says of itself; `height` is null before its first block. */
export type OrdStatus = {
  chain: string
  height: number | null
  hasInscriptions: boolean
  hasRunes: boolean
  isOnLostBranch: boolean
}

/** What an index says of an output; `assets` is null where it does not keep all that could sit there. */
export type OutputFacts = {
  indexed: boolean
  spent: boolean
  value: bigint
  assets: readonly Asset[] | null
  /** Null where it does not keep the sats of outputs. */
  rareSats: readonly RareSat[] | null
}

/** Rare sats of an output that are told of: of whole blocks there can be one in each 50 BTC, later in less. */
const MOST_RARE_SATS = 50

const U128 = 2n ** 128n - 1n
const MAX_DIVISIBILITY = 38
/** The largest name of 128 bits has 28 letters. */
const RUNE_NAME = /^[A-Z](?:•?[A-Z]){0,27}$/
const I32 = 2 ** 31
/** A field of an envelope is one push. */
const MAX_FIELD = 520

/** `isOnLostBranch` is what ord calls unrecoverably reorged: nothing that it tells can be relied on. */
export function parseStatus(value: unknown): OrdStatus {
  const status = parseRecord('status', value)
  return {
    chain: parseText('status.chain', status.chain, 100),
    height: parseNullable(status.height, height => parseHeight('status.height', height)),
    hasInscriptions: parseBoolean('status.inscription_index', status.inscription_index),
    hasRunes: parseBoolean('status.rune_index', status.rune_index),
    isOnLostBranch: parseBoolean('status.unrecoverably_reorged', status.unrecoverably_reorged),
  }
}

/** Inscriptions come without offsets, runes without ids. `assets` is null where ord names none and has not both indexes. */
export function parseOutput(value: unknown): OutputFacts {
  const output = parseRecord('output', value)
  const inscriptions = parseNullable(output.inscriptions, readInscriptionAssets)
  const runes = parseNullable(output.runes, readRuneAssets)
  const named = [...(inscriptions ?? []), ...(runes ?? [])]
  return {
    indexed: parseBoolean('output.indexed', output.indexed),
    spent: parseBoolean('output.spent', output.spent),
    value: parseSats('output.value', output.value),
    rareSats: parseNullable(output.sat_ranges, ranges =>
      findRareSats(readSatRanges(ranges), MOST_RARE_SATS),
    ),
    // What it names is there, whatever else it does not know of.
    assets: named.length > 0 || (inscriptions && runes) ? named : null,
  }
}

/** Ranges of more or fewer sats than the output has are taken too: what they name is held back at most. */
function readSatRanges(value: unknown): SatRange[] {
  return parseArray('output.sat_ranges', value).map(range => {
    const [first, last, ...more] = parseArray('output.sat_ranges', range)
    if (more.length > 0) throw malformed('output.sat_ranges', 'pairs of numbers')
    const start = parseBigint('output.sat_ranges', first, 0n, SAT_SUPPLY - 1n)
    return { start, end: parseBigint('output.sat_ranges', last, start + 1n, SAT_SUPPLY) }
  })
}

function readInscriptionAssets(value: unknown): Asset[] {
  const ids = parseArray('output.inscriptions', value).map((id, index) =>
    readInscriptionId(`output.inscriptions[${index}]`, id),
  )
  if (new Set(ids).size < ids.length) {
    throw malformed('output.inscriptions', 'a list without repetitions')
  }
  return ids.map(id => ({ kind: 'inscription', id, offset: null }))
}

function readRuneAssets(value: unknown): RuneAsset[] {
  return Object.entries(parseRecord('output.runes', value)).map(([name, pile]) => {
    const { amount, divisibility, symbol } = parseRecord('output.runes', pile)
    if (!RUNE_NAME.test(name)) throw malformed('output.runes', 'named as runes are')
    return {
      kind: 'rune',
      name,
      rune: null,
      amount: parseBigint('amount', amount, 1n, U128),
      divisibility: parseInteger('divisibility', divisibility, 0, MAX_DIVISIBILITY),
      symbol: parseNullable(symbol, readSymbol),
    }
  })
}

export function readSymbol(value: unknown): string {
  const symbol = parseText('symbol', value, 2)
  if ([...symbol].length !== 1) throw malformed('symbol', 'one character')
  return symbol
}

/** What ord tells of an inscription, sizes in bytes and times in milliseconds. */
export function parseInscriptionFacts(value: unknown): InscriptionFacts {
  const facts = parseRecord('inscription', value)
  const texts = (field: string) =>
    parseArray(field, facts[field]).map(text => parseText(field, text, MAX_FIELD))
  return {
    id: readInscriptionId('id', facts.id),
    number: parseInteger('number', facts.number, -I32, I32 - 1),
    address: parseNullable(facts.address, address => parseText('address', address, 100)),
    value: parseNullable(facts.value, sats => parseSats('value', sats)),
    contentType: parseNullable(facts.content_type, type =>
      parseText('content_type', type, MAX_FIELD),
    ),
    contentLength: parseNullable(facts.content_length, length =>
      parseInteger('content_length', length, 0, 4_000_000),
    ),
    satpoint: readSatPoint('satpoint', facts.satpoint),
    height: parseHeight('height', facts.height),
    at: parseTime('timestamp', facts.timestamp),
    parents: parseArray('parents', facts.parents).map(id => readInscriptionId('parents', id)),
    charms: texts('charms'),
    metaprotocol: parseNullable(facts.metaprotocol, text =>
      parseText('metaprotocol', text, MAX_FIELD),
    ),
  }
}

function readInscriptionId(field: string, value: unknown): InscriptionId {
  if (typeof value === 'string' && parseInscriptionId(value)) return value
  throw malformed(field, 'the id of an inscription')
}

/** `txid:vout:offset`. */
function readSatPoint(field: string, value: unknown): SatPoint {
  const [, outpoint, offset] = /^(.{66,75}):(\d{1,16})$/.exec(parseText(field, value, 100)) ?? []
  try {
    if (outpoint !== undefined && offset !== undefined) {
      parseOutpoint(outpoint)
      return { outpoint, offset: BigInt(offset) }
    }
  } catch {
    // Said below, as for everything else that is no satpoint.
  }
  throw malformed(field, 'a satpoint')
}

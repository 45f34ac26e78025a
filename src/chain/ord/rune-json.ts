import type { RuneId } from '../../ordinals/rune-id.ts'
import { parseRuneName } from '../../ordinals/runes/rune-name.ts'
import type { MintTerms } from '../../ordinals/runes/runestone.ts'
import {
  malformed,
  parseArray,
  parseBigint,
  parseBoolean,
  parseHeight,
  parseInteger,
  parseNullable,
  parseRecord,
  parseText,
  parseTime,
  parseTxid,
} from '../access/json-reader.ts'
import type { RuneFacts } from '../asset-source.ts'
import { readSymbol } from './ord-json.ts'

const U32 = 2n ** 32n - 1n
const U64 = 2n ** 64n - 1n
const U128 = 2n ** 128n - 1n
const MAX_DIVISIBILITY = 38
/** 28 letters and the spacers between them. */
const LONGEST_NAME = 55

/** What ord tells of the rune that was asked for by its name, with or without its spacers, or by its id. */
export function parseRune(value: unknown, asked: string): RuneFacts {
  const { id: toldId, entry: told, mintable } = parseRecord('rune', value)
  const id = readRuneId('id', toldId)
  const entry = parseRecord('entry', told)
  const spaced = parseText('entry.spaced_rune', entry.spaced_rune, LONGEST_NAME)
  const name = parseRuneName(spaced)
  if (name === null || (id !== asked && name.rune !== parseRuneName(asked)?.rune))
    throw malformed('entry.spaced_rune', 'the rune that was asked for')
  const amount = (field: string) => parseBigint(`entry.${field}`, entry[field], 0n, U128)
  return {
    id,
    name: spaced,
    number: parseInteger('entry.number', entry.number, 0, Number(U32)),
    divisibility: parseInteger('entry.divisibility', entry.divisibility, 0, MAX_DIVISIBILITY),
    symbol: parseNullable(entry.symbol, readSymbol),
    premine: amount('premine'),
    mints: amount('mints'),
    burned: amount('burned'),
    terms: parseNullable(entry.terms, readTerms),
    turbo: parseBoolean('entry.turbo', entry.turbo),
    etching: parseTxid('entry.etching', entry.etching),
    height: parseHeight('entry.block', entry.block),
    at: parseTime('entry.timestamp', entry.timestamp),
    isMintable: parseBoolean('mintable', mintable),
  }
}

function readRuneId(field: string, value: unknown): RuneId {
  const [, block, tx] = /^(\d{1,20}):(\d{1,10})$/.exec(parseText(field, value, 31)) ?? []
  if (block === undefined || tx === undefined) throw malformed(field, 'the id of a rune')
  return `${parseBigint(field, block, 0n, U64)}:${parseBigint(field, tx, 0n, U32)}`
}

function readTerms(value: unknown): MintTerms {
  const { amount, cap, height, offset } = parseRecord('terms', value)
  return {
    amount: parseNullable(amount, told => parseBigint('terms.amount', told, 0n, U128)),
    cap: parseNullable(cap, told => parseBigint('terms.cap', told, 0n, U128)),
    height: readRange('terms.height', height),
    offset: readRange('terms.offset', offset),
  }
}

/** A pair of a first height and the one after the last, null where there is none. */
function readRange(field: string, value: unknown): MintTerms['height'] {
  const pair = parseArray(field, value)
  if (pair.length !== 2) throw malformed(field, 'a pair')
  const [start, end] = pair.map(told =>
    parseNullable(told, height => parseBigint(field, height, 0n, U64)),
  )
  return { start: start ?? null, end: end ?? null }
}

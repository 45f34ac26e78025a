// brc20: parses and writes BRC-20 operations and their decimal amounts. It says whether a text is an operation and
// what it asks for; whether the operation takes effect depends on balances and is decided by who keeps them.

import { toUtf8 } from '../../bitcoin/bytes.ts'
import { BRC20_DECIMALS, InvalidBrc20Error, parseBrc20Field } from './brc20-amount.ts'

/** What a BRC-20 inscription asks for; amounts as decimal text, as they are inscribed. */
export type Brc20Operation =
  | {
      op: 'deploy'
      tick: string
      /** Of a self-mint token `0` is as much as there can be. */
      max: string
      /** Null: as much as `max`. */
      lim: string | null
      /** Digits after the point; null for 18. */
      dec: string | null
      /** Only holders of the deploy inscription mint: all tickers of five bytes, and those of six that say so. */
      selfMint: boolean
      /** Of a ticker of six bytes, in hex: it counts as the child of a predeploy of the ticker and this. */
      salt?: string
    }
  | { op: 'mint'; tick: string; amt: string }
  | { op: 'transfer'; tick: string; amt: string }

/** Bytes of the longest text that is parsed; wallets write operations of a few hundred at most. */
export const MAX_BRC20_LENGTH = 1_000

/** The content type that wallets inscribe operations with. */
export const BRC20_CONTENT_TYPE = 'text/plain;charset=utf-8'

/** The JSON of an operation as wallets write it. Nothing is checked: {@link parseBrc20Operation} does. */
export function encodeBrc20(operation: Brc20Operation): string {
  const { op, tick } = operation
  const head = { p: 'brc-20', op, tick }
  if (operation.op !== 'deploy') return JSON.stringify({ ...head, amt: operation.amt })
  const { max, lim, dec, selfMint, salt } = operation
  return JSON.stringify({
    ...head,
    max,
    ...(lim === null ? {} : { lim }),
    ...(dec === null ? {} : { dec }),
    ...(selfMint ? { self_mint: 'true' } : {}),
    ...(salt === undefined ? {} : { salt }),
  })
}

/**
 * Reads an operation as strictly as the strictest indexer: throws {@link InvalidBrc20Error} for all that one of them would
 * pass over by its text alone. Rules: the Layer 1 Foundation's, OPI and libbrc20-indexer. Around the JSON its own white space
 * counts as nothing: U+0020, U+0009, U+000A and U+000D. OPI's serde_json reads over these alone. libbrc20-indexer
 * (`isJson`) takes more off to look for the braces, and parses the whole by encoding/json, which knows these alone.
 */
export function parseBrc20Operation(
  contentType: string | null,
  body: Uint8Array | string,
): Brc20Operation {
  assertContentType(contentType)
  const fields = readFields(typeof body === 'string' ? body : decodeText(body))
  if (fields.p !== 'brc-20') throw new InvalidBrc20Error('protocol', 'p', '"brc-20"')
  const { op } = fields
  if (op !== 'deploy' && op !== 'mint' && op !== 'transfer') {
    throw new InvalidBrc20Error('operation', 'op', '"deploy", "mint" or "transfer"')
  }
  const tick = readText(fields, 'tick')
  assertTicker(tick)
  if (op === 'deploy') return readDeploy(fields, tick)
  const amt = readText(fields, 'amt')
  parseBrc20Field('amt', amt, BRC20_DECIMALS)
  return { op, tick, amt }
}

/** Whether a text is what a deploy of a ticker of six bytes has to be a child of: the hash of the ticker, a salt and an owner. */
export function isBrc20Predeploy(contentType: string | null, body: Uint8Array): boolean {
  try {
    assertContentType(contentType)
    const { p, op, hash } = readFields(decodeText(body))
    return p === 'brc-20' && op === 'predeploy' && typeof hash === 'string' && HASH.test(hash)
  } catch (error) {
    if (error instanceof InvalidBrc20Error) return false
    throw error
  }
}

/** Indexers compare it as a text: SHA-256 twice, in small letters. */
const HASH = /^[0-9a-f]{64}$/

/** Indexers know tickers in lower case. */
export function foldTicker(tick: string): string {
  return tick.toLowerCase()
}

/** Bytes of a ticker; 0 for text that UTF-8 cannot express. */
export function countTickerBytes(tick: string): number {
  return /\p{Surrogate}/u.test(tick) ? 0 : toUtf8(tick).length
}

function readDeploy(fields: Fields, tick: string): Brc20Operation {
  const bytes = countTickerBytes(tick)
  const isSelfMint = fields.self_mint === 'true'
  // Of a ticker of four bytes it would be read as if it were not there, and everybody could mint.
  if (bytes !== 6 && isSelfMint !== (bytes === 5)) {
    const expected =
      bytes === 5
        ? '"true": a ticker of five bytes is minted by its deployer alone'
        : 'a ticker of five or six bytes where only the deployer is to mint'
    throw new InvalidBrc20Error('self-mint', 'self_mint', expected)
  }
  const salt = bytes === 6 ? readSalt(fields) : null
  const dec = 'dec' in fields ? readText(fields, 'dec') : null
  const decimals = dec === null ? BRC20_DECIMALS : readDecimals(dec)
  const max = readText(fields, 'max')
  const isEndless = isSelfMint && /^0+$/.test(max)
  if (!isEndless) parseBrc20Field('max', max, decimals)
  const lim = 'lim' in fields ? readText(fields, 'lim') : null
  if (lim !== null) parseBrc20Field('lim', lim, decimals)
  const terms = { op: 'deploy' as const, tick, max, lim, dec, selfMint: isSelfMint }
  return salt === null ? terms : { ...terms, salt }
}

type Fields = { [name: string]: unknown }

/** OPI compares what is before the semicolon as it stands. */
function assertContentType(contentType: string | null): void {
  const [type] = (contentType ?? '').split(';')
  if (type === 'text/plain' || type === 'application/json') return
  throw new InvalidBrc20Error('content-type', null, 'text/plain or application/json')
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new InvalidBrc20Error('not-utf8', null, 'UTF-8', { cause })
  }
}

function readFields(text: string): Fields {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidBrc20Error('not-an-object', null, 'a JSON object')
  }
  assertDistinct(listNames(text))
  return { ...value }
}

/** Of two fields of one name some parsers take the first, others the last, and some know no capitals. */
function assertDistinct(names: readonly string[]): void {
  const folded = new Set<string>()
  for (const name of names.map(one => one.toLowerCase())) {
    if (folded.has(name)) throw new InvalidBrc20Error('repeated', name, 'one field of this name')
    folded.add(name)
  }
}

/** Names of the fields of an object in JSON, as often as they are there. */
function listNames(text: string): string[] {
  const names: string[] = []
  let depth = 0
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ':' && depth === 1) names.push(JSON.parse(last))
    last = token
  }
  return names
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      // What JSON.parse takes and the parsers of the indexers do not: halves of characters, and numbers out of range.
      const isHalf = [key, value].some(
        part => typeof part === 'string' && /\p{Surrogate}/u.test(part),
      )
      if (isHalf || value === Infinity || value === -Infinity) throw new SyntaxError('beyond JSON')
      return value
    })
  } catch (cause) {
    throw new InvalidBrc20Error('not-json', null, 'JSON', { cause })
  }
}

function readText(fields: Fields, field: string): string {
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (value === undefined) throw new InvalidBrc20Error('missing', field, 'a text')
  if (typeof value !== 'string') {
    throw new InvalidBrc20Error('not-text', field, `a text, as in {"${field}":"1000"}`)
  }
  return value
}

/** The Layer 1 Foundation's and OPI's rules of BRC2.0: without it there is no predeploy that it could be a child of. */
function readSalt(fields: Fields): string {
  const { salt } = fields
  if (typeof salt === 'string' && /^(?:[0-9a-f]{2})*$/i.test(salt)) return salt
  const expected = 'hex: a ticker of six bytes is deployed as the child of its predeploy (BRC2.0)'
  throw new InvalidBrc20Error('needs-predeploy', 'salt', expected)
}

function assertTicker(tick: string): void {
  const bytes = countTickerBytes(tick)
  const isFit = bytes === 6 ? /^[a-z0-9-]{6}$/i.test(tick) : bytes === 4 || bytes === 5
  if (!isFit || tick.includes('\0')) {
    const expected = 'four or five bytes of UTF-8, or six letters, digits and dashes'
    throw new InvalidBrc20Error('ticker', 'tick', expected)
  }
}

function readDecimals(dec: string): number {
  if (/^\d{1,2}$/.test(dec) && Number(dec) <= BRC20_DECIMALS) return Number(dec)
  throw new InvalidBrc20Error('decimals', 'dec', `a whole number from 0 to ${BRC20_DECIMALS}`)
}

import { parseInscriptionId } from '../../ordinals/inscription-id.ts'
import type { MintTerms } from '../../ordinals/runes/runestone.ts'
import {
  type Fields,
  parseAddressField,
  parseBoolean,
  parseFields,
  parseHex,
  parseInteger,
  parseText,
  refuseOthers,
} from '../admin/admin-fields.ts'
import { HttpError, json, type Route } from '../server/http.ts'
import type { Etched, Inscribed, Inscriber } from './inscriber.ts'
import { type EnvelopeFlaw, type EnvelopePlan, FLAWS } from './inscription-leaf.ts'
import { parseSpacedName } from './runes/rune-name.ts'

/** One inscription. Without `body`, `bodyHex` and `delegate` its body is empty. */
export interface InscriptionRequest {
  /** `text/plain;charset=utf-8` unless given; none with a delegate. */
  contentType?: string
  contentEncoding?: string
  /** Text. */
  body?: string
  bodyHex?: string
  /** Inscribes this sat of the output by a pointer, which is a curse but costs no number here. */
  offset?: number
  /** An id. It counts only if it is on devnet's own address; its output is spent and paid back. */
  parent?: string
  /** An id. */
  delegate?: string
  metaprotocol?: string
  /** Hex of CBOR. */
  metadata?: string
  /** `incomplete` leaves the body out, `even-field` binds the inscription to no sat. */
  flaw?: EnvelopeFlaw
}

/** `POST /devnet/inscribe`; what is not in `items` is one inscription. Nothing is mined. */
export interface InscribeRequest extends InscriptionRequest {
  /** Devnet's own unless given: inscriptions there can be parents, and be inscribed again. */
  address?: string
  /** Several inscriptions in place of one. */
  items?: InscriptionRequest[]
  /** All of them in one envelope chain of one reveal, on one output. */
  together?: boolean
  /** Sats of each output; 546 unless given. */
  postage?: number
  /** An id on devnet's own address, confirmed and first on its output: its sat is inscribed again, and moves along. */
  onto?: string
  /** Addresses of nobody that each reveal pays besides, as where something is sent to many; not with a parent. */
  others?: number
}

/** The answer. `outpoints[i]` is where `ids[i]` goes; an unbound inscription is nowhere all the same. */
export type InscribeAnswer = Inscribed

/** `POST /devnet/etch`: a rune whose whole amount goes to one output. Mines six blocks. */
export interface EtchRequest {
  /** Devnet's own unless given. */
  address?: string
  /** At least 13 letters from A to Z, with `•` or `.` as spacers. */
  name: string
  /** In the smallest unit; a decimal text above 2^53. */
  amount: number | string
  /** Decimals, 0 to 38; 0 unless given. */
  divisibility?: number
  /** One character. */
  symbol?: string
  /** Sats; 546 unless given. With `onto` the output is worth what that inscription's was. */
  postage?: number
  /** An inscription on devnet's own address that goes to the same output. */
  onto?: string
  /** How it can be minted; not at all unless given. */
  terms?: EtchTerms
  turbo?: boolean
}

/** Amounts in the smallest unit; numbers above 2^53 are decimal texts. Heights and offsets may be left out. */
export interface EtchTerms {
  amount: number | string
  cap: number | string
  heightStart?: number | string
  heightEnd?: number | string
  offsetStart?: number | string
  offsetEnd?: number | string
}

export type EtchAnswer = Etched

/** `POST /devnet/mint-rune`: somebody mints. Nothing is mined. */
export interface MintRuneRequest {
  /** Its name, with or without spacers. */
  rune: string
  /** Transactions, each of which mints once; 1 unless given. */
  count?: number
  /** Devnet's own unless given. */
  address?: string
}

export type MintRuneAnswer = { txids: string[] }

const INSCRIPTION_FIELDS = [
  'contentType',
  'contentEncoding',
  'body',
  'bodyHex',
  'offset',
  'parent',
  'delegate',
  'metaprotocol',
  'metadata',
  'flaw',
]
const INSCRIBE_FIELDS = [
  ...INSCRIPTION_FIELDS,
  ...['address', 'items', 'together', 'postage', 'onto', 'others'],
]
const MOST_OTHERS = 100
const ETCH_FIELDS = [
  ...['address', 'name', 'amount', 'divisibility', 'symbol', 'postage', 'onto'],
  ...['terms', 'turbo'],
]
const TERMS_FIELDS = [...['amount', 'cap', 'heightStart', 'heightEnd', 'offsetStart', 'offsetEnd']]
const MINT_FIELDS = ['rune', 'count', 'address']
const MOST_MINTS = 1_000
const U64 = 2n ** 64n - 1n
const DEFAULT_POSTAGE = 546
const MOST_SATS = 5_000_000_000
const U128 = 2n ** 128n - 1n

/** Admin calls that put inscriptions and runes on the chain. */
export function inscribeRoutes(inscriber: Inscriber): Route[] {
  const post = (path: string, run: (fields: Fields) => Promise<object>): Route => ({
    method: 'POST',
    path: `/devnet/${path}`,
    handle: async call => json(await run(parseFields(call))),
  })
  return [
    post('inscribe', fields => {
      refuseOthers(fields, INSCRIBE_FIELDS)
      const envelopes = readItems(fields).map(readEnvelope)
      const isTogether = parseBoolean(fields, 'together', false)
      return inscriber.inscribe({
        reveals: isTogether ? [envelopes] : envelopes.map(envelope => [envelope]),
        ...readDestination(fields),
        others: parseInteger(fields, 'others', 0, MOST_OTHERS, 0),
      })
    }),
    post('etch', fields => {
      refuseOthers(fields, ETCH_FIELDS)
      const name = parseSpacedName(parseText(fields, 'name') ?? '')
      if (!name) throw new HttpError(400, 'name: must be letters from A to Z, perhaps spaced')
      const symbol = parseText(fields, 'symbol') ?? null
      if (symbol !== null && [...symbol].length !== 1) {
        throw new HttpError(400, 'symbol: must be one character')
      }
      return inscriber.etch({
        ...name,
        premine: readAmount(fields, 'amount'),
        divisibility: parseInteger(fields, 'divisibility', 0, 38, 0),
        symbol,
        terms: readTerms(fields),
        turbo: parseBoolean(fields, 'turbo', false),
        ...readDestination(fields),
      })
    }),
    post('mint-rune', async fields => {
      refuseOthers(fields, MINT_FIELDS)
      const name = parseSpacedName(parseText(fields, 'rune') ?? '')
      if (!name) throw new HttpError(400, 'rune: must be letters from A to Z, perhaps spaced')
      const txids = await inscriber.mintRune({
        rune: name.rune,
        count: parseInteger(fields, 'count', 1, MOST_MINTS, 1),
        script: fields.address === undefined ? null : parseAddressField(fields, 'address'),
      })
      return { txids }
    }),
  ]
}

function readDestination(fields: Fields) {
  return {
    script: fields.address === undefined ? null : parseAddressField(fields, 'address'),
    postage: BigInt(parseInteger(fields, 'postage', 1, MOST_SATS, DEFAULT_POSTAGE)),
    onto: readId(fields, 'onto') ?? null,
  }
}

function readItems(fields: Fields): Fields[] {
  const { items } = fields
  if (items === undefined) return [fields]
  if (!Array.isArray(items) || items.length === 0 || !items.every(isFields)) {
    throw new HttpError(400, 'items: must be a list of inscriptions')
  }
  for (const item of items) refuseOthers(item, INSCRIPTION_FIELDS)
  return items
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readEnvelope(fields: Fields): EnvelopePlan {
  const given = {
    contentType: parseText(fields, 'contentType'),
    contentEncoding: parseText(fields, 'contentEncoding'),
    metaprotocol: parseText(fields, 'metaprotocol'),
    metadata: parseHex(fields, 'metadata'),
    delegate: readId(fields, 'delegate'),
    body: parseHex(fields, 'bodyHex') ?? toBytes(parseText(fields, 'body')),
  }
  const parent = readId(fields, 'parent')
  const isDelegating = given.delegate !== undefined && given.body === undefined
  const usual = isDelegating ? {} : { contentType: 'text/plain;charset=utf-8', body: toBytes('') }
  const pointer = fields.offset === undefined ? null : parseInteger(fields, 'offset', 0, MOST_SATS)
  return {
    content: {
      ...withoutAbsent({ ...usual, ...withoutAbsent(given) }),
      ...(parent === undefined ? {} : { parents: [parent] }),
      ...(pointer === null ? {} : { pointer: BigInt(pointer) }),
    },
    flaw: readFlaw(fields),
  }
}

function toBytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new TextEncoder().encode(text)
}

function readFlaw({ flaw }: Fields): EnvelopeFlaw | null {
  if (flaw === undefined) return null
  const known = FLAWS.find(name => name === flaw)
  if (!known) throw new HttpError(400, `flaw: must be one of ${FLAWS.join(', ')}`)
  return known
}

function readId(fields: Fields, name: string): string | undefined {
  const id = parseText(fields, name)
  if (id !== undefined && !parseInscriptionId(id)) {
    throw new HttpError(400, `${name}: must be an inscription id`)
  }
  return id
}

function readTerms(fields: Fields): MintTerms | null {
  const { terms } = fields
  if (terms === undefined) return null
  if (!isFields(terms)) throw new HttpError(400, 'terms: must be an object')
  refuseOthers(terms, TERMS_FIELDS)
  const height = (name: string) => (terms[name] === undefined ? null : readAmount(terms, name, U64))
  return {
    amount: readAmount(terms, 'amount'),
    cap: readAmount(terms, 'cap'),
    height: { start: height('heightStart'), end: height('heightEnd') },
    offset: { start: height('offsetStart'), end: height('offsetEnd') },
  }
}

function readAmount(fields: Fields, name: string, most = U128): bigint {
  const value = fields[name]
  const isAmount = Number.isSafeInteger(value) || (typeof value === 'string' && /^\d+$/.test(value))
  const amount = isAmount ? BigInt(value as number | string) : -1n
  if (amount < 0n || amount > most) {
    const bits = most === U64 ? 64 : 128
    throw new HttpError(400, `${name}: must be a whole number of at most ${bits} bits`)
  }
  return amount
}

/** An absent field is not one that is undefined. */
function withoutAbsent<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

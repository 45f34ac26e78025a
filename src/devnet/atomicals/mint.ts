import { type AtomicalId, formatAtomicalId, parseAtomicalId } from '../../ordinals/atomical-id.ts'
import { meetsBitwork, parseBitwork } from './bitwork.ts'
import { type CborMap, type CborValue, isCborMap } from './cbor.ts'
import type { NameKind } from './name-ledger.ts'
import { type Operation, parseSections } from './operation.ts'

/** How a decentralized token is minted. */
export interface MintTerms {
  /** Units, and sats, of each mint. */
  amount: bigint
  maxMints: number
  /** Neither a mint's commit nor its reveal may be in an earlier block. */
  height: number
  /** Demands on the txids of a mint. */
  bitworkc: string | null
  bitworkr: string | null
}

/** What a reveal asks to be made. */
export interface Mint {
  id: AtomicalId
  type: 'nft' | 'ft'
  subtype: 'direct' | 'decentralized' | null
  /** What it asks to be called. */
  name: { kind: NameKind; text: string } | null
  args: CborMap
  meta: CborMap
  ctx: CborMap
  isImmutable: boolean
  /** Demands that the mint put to itself, and met. */
  bitwork: { bitworkc: string | null; bitworkr: string | null } | null
  /** What had to be spent along, and how much of it. */
  parents: CborMap | null
  terms: MintTerms | null
}

const TICKER = /^[a-z0-9]{1,21}$/
const REALM = /^[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const CONTAINER = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/
const NAME_REQUESTS = [
  'request_realm',
  'request_subrealm',
  'request_container',
  'request_ticker',
  'request_dmitem',
]
const MINT_AMOUNT = { least: 546, most: 100_000_000 }
const MAX_MINTS = { least: 1, most: 500_000 }
const MINT_HEIGHT = { least: 0, most: 10_000_000 }

/**
 * What an operation mints, by the rules of atomicals-electrumx; null for anything that they refuse. `spent`: sums of what the
 * transaction spends, by id. Beside those rules: names need no proof of work here, and subrealms, items of containers and
 * tokens without an end are not minted.
 */
export function parseMint(
  operation: Operation,
  revealTxid: string,
  spent: ReadonlyMap<AtomicalId, bigint>,
): Mint | null {
  const sections = parseSections(operation.payload)
  if (!sections || operation.input !== 0) return null
  const { args, meta, ctx } = sections
  const immutable = args.get('i')
  if (isTruthy(immutable) && immutable !== true) return null
  const txids = { commit: operation.commit.txid, reveal: revealTxid }
  const bitwork = readBitwork(args, txids)
  if (!bitwork) return null
  if (NAME_REQUESTS.filter(request => isTruthy(args.get(request))).length > 1) return null
  if (!areParentsSpent(args.get('parents'), spent)) return null
  const what = readKind(operation.op, args, immutable === true)
  if (!what) return null
  const parents = args.get('parents')
  return {
    id: formatAtomicalId(operation.commit),
    args,
    meta,
    ctx,
    isImmutable: immutable === true,
    bitwork: bitwork.bitworkc === null && bitwork.bitworkr === null ? null : bitwork,
    parents: isCborMap(parents) ? parents : null,
    ...what,
  }
}

/** The ticker of a token that an operation mints units of; null for any other operation. */
export function parseTokenMint(operation: Operation): string | null {
  const sections = parseSections(operation.payload)
  if (!sections || operation.op !== 'dmt' || operation.input !== 0) return null
  return readName(sections.args, 'mint_ticker', TICKER)
}

function readKind(
  op: string,
  args: CborMap,
  isImmutable: boolean,
): Pick<Mint, 'type' | 'subtype' | 'name' | 'terms'> | null {
  if (op === 'nft') {
    const name = readNftName(args)
    if (name === undefined || (name && isImmutable)) return null
    return { type: 'nft', subtype: null, name, terms: null }
  }
  if (op !== 'ft' && op !== 'dft') return null
  const ticker = readName(args, 'request_ticker', TICKER)
  if (ticker === null || isImmutable) return null
  const name = { kind: 'ticker' as const, text: ticker }
  if (op === 'ft') return { type: 'ft', subtype: 'direct', name, terms: null }
  const terms = readTerms(args)
  return terms && { type: 'ft', subtype: 'decentralized', name, terms }
}

/** Undefined where a name is asked for that cannot be. */
function readNftName(args: CborMap): Mint['name'] | undefined {
  const unknown = ['request_subrealm', 'request_dmitem']
  if (NAME_REQUESTS.some(request => args.get(request) === '')) return undefined
  if (unknown.some(request => isTruthy(args.get(request)))) return undefined
  for (const [kind, form] of [
    ['realm', REALM],
    ['container', CONTAINER],
  ] as const) {
    if (!isTruthy(args.get(`request_${kind}`))) continue
    const text = readName(args, `request_${kind}`, form)
    return text === null ? undefined : { kind, text }
  }
  return null
}

function readName(args: CborMap, field: string, form: RegExp): string | null {
  const text = args.get(field)
  return typeof text === 'string' && form.test(text) ? text : null
}

function readTerms(args: CborMap): MintTerms | null {
  const height = readWithin(args.get('mint_height'), MINT_HEIGHT)
  const amount = readWithin(args.get('mint_amount'), MINT_AMOUNT)
  const maxMints = readWithin(args.get('max_mints'), MAX_MINTS)
  const { mint_bitworkc, mint_bitworkr, md } = Object.fromEntries(args)
  if (height === null || amount === null || maxMints === null || isTruthy(md)) return null
  if (isTruthy(mint_bitworkc) && !parseBitwork(mint_bitworkc)) return null
  if (isTruthy(mint_bitworkr) && !parseBitwork(mint_bitworkr)) return null
  return {
    amount: BigInt(amount),
    maxMints,
    height,
    bitworkc: isTruthy(mint_bitworkc) ? String(mint_bitworkc) : null,
    bitworkr: isTruthy(mint_bitworkr) ? String(mint_bitworkr) : null,
  }
}

/** Null where a demand is none, or is not met. */
function readBitwork(
  args: CborMap,
  txids: { commit: string; reveal: string },
): NonNullable<Mint['bitwork']> | null {
  const read = (field: string, txid: string): string | null | undefined => {
    const text = args.get(field)
    if (!isTruthy(text)) return null
    const bitwork = parseBitwork(text)
    return bitwork && meetsBitwork(txid, bitwork) ? String(text) : undefined
  }
  const bitworkc = read('bitworkc', txids.commit)
  const bitworkr = read('bitworkr', txids.reveal)
  return bitworkc === undefined || bitworkr === undefined ? null : { bitworkc, bitworkr }
}

function areParentsSpent(parents: CborValue, spent: ReadonlyMap<AtomicalId, bigint>): boolean {
  if (!isTruthy(parents)) return true
  if (!isCborMap(parents)) return false
  return [...parents].every(([id, least]) => {
    const held = spent.get(id)
    const isWhole = typeof least === 'bigint' && least >= 0n
    return isWhole && parseAtomicalId(id) && held !== undefined && held >= least
  })
}

function readWithin(value: CborValue, { least, most }: { least: number; most: number }) {
  return typeof value === 'bigint' && value >= least && value <= most ? Number(value) : null
}

/** As Python takes it: nothing, nought and what is empty are not. */
function isTruthy(value: CborValue): boolean {
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length > 0
  return isCborMap(value) ? value.size > 0 : Boolean(value)
}

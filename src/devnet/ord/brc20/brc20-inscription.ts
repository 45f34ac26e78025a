import type { EnvelopeFields } from '../../../ordinals/inscriptions/envelope.ts'
import { MOST_AMOUNT, MOST_DECIMALS, parseTokenAmount } from './token-amount.ts'

/** What an inscription asks of the ledger. `tick` is the ticker as it is compared, `originalTick` as it was written. */
export type Brc20Request = { op: 'predeploy'; hash: string } | Brc20TickerRequest

export type Brc20Terms = { decimals: number; max: bigint; limit: bigint; selfMint: boolean }

export type Brc20TickerRequest = {
  tick: string
  originalTick: string
} /** `salt` is of tickers of six bytes, in hex: they are deployed as the child of a predeploy. */ & (
  | ({ op: 'deploy'; salt: string | null } & Brc20Terms)
  /** Not read yet: how many decimals an amount may have is the token's. */
  | { op: 'mint' | 'transfer'; amt: unknown }
)

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const MEDIA_TYPES = ['text/plain', 'application/json']
const PUBLIC_TICK_BYTES = 4
/** Minted by who holds the deploy inscription. */
const SELF_MINT_TICK_BYTES = 5
/** Of BRC2.0: deployed in two steps, so that nobody who sees the ticker in the mempool can take it first. */
const PREDEPLOYED_TICK_BYTES = 6

/** Null for everything that BRC-20 indexers pass over whatever their ledger holds. */
export function parseBrc20(fields: EnvelopeFields): Brc20Request | null {
  const [mediaType = ''] = (decodeText(fields.contentType) ?? '').split(';')
  if (!MEDIA_TYPES.includes(mediaType)) return null
  const json = parseObject(decodeText(fields.body))
  if (json?.p !== 'brc-20') return null
  if (json.op === 'predeploy')
    return typeof json.hash === 'string' ? { op: 'predeploy', hash: json.hash } : null
  if (typeof json.tick !== 'string') return null
  const bytes = Buffer.byteLength(json.tick)
  if (
    bytes === PREDEPLOYED_TICK_BYTES
      ? !/^[a-z0-9-]{6}$/i.test(json.tick)
      : bytes !== PUBLIC_TICK_BYTES && bytes !== SELF_MINT_TICK_BYTES
  )
    return null
  // A lone surrogate has no form in UTF-8: indexers in Rust or Go cannot parse it.
  if (json.tick.includes('\0') || !json.tick.isWellFormed()) return null
  const ticks = { tick: json.tick.toLowerCase(), originalTick: json.tick }
  if (json.op === 'mint' || json.op === 'transfer') return { ...ticks, op: json.op, amt: json.amt }
  if (json.op !== 'deploy') return null
  const salt = bytes === PREDEPLOYED_TICK_BYTES ? json.salt : null
  if (salt !== null && (typeof salt !== 'string' || !/^(?:[0-9a-f]{2})*$/i.test(salt))) return null
  const saysSelfMint = json.self_mint === 'true'
  // Of four bytes it says nothing, of five it has to say so.
  if (bytes === SELF_MINT_TICK_BYTES && !saysSelfMint) return null
  const terms = readTerms(json, bytes !== PUBLIC_TICK_BYTES && saysSelfMint)
  return terms && { ...ticks, op: 'deploy', salt, ...terms }
}

function readTerms(json: Record<string, unknown>, selfMint: boolean): Brc20Terms | null {
  const decimals = readDecimals(json.dec)
  if (decimals === null) return null
  const written = parseTokenAmount(json.max, decimals)
  if (written === null || (written === 0n && !selfMint)) return null
  const max = written === 0n ? MOST_AMOUNT : written
  const limit = json.lim === undefined ? max : parseTokenAmount(json.lim, decimals)
  return limit ? { decimals, max, limit, selfMint } : null
}

function readDecimals(dec: unknown): number | null {
  if (dec === undefined) return MOST_DECIMALS
  const isNumber = typeof dec === 'string' && /^[0-9]+$/.test(dec)
  return isNumber && Number(dec) <= MOST_DECIMALS ? Number(dec) : null
}

function decodeText(bytes: Uint8Array | null): string | null {
  if (!bytes) return null
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

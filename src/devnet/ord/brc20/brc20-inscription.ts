import type { EnvelopeFields } from '../../../ordinals/inscriptions/envelope.ts'
import { MOST_AMOUNT, MOST_DECIMALS, parseTokenAmount } from './token-amount.ts'

/** What an inscription asks of the ledger. `tick` is the ticker as it is compared, `originalTick` as it was written. */
export type Brc20Request = { tick: string; originalTick: string } & (
  | { op: 'deploy'; decimals: number; max: bigint; limit: bigint; selfMint: boolean }
  /** Not read yet: how many decimals an amount may have is the token's. */
  | { op: 'mint' | 'transfer'; amt: unknown }
)

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const MEDIA_TYPES = ['text/plain', 'application/json']
/** Tickers of five bytes are minted by who holds their deploy inscription; longer ones belong to BRC2.0, which is not here. */
const PUBLIC_TICK_BYTES = 4
const SELF_MINT_TICK_BYTES = 5

/** Null for everything that BRC-20 indexers pass over whatever their ledger holds. */
export function parseBrc20(fields: EnvelopeFields): Brc20Request | null {
  const [mediaType = ''] = (decodeText(fields.contentType) ?? '').split(';')
  if (!MEDIA_TYPES.includes(mediaType)) return null
  const json = parseObject(decodeText(fields.body))
  if (json?.p !== 'brc-20' || typeof json.tick !== 'string') return null
  const bytes = Buffer.byteLength(json.tick)
  if (bytes !== PUBLIC_TICK_BYTES && bytes !== SELF_MINT_TICK_BYTES) return null
  // A lone surrogate has no form in UTF-8: indexers in Rust or Go cannot parse it.
  if (json.tick.includes('\0') || !json.tick.isWellFormed()) return null
  const ticks = { tick: json.tick.toLowerCase(), originalTick: json.tick }
  if (json.op === 'mint' || json.op === 'transfer') return { ...ticks, op: json.op, amt: json.amt }
  const terms = json.op === 'deploy' && readTerms(json, bytes === SELF_MINT_TICK_BYTES)
  return terms ? { ...ticks, op: 'deploy', ...terms } : null
}

function readTerms(json: Record<string, unknown>, selfMint: boolean) {
  if (selfMint && json.self_mint !== 'true') return null
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

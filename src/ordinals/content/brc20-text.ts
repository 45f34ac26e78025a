import { countTickerBytes } from '../brc20/brc20-operation.ts'
import { parseMediaType } from './content-kind.ts'

/** What a BRC-20 inscription says; whether an indexer counts it is another matter. The amount of a deploy is its supply. */
export type Brc20Text = {
  op: 'deploy' | 'mint' | 'transfer'
  tick: string
  amount: string
}

/** Longer texts may be BRC-20 too, and are shown as text. */
const LONGEST = 2_000

const AMOUNT = /^\d{1,20}(\.\d{1,18})?$/

/** Reads an operation of a ticker of four to six bytes; null for any other text. */
export function parseBrc20(contentType: string | null, text: string): Brc20Text | null {
  const type = parseMediaType(contentType)
  if ((type !== 'text/plain' && type !== 'application/json') || text.length > LONGEST) return null
  const { p, op, tick, amt, max } = Object(parseJson(text))
  if (p !== 'brc-20' || typeof tick !== 'string') return null
  const bytes = countTickerBytes(tick)
  if (bytes < 4 || bytes > 6) return null
  if (op !== 'deploy' && op !== 'mint' && op !== 'transfer') return null
  const amount = op === 'deploy' ? max : amt
  return typeof amount === 'string' && AMOUNT.test(amount) ? { op, tick, amount } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

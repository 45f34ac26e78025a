import { countTickerBytes, foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import { invalidParams } from '../../provider/errors.ts'

/** A ticker from a page of ours, in lower case as indexers know it. Throws -32602. */
export function parseTicker(value: unknown): string {
  const bytes = typeof value === 'string' && value.length <= 6 ? countTickerBytes(value) : 0
  if (typeof value === 'string' && bytes >= 4 && bytes <= 6 && !value.includes('\0'))
    return foldTicker(value)
  throw invalidParams('tick', value, 'four to six bytes of UTF-8')
}

import { invalidParams } from '../../provider/errors.ts'

const MAX_LIMIT = 200

/** A part of a list that a page of ours asks for. Throws -32602. */
export function parsePage({ offset, limit }: { offset: unknown; limit: unknown }): {
  offset: number
  limit: number
} {
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0)
    throw invalidParams('offset', offset, 'a whole number from 0')
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalidParams('limit', limit, `a whole number from 1 to ${MAX_LIMIT}`)
  return { offset, limit }
}

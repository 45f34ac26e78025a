import { HEAD_KEY, headerKey, LAYOUT_KEY, readHeight, writeHeight } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { listBlockKeys } from './block-keys.ts'
import { decodeHeader } from './header-record.ts'

/** More blocks than are ever in the log of a store, whose oldest ones were written elsewhere long ago. */
const MOST_IN_A_LOG = 50_000n

/** Blocks that are gone, with both ends. */
export interface LostBlocks {
  readonly first: bigint
  readonly last: bigint
}

/**
 * Takes a store that has lost some of its writes back to the last block before the first that is missing. Each block is written as
 * one, so that it is there or is not. Without its first block the store is empty afterwards, but for states.
 *
 * @returns what is gone, or null where all blocks up to the head are there
 */
export async function dropBrokenBlocks(store: Store): Promise<LostBlocks | null> {
  const value = store.get(HEAD_KEY)
  if (value === undefined) return null
  const head = readHeight(value)
  const isThere = (height: bigint) => store.get(headerKey(height)) !== undefined
  const oldest = head > MOST_IN_A_LOG ? head - MOST_IN_A_LOG : 0n
  let last = oldest - 1n
  if (store.get(LAYOUT_KEY) === undefined) last = -1n
  else while (last < head && isThere(last + 1n)) last += 1n
  if (last === head) return null
  const keys = await listBlockKeys(store, last, head, height => {
    const record = store.get(headerKey(height))
    return record === undefined ? null : decodeHeader(record).header.hash
  })
  if (last < 0n) await store.write([], [...keys, HEAD_KEY])
  else await store.write([{ key: HEAD_KEY, value: writeHeight(last) }], keys)
  return { first: last + 1n, last: head }
}

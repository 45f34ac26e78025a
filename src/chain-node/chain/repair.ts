import type { Hex } from '../codec/hex.ts'
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

/** What a chain asks and tells where its store has lost writes. */
export interface Damage {
  /** Whether all of a state is stored. */
  readonly hasState: (stateRoot: Hex) => boolean
  readonly onLost: (lost: LostBlocks) => void
}

/**
 * Takes a store that has lost some of its writes back to the last block before the first that is missing, whose state is whole:
 * each block is written as one, so that it is there or is not, and what was set by hand is a write of its own. Without its first
 * block the store is empty afterwards, but for states.
 *
 * @param first - height of the genesis
 */
export async function dropBrokenBlocks(store: Store, damage: Damage, first = 0n): Promise<void> {
  const value = store.get(HEAD_KEY)
  if (value === undefined) return
  const head = readHeight(value)
  const read = (height: bigint) => {
    const record = store.get(headerKey(height))
    return record === undefined ? null : decodeHeader(record).header
  }
  const isWhole = (height: bigint) => {
    const header = read(height)
    return header !== null && damage.hasState(header.stateRoot)
  }
  const oldest = head - first > MOST_IN_A_LOG ? head - MOST_IN_A_LOG : first
  let last = oldest - 1n
  if (store.get(LAYOUT_KEY) === undefined) last = first - 1n
  else while (last < head && read(last + 1n) !== null) last += 1n
  while (last >= first && !isWhole(last)) last -= 1n
  if (last === head) return
  const keys = await listBlockKeys(store, last, head, height => read(height)?.hash ?? null)
  if (last < first) await store.write([], [...keys, HEAD_KEY])
  else await store.write([{ key: HEAD_KEY, value: writeHeight(last) }], keys)
  damage.onLost({ first: last + 1n, last: head })
}

import { createRecentMap } from '../engine/state/recent-map.ts'
import {
  decodeSlot,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  encodeAccount,
  equalBytes,
  NO_BYTES,
  type StateReader,
  toKey,
} from '../engine/state/state-reader.ts'
import { encodeBytes } from '../engine/state/trie-node.ts'
import { BASE_KEY, isEmptyAccount, type RemoteValues } from './remote-values.ts'

/**
 * States whose tries hold what was written here alone: what is not in them is as it was at the remote's block. An account that is
 * deleted stands in them as an empty one, and a slot that is cleared as no bytes. The storage of a remote account has one more
 * leaf, which names the account: where it is missing, because all of the storage was cleared or the account is a new one, nothing
 * of the remote is below. Reads throw `MissingStateError` for what is not fetched yet.
 */
export function createForkReader(local: StateReader, remote: RemoteValues): StateReader {
  const bases = createRecentMap<Uint8Array | null>(BASES_KEPT)

  /** Whose remote storage lies below a storage trie; null for nobody's. */
  function findBase(storageRoot: Uint8Array): Uint8Array | null {
    const name = toKey(storageRoot)
    const kept = bases.get(name)
    if (kept !== undefined) return kept
    const value = local.find(storageRoot, BASE_KEY)
    const base = value === null ? null : decodeSlot(value)
    bases.set(name, base)
    return base
  }

  return {
    ...local,
    absent: ABSENT,
    readAccount(stateRoot, address) {
      const own = local.readAccount(stateRoot, address)
      if (own === null) return remote.account(address)
      return isEmptyAccount(own) ? null : own
    },
    readStorage(storageRoot, slot) {
      if (equalBytes(storageRoot, EMPTY_ROOT)) return NO_BYTES
      const value = local.find(storageRoot, slot)
      if (value !== null) return decodeSlot(value)
      const base = findBase(storageRoot)
      return base === null ? NO_BYTES : remote.slot(base, slot)
    },
    // What is written without being read is not fetched for it.
    holds(storageRoot, slot, value) {
      if (equalBytes(storageRoot, EMPTY_ROOT)) return value.length === 0
      const own = local.find(storageRoot, slot)
      if (own !== null) return equalBytes(decodeSlot(own), value)
      const base = findBase(storageRoot)
      const known = base === null ? NO_BYTES : remote.findSlot(base, slot)
      return known !== null && equalBytes(known, value)
    },
  }
}

const BASES_KEPT = 16_384

const ABSENT = {
  account: encodeAccount({
    nonce: 0n,
    balance: 0n,
    storageRoot: EMPTY_ROOT,
    codeHash: EMPTY_CODE_HASH,
  }),
  slot: encodeBytes(NO_BYTES),
}

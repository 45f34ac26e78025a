import type { Migration } from '../storage/versioned-area.ts'

/**
 * What updates change in local storage, in the order of their numbers from 1 on: a released one is never changed or taken out.
 * They run before the wallet is unlocked, so the vault and the records that only the wallet may write (`authentic-records`) are not for
 * them: the rooms of these read the older shapes. None yet: what was stored before the first release is read by each room as it is.
 */
export const MIGRATIONS: readonly Migration[] = []

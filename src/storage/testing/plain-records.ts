import type { Records } from '../records.ts'
import type { StorageArea } from '../storage-area.ts'

/** Records that nobody guards, for tests of the rooms that keep them. */
export function createPlainRecords(area: StorageArea): Records {
  return {
    read: async key => ({ stored: await area.get(key), isChanged: false }),
    write: entries => area.set(entries),
  }
}

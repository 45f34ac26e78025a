import type { Records } from '../../../storage/records.ts'
import { createMemoryArea } from '../../../storage/testing/memory-area.ts'
import { createPlainRecords } from '../../../storage/testing/plain-records.ts'
import { createSites } from '../sites.ts'

/** Sites at a clock that says 1, in records that nobody guards unless others are given. */
export function createPlainSites({
  local = createMemoryArea(),
  records = createPlainRecords(local),
  now = () => 1,
}: {
  local?: ReturnType<typeof createMemoryArea>
  records?: Records
  now?: () => number
} = {}) {
  return createSites({
    ...{ records, local, now },
    unlockedAt: async () => 1,
    unusedDays: async () => null,
    report(error) {
      throw error
    },
  })
}

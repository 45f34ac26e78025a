import type { StorageArea } from '../../storage/storage-area.ts'
import type { OneTimeNotices } from '../views/settings-views.ts'

/** As a manifest may have it: one to four numbers. */
const VERSION = /^\d{1,5}(\.\d{1,5}){0,3}$/

/** What the start screen tells once: what is new in a version, and the first payment to a new wallet. Each is a key of local storage. */
export function createOneTimeNotices({ local, version }: { local: StorageArea; version: string }) {
  return {
    /** Of the extension, as its manifest has it. */
    version,
    /** What makes no sense tells nothing. */
    async load(): Promise<OneTimeNotices> {
      const newsUpTo = await local.get('newsUpTo')
      return {
        newsUpTo: typeof newsUpTo === 'string' && VERSION.test(newsUpTo) ? newsUpTo : null,
        awaitsFirstPayment: (await local.get('awaitsFirstPayment')) === true,
      }
    },
    /** Stores what is given and leaves the rest. */
    change: (patch: Partial<OneTimeNotices>): Promise<void> => local.set(patch),
  }
}

export type OneTimeNoticeStore = ReturnType<typeof createOneTimeNotices>

import type { BatchAbout } from '../../background/views/psbt-views.ts'
import { words } from '../platform/words.ts'

/** What a site says that a transaction is; nothing has checked it. */
export function nameAbout({ kind }: NonNullable<BatchAbout>): string {
  return words(kind === 'brc-20' ? 'aboutBrc20' : 'aboutNft')
}

import { words } from '../../platform/words.ts'
import { formatMonth } from '../../ui/text/time-text.ts'
import type { EntryGroup } from './merge-page.ts'

export function nameGroup({ key, month }: EntryGroup): string {
  if (month !== null) return formatMonth(month)
  return words(key === 'unsent' ? 'activityUnsent' : 'activityWaiting')
}

import { currentLanguage, words } from '../../platform/words.ts'

/** How long ago, in few words: "just now", "5 min ago", "3 h ago", else the local date. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return words('timeNow')
  if (minutes < 60) return words('timeMinutesAgo', { count: minutes })
  if (minutes < 24 * 60) return words('timeHoursAgo', { count: Math.floor(minutes / 60) })
  return new Date(at).toLocaleDateString(currentLanguage(), { dateStyle: 'medium' })
}

/** Date and time of day, in the language in use and the computer's time zone. */
export function formatMoment(at: number): string {
  return new Date(at).toLocaleString(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' })
}

/** Month and year, for the heads of lists: "November 2026". */
export function formatMonth(at: number): string {
  return new Date(at).toLocaleDateString(currentLanguage(), { month: 'long', year: 'numeric' })
}

import { currentLanguage, words } from '../../platform/words.ts'

const FORMATS = {
  day: { dateStyle: 'medium' },
  dayOfYear: { month: 'short', day: 'numeric' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies { [name: string]: Intl.DateTimeFormatOptions }

/** By language and format: making one takes as long as a row of a list. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** How long ago, in few words: "just now", "5 min ago", "3 h ago", else the local date, with its year where that is not this one. */
export function formatAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return words('timeNow')
  if (minutes < 60) return words('timeMinutesAgo', { count: minutes })
  if (minutes < 24 * 60) return words('timeHoursAgo', { count: Math.floor(minutes / 60) })
  const [year, thisYear] = [at, now].map(time => new Date(time).getFullYear())
  return format(year === thisYear ? 'dayOfYear' : 'day', at)
}

/** Date, in the language in use and the computer's time zone. */
export function formatDay(at: number): string {
  return format('day', at)
}

/** Date and time of day. */
export function formatMoment(at: number): string {
  return format('moment', at)
}

/** Month and year, for the heads of lists: "November 2026". */
export function formatMonth(at: number): string {
  return format('month', at)
}

function format(name: keyof typeof FORMATS, at: number): string {
  const language = currentLanguage()
  const key = `${language} ${name}`
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(language, FORMATS[name])
  formatters.set(key, formatter)
  return formatter.format(at)
}

import { AtSign, Bell, Gem, Images, KeyRound, type LucideIcon } from 'lucide-react'
import type { WordKey } from '../../platform/words.ts'

export type NewsItem = { Icon: LucideIcon; title: WordKey; note: WordKey }
export type News = { version: string; items: readonly NewsItem[] }

/**
 * What is new, by version, newest first: at most five items, in the order of what they are worth to a person. A version without
 * news has none, and nothing is told of it. Every version of CHANGELOG.md with something added is here.
 */
export const NEWS: readonly News[] = [
  {
    version: '0.1.0',
    items: [
      { Icon: Images, title: 'newsSatsTitle', note: 'newsSats' },
      { Icon: AtSign, title: 'newsNamesTitle', note: 'newsNames' },
      { Icon: KeyRound, title: 'newsKeysTitle', note: 'newsKeys' },
      { Icon: Gem, title: 'newsRunesTitle', note: 'newsRunes' },
      { Icon: Bell, title: 'newsBesideTitle', note: 'newsBeside' },
    ],
  },
]

/** The newest news up to a version, and after another one where that is given; null for none. */
export function findNews(
  upTo: string,
  after: string | null = null,
  news: readonly News[] = NEWS,
): News | null {
  return (
    news.find(
      ({ version, items }) =>
        items.length > 0 &&
        compareVersions(version, upTo) <= 0 &&
        (after === null || compareVersions(version, after) > 0),
    ) ?? null
  )
}

/** By their numbers, as browsers compare versions of extensions: below 0 where `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [a, b].map(version => version.split('.').map(Number))
  for (let at = 0; at < 4; at++) {
    const difference = (first?.[at] ?? 0) - (second?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** "0.1" of 0.1.0: what people call a version. */
export function shortenVersion(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}

import { splitWord } from './visible-parts.ts'

/** The first character of a ticker in a circle: tokens have no pictures. */
export function TokenMark({ tick }: { tick: string }) {
  return (
    <span className="token-mark" aria-hidden>
      {markOf(tick)}
    </span>
  )
}

/** The first visible character; "?" where there is none. */
function markOf(tick: string): string {
  const seen = splitWord(tick).find(part => part.kind === 'plain')
  if (seen?.kind !== 'plain') return '?'
  const [first] = new Intl.Segmenter().segment(seen.text)
  return (first?.segment ?? '?').toUpperCase()
}

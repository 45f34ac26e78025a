/** The first character of a ticker in a circle: tokens have no pictures. */
export function TokenMark({ tick }: { tick: string }) {
  const [first = ''] = new Intl.Segmenter().segment(tick)
  return (
    <span className="token-mark" aria-hidden>
      {typeof first === 'string' ? first : first.segment.toUpperCase()}
    </span>
  )
}

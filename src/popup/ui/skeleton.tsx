import { words } from '../platform/words.ts'

type SkeletonSize = 'balance' | 'line' | 'short' | 'row' | 'block'

/** Grey bars where text will be. */
export function Skeleton({ size }: { size: SkeletonSize }) {
  return <span className={`skeleton ${size}-bar`} />
}

/** Several rows that are still on their way. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div className="stack" aria-busy="true">
      <span className="hidden-text">{words('commonLoading')}</span>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
        <Skeleton key={at} size="row" />
      ))}
    </div>
  )
}

/** A screen of which nothing is known yet; popup.html has the same, to be seen before any script has run. */
export function ScreenSkeleton() {
  return (
    <div className="screen" aria-busy="true">
      <main className="content">
        <h1 className="hidden-text">{words('commonLoading')}</h1>
        <img src="/icons/48.png" width="32" height="32" alt="" />
        <Skeleton size="block" />
        <Skeleton size="line" />
        <Skeleton size="line" />
      </main>
    </div>
  )
}

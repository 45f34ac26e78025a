/** Grey bars where text will be. */
export function Skeleton({ size }: { size: 'balance' | 'line' | 'short' | 'row' | 'block' }) {
  return <span className={`skeleton ${size}`} />
}

/** A screen of which nothing is known yet; popup.html has the same, to be seen before any script has run. */
export function ScreenSkeleton() {
  return (
    <div className="screen" aria-busy="true">
      <main className="content">
        <h1 className="hidden-text">Loading</h1>
        <img src="/icons/48.png" width="32" height="32" alt="" />
        <Skeleton size="block" />
        <Skeleton size="line" />
        <Skeleton size="line" />
      </main>
    </div>
  )
}

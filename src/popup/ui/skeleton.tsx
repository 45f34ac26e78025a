import { words } from '../platform/words.ts'
import { classNames } from './class-names.ts'
import screenStyles from './screen.module.css'
import styles from './skeleton.module.css'
import layoutStyles from './styles/layout.module.css'
import textStyles from './styles/text.module.css'

type SkeletonSize = 'balance' | 'line' | 'short' | 'row' | 'block'

/** Grey bars where text will be. */
export function Skeleton({ size }: { size: SkeletonSize }) {
  return <span className={classNames(styles.skeleton, styles[size])} />
}

/** Several rows that are still on their way. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div className={layoutStyles.stack} aria-busy="true">
      <span className={textStyles.visuallyHidden}>{words('commonLoading')}</span>
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
    <div className={screenStyles.screen} aria-busy="true">
      <main className={screenStyles.content}>
        <h1 className={textStyles.visuallyHidden}>{words('commonLoading')}</h1>
        <img src="/icons/48.png" width="32" height="32" alt="" />
        <Skeleton size="block" />
        <Skeleton size="line" />
        <Skeleton size="line" />
      </main>
    </div>
  )
}

import { words } from '../platform/words.ts'
import { Button } from './button.tsx'
import noticeStyles from './notice.module.css'
import { Notice } from './notice.tsx'

type RetryNoticeProps = {
  tone: 'caution' | 'danger'
  title?: string
  /** Why it is not there, in words. */
  problem: string
  busy: boolean
  onRetry: () => void
}

/** What could not be had, and another try. */
export function RetryNotice({ tone, title = '', problem, busy, onRetry }: RetryNoticeProps) {
  return (
    <Notice tone={tone} title={title} live>
      <p>{problem}</p>
      <div className={noticeStyles.actions}>
        <Button variant="quiet" busy={busy} onClick={onRetry}>
          {words('commonTryAgain')}
        </Button>
      </div>
    </Notice>
  )
}

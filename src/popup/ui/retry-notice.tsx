import { words } from '../platform/words.ts'
import { Button } from './button.tsx'
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
    <Notice
      tone={tone}
      title={title}
      live
      actions={
        <Button variant="quiet" busy={busy} onClick={onRetry}>
          {words('commonTryAgain')}
        </Button>
      }
    >
      <p>{problem}</p>
    </Notice>
  )
}

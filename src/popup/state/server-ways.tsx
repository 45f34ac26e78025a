import { navigate } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import noticeStyles from '../ui/notice.module.css'

type ServerWaysProps = {
  /** Left out where asking again would not help. */
  onRetry?: () => void
  busy?: boolean
}

/** What can be done about a server that is the reason for a notice. */
export function ServerWays({ onRetry, busy = false }: ServerWaysProps) {
  return (
    <div className={noticeStyles.actions}>
      {onRetry ? (
        <Button variant="quiet" busy={busy} onClick={onRetry}>
          {words(busy ? 'commonAsking' : 'commonTryAgain')}
        </Button>
      ) : null}
      <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
        {words('serverChange')}
      </Button>
    </div>
  )
}

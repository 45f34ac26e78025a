import { navigate } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'

type ServerWaysProps = {
  /** Left out where asking again would not help. */
  onRetry?: () => void
  busy?: boolean
}

/** The `actions` of a notice that has a server for its reason. */
export function ServerWays({ onRetry, busy = false }: ServerWaysProps) {
  return (
    <>
      {onRetry ? (
        <Button variant="quiet" busy={busy} onClick={onRetry}>
          {words(busy ? 'commonAsking' : 'commonTryAgain')}
        </Button>
      ) : null}
      <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
        {words('serverChange')}
      </Button>
    </>
  )
}

import type { ServerProblem } from '../../background/views/settings-views.ts'
import { navigate } from '../platform/route.ts'
import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import noticeStyles from '../ui/notice.module.css'
import { Notice } from '../ui/notice.tsx'
import textStyles from '../ui/styles/text.module.css'
import { explainServerProblem } from './explain-error.ts'

type ServerNoticeProps = { problem: ServerProblem; busy: boolean; onRetry: () => void }

/** Why a server's answer is missing, what is safe, and the two ways on. */
export function ServerNotice({ problem, busy, onRetry }: ServerNoticeProps) {
  const { title, text } = explainServerProblem(problem)
  return (
    <Notice tone="caution" title={title} live>
      <p>{text}</p>
      <details>
        <summary>{words('serverAnswer')}</summary>
        <p className={classNames(textStyles.mono, textStyles.small, textStyles.breakable)}>
          {problem.detail}
        </p>
      </details>
      <div className={noticeStyles.actions}>
        <Button variant="quiet" busy={busy} onClick={onRetry}>
          {busy ? words('commonAsking') : words('commonTryAgain')}
        </Button>
        <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
          {words('serverChange')}
        </Button>
      </div>
    </Notice>
  )
}

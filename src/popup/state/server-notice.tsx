import type { ServerProblem } from '../../background/views/settings-views.ts'
import { words } from '../platform/words.ts'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import textStyles from '../ui/styles/text.module.css'
import { explainServerProblem } from './explain-error.ts'
import { ServerWays } from './server-ways.tsx'

type ServerNoticeProps = { problem: ServerProblem; busy: boolean; onRetry: () => void }

/** Why a server's answer is missing, what is safe, and the two ways on. */
export function ServerNotice({ problem, busy, onRetry }: ServerNoticeProps) {
  const { title, text } = explainServerProblem(problem)
  return (
    <Notice
      tone="caution"
      title={title}
      live
      actions={<ServerWays busy={busy} onRetry={onRetry} />}
    >
      <p>{text}</p>
      <details>
        <summary>{words('serverAnswer')}</summary>
        <p className={classNames(textStyles.mono, textStyles.small, textStyles.breakable)}>
          {problem.detail}
        </p>
      </details>
    </Notice>
  )
}

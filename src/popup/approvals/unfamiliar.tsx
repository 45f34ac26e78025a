import type { ApprovalView } from '../../background/views/approval-views.ts'
import { richWords, words } from '../platform/words.ts'
import { Notice } from '../ui/notice.tsx'
import textStyles from '../ui/styles/text.module.css'
import { describeOrigin } from '../ui/text/site-origin.ts'

/** What is to be known of a site without a connection: that it is new, and which known site its name looks like. */
export function Unfamiliar({ view }: { view: ApprovalView }) {
  const { unfamiliar, origin } = view
  if (!unfamiliar) return null
  const { looksLike } = unfamiliar
  if (looksLike === null) return <p className={textStyles.note}>{words('siteNew')}</p>
  return (
    <Notice tone="danger" title={words('siteLooksLike', { known: looksLike })}>
      <p>
        {richWords('siteLooksLikeNote', {
          known: <b className={textStyles.breakable}>{looksLike}</b>,
          host: <b className={textStyles.breakable}>{describeOrigin(origin).host}</b>,
        })}
      </p>
    </Notice>
  )
}

import type { InscriptionPage } from '../../background/views/asset-views.ts'
import { navigate } from '../platform/route.ts'
import { countWords, type WordKey, words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { UNCHECKED_WORDS } from '../ui/text/asset-names.ts'

type UncheckedNoticeProps = {
  unchecked: InscriptionPage['unchecked']
  /** What it means for the list. */
  note?: WordKey
  busy: boolean
  onRetry: () => void
}

/** Coins of which nobody has said what sits on them: the gallery may be short of something, and payments leave them alone. */
export function UncheckedNotice({
  unchecked,
  note = 'inscriptionsUncheckedNote',
  busy,
  onRetry,
}: UncheckedNoticeProps) {
  const { count, why } = unchecked
  if (count === 0) return null
  return (
    <Notice
      // A payment that has just arrived is nothing to worry about.
      tone={why === 'unconfirmed' ? 'info' : 'caution'}
      title={countWords(
        why === 'contradicted' ? 'inscriptionsContradicted' : 'inscriptionsUnchecked',
        count,
      )}
      actions={
        <>
          {why === 'unconfirmed' ? null : (
            <Button variant="quiet" busy={busy} onClick={onRetry}>
              {words('commonTryAgain')}
            </Button>
          )}
          {why !== null && why !== 'unconfirmed' && why !== 'contradicted' ? (
            <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
              {words('serverChange')}
            </Button>
          ) : (
            <Button variant="quiet" onClick={() => navigate('/coins')}>
              {words('inscriptionsSeeCoins')}
            </Button>
          )}
        </>
      }
    >
      <p>
        {why === null ? '' : `${words(UNCHECKED_WORDS[why])} `}
        {words(note)}
      </p>
    </Notice>
  )
}

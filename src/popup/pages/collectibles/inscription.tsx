import { ArrowUpRight, Flame } from 'lucide-react'
import { useState } from 'react'
import type { InscriptionDetail } from '../../../background/views/asset-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { isKeyless, isWatched } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { COIN_NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import {
  InscriptionPicture,
  isDrawn,
  nameContentKind,
  PictureSkeleton,
} from '../../ui/pictures/inscription-picture.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatSize } from '../../ui/text/size-text.ts'
import { obstacleOf } from './chosen.ts'
import { CoinParts, LockButton } from './coin-parts.tsx'
import styles from './collectibles.module.css'
import { InscriptionBlocks } from './inscription-blocks.tsx'
import { InscriptionFacts } from './inscription-facts.tsx'
import { explainProof, nameInscription, PROOFS } from './inscription-words.ts'
import { ReleaseButton, ReleasedNotice } from './release.tsx'
import { HiddenNotice, HideButton } from './visibility.tsx'

/** One inscription: what it looks like, how far the wallet checked it, where it is, and what can be done with it. */
export function Inscription({ state }: PageProps) {
  const [, id = ''] = useRoute()
  const { answer, problem, busy, retry } = useQuery(
    () => call('getInscription', { id }),
    `${subjectOf(state)} ${id}`,
    COIN_NEWS,
  )
  /** The one whose picture was asked for although it may be spam. */
  const [revealed, setRevealed] = useState<string | null>(null)
  const account = state.accounts.find(account => account.id === state.accountId)
  const canSend = !isWatched(account)
  const isVeiled = answer?.sorting.group === 'spam' && isDrawn(answer.kind) && revealed !== id
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        answer && canSend ? (
          <Button
            variant="primary"
            disabled={obstacleOf(answer) !== null}
            onClick={() => navigate(`/inscriptions/send/${id}`)}
          >
            <ArrowUpRight size={18} aria-hidden />
            {words('homeSend')}
          </Button>
        ) : null
      }
    >
      {answer ? (
        <>
          {isVeiled ? null : (
            <InscriptionPicture
              id={id}
              size="large"
              kind={answer.kind}
              label={nameInscription(answer)}
              isHeld
            />
          )}
          <div>
            <Title>{nameInscription(answer)}</Title>
            <p className={textStyles.muted}>
              {joinFacts([
                nameContentKind(answer.kind),
                ...(answer.contentLength === null ? [] : [formatSize(answer.contentLength)]),
              ])}
            </p>
          </div>
          <HiddenNotice
            inscription={answer}
            onReveal={isVeiled ? () => setRevealed(id) : null}
            onChanged={retry}
          />
          <ReleasedNotice inscription={answer} onChanged={retry} />
          <Proof inscription={answer} />
          {answer.proof === 'contradicted' ? null : <InscriptionBlocks inscription={answer} />}
          <CoinParts coin={answer} canSplit={!isKeyless(account)} onChanged={retry} />
          <InscriptionFacts inscription={answer} />
          <div className={layoutStyles.stack}>
            {canSend && answer.held === null ? (
              <LockButton outpoint={answer.outpoint} onChanged={retry} />
            ) : null}
            <HideButton inscription={answer} onChanged={retry} />
            {canSend ? <ReleaseButton inscription={answer} onChanged={retry} /> : null}
            {isKeyless(account) || obstacleOf(answer) !== null ? null : (
              <Button variant="quiet" start onClick={() => navigate(`/inscriptions/burn/${id}`)}>
                <Flame size={16} aria-hidden />
                {words('burnOpen')}
              </Button>
            )}
          </div>
        </>
      ) : (
        <>
          <Title hidden>{words('inscriptionTitle')}</Title>
          {problem ? null : (
            <>
              <PictureSkeleton size="large" />
              <Skeleton size="line" />
              <SkeletonRows count={2} />
            </>
          )}
        </>
      )}
      {problem ? (
        <RetryNotice
          tone="caution"
          title={words('inscriptionUnknown')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
    </Screen>
  )
}

/** How much of what is shown the wallet knows by itself, and how much is a server's word. */
function Proof({ inscription }: { inscription: InscriptionDetail }) {
  const { proof } = inscription
  const { Icon, name } = PROOFS[proof]
  return (
    <div className={classNames(styles.proof, styles[proof])} role="status">
      <Icon size={20} aria-hidden />
      <div>
        <strong>{words(name)}</strong>
        <p className={rowStyles.note}>{explainProof(inscription)}</p>
        {inscription.kind === 'brc-20' ? (
          <p className={rowStyles.note}>{words('proofToken')}</p>
        ) : null}
      </div>
    </div>
  )
}

import { CheckCheck, Combine, Download, PenLine, QrCode as QrIcon, Radio } from 'lucide-react'
import { useState } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import type { CosignersView } from '../../../background/views/cosigning-views.ts'
import type { LoadedPsbtReview, LoadedPsbtView } from '../../../background/views/psbt-views.ts'
import { fromHex, toBase64 } from '../../../bitcoin/bytes.ts'
import { CosignerProgress } from '../../forms/cosigner-progress.tsx'
import { goBack } from '../../platform/route.ts'
import { saveFile } from '../../platform/save-file.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { PsbtBody } from '../../review/psbt/psbt-body.tsx'
import type { Query } from '../../state/use-query.ts'
import type { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { PsbtCodeDialog } from './psbt-code.tsx'
import { nameFile } from './read-psbt.ts'

type PsbtStepsProps = {
  loaded: LoadedPsbtView
  account: AccountView | undefined
  reviewed: Query<LoadedPsbtReview>
  task: ReturnType<typeof useTask>
  onSign: () => void
  onCombine: () => void
  onFinalize: () => void
  onPush: () => void
  onClose: () => void
}

/** How far a PSBT is, and every step that can follow. */
export function PsbtSteps(props: PsbtStepsProps) {
  const { loaded, reviewed, task } = props
  const { answer, problem } = reviewed
  const [shown, setShown] = useState(false)
  const bytes = fromHex(loaded.psbt)
  const isFinal = loaded.final === loaded.inputs
  const isReady = isFinal || answer?.ready === true
  const canSign = (answer?.toSign ?? 0) > 0
  const save = () =>
    saveFile(
      nameFile(loaded.unsignedTxid, isFinal),
      new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }),
    )
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <div className={layoutStyles.answers}>
          <Button variant="secondary" busy={task.busy} onClick={props.onClose}>
            {words('commonClose')}
          </Button>
          {canSign ? (
            <Button variant="primary" onClick={props.onSign}>
              <PenLine size={18} aria-hidden />
              {words('psbtFileReview')}
            </Button>
          ) : isReady ? (
            <Button variant="primary" busy={task.busy} onClick={props.onPush}>
              <Radio size={18} aria-hidden />
              {words('pushVerb')}
            </Button>
          ) : (
            <Button variant="primary" onClick={save}>
              <Download size={18} aria-hidden />
              {words('psbtFileSave')}
            </Button>
          )}
        </div>
      }
    >
      <Title>{words(loaded.signed ? 'psbtFileSigned' : 'psbtFileTitle')}</Title>
      {task.failure ? (
        <Notice tone="danger" title={words('psbtFileFailed')} live>
          {task.failure}
        </Notice>
      ) : null}
      <PsbtState {...props} isFinal={isFinal} />
      {answer?.cosigners ? <CosignerProgress cosigners={answer.cosigners} /> : null}
      {problem === null ? null : (
        <Button variant="quiet" onClick={reviewed.retry}>
          {words('commonTryAgain')}
        </Button>
      )}
      <Rows label={words('psbtFileSteps')}>
        {canSign || isReady ? (
          <ActionRow
            icon={<Download size={18} aria-hidden />}
            title={words('psbtFileSave')}
            onPress={save}
          />
        ) : null}
        <ActionRow
          icon={<QrIcon size={18} aria-hidden />}
          title={words('psbtFileCode')}
          onPress={() => setShown(true)}
        />
        {isFinal ? null : (
          <ActionRow
            icon={<Combine size={18} aria-hidden />}
            title={words('psbtFileCombine')}
            note={words('psbtFileCombineNote')}
            onPress={props.onCombine}
          />
        )}
        {isReady && !isFinal ? (
          <ActionRow
            icon={<CheckCheck size={18} aria-hidden />}
            title={words('psbtFileFinalize')}
            note={words('psbtFileFinalizeNote')}
            busy={task.busy}
            onPress={props.onFinalize}
          />
        ) : null}
      </Rows>
      <div className={layoutStyles.rowButtons}>
        <CopyButton text={toBase64(bytes)} label={words('psbtFileBase64')} />
        <CopyButton text={loaded.psbt} label={words('psbtFileHex')} />
      </div>
      {answer?.review.items.map(item => (
        <PsbtBody key={answer.digest} view={item} />
      ))}
      {shown ? <PsbtCodeDialog bytes={bytes} onClose={() => setShown(false)} /> : null}
    </Screen>
  )
}

function PsbtState({
  reviewed: { answer, problem },
  isFinal,
  account,
}: PsbtStepsProps & { isFinal: boolean }) {
  if (problem !== null) {
    return (
      <Notice tone="caution" title={words('psbtFileUnknown')}>
        {problem}
      </Notice>
    )
  }
  if (answer === null) return <Skeleton size="row" />
  const [tone, text] = chooseState(answer, isFinal, account?.source)
  return (
    <div role="status">
      <Notice tone={tone}>{words(text)}</Notice>
    </div>
  )
}

function chooseState(
  { toSign, given, ready, cosigners }: LoadedPsbtReview,
  isFinal: boolean,
  source: AccountView['source'] | undefined,
): ['positive' | 'info', WordKey] {
  if (isFinal) return ['positive', 'psbtFileFinal']
  if (ready) return ['positive', 'psbtFileReady']
  if (toSign > 0) return ['info', 'psbtFileToSign']
  if (cosigners)
    return hasSigned(cosigners) ? ['positive', 'psbtFileOthers'] : ['info', 'psbtFileSigners']
  if (given > 0) return ['positive', 'psbtFileOthers']
  return ['info', source === 'watch' ? 'psbtFileWatched' : 'psbtFileNothing']
}

/** Whether this wallet is one of the signers, and has signed. */
function hasSigned({ signers }: CosignersView): boolean {
  return signers.some(({ isOwn, hasSigned }) => isOwn && hasSigned)
}

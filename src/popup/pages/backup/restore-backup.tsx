import { useRef, useState } from 'react'
import type { BackupPart, BackupReview } from '../../../background/views/backup-views.ts'
import { goBack } from '../../platform/route.ts'
import { call, RpcError } from '../../platform/rpc.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { BackupSections } from './backup-sections.tsx'
import { backupInWords } from './backup-words.ts'
import { FileChooser, readTextFile } from './file-chooser.tsx'

/** How many things were restored, and of which parts. */
type Restoration = { count: number; parts: ReadonlySet<BackupPart> }

type Opened = { file: string; password: string; review: BackupReview }

/** Characters of a file at most; the background refuses more. */
const LARGEST_FILE = 24 * 1024 * 1024

/** A file and its password, then what restoring it does, then that it is done. */
export function RestoreBackup({ onChanged }: PageProps) {
  const [chosen, setChosen] = useState<{ name: string; text: string } | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const [isTyped, setTyped] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [restored, setRestored] = useState<Restoration | null>(null)
  const task = useTask()
  if (restored !== null) return <Restored {...restored} />
  if (opened) {
    return (
      <Review
        opened={opened}
        onBack={() => setOpened(null)}
        onOutdated={review => setOpened({ ...opened, review })}
        onRestored={async restoration => {
          await onChanged()
          setRestored(restoration)
        }}
      />
    )
  }
  const open = () =>
    void task.run(async isWanted => {
      if (!chosen) throw new Error(words('backupFileChooseFirst'))
      const file = chosen.text
      const password = field.current?.value ?? ''
      const review = await backupInWords(call('reviewBackup', { file, password }))
      if (!isWanted()) return
      setOpened({ file, password, review })
      setTyped(false)
    })
  return (
    <FormScreen
      title={words('backupFileRestore')}
      lead={words('backupFileRestoreLead')}
      action={task.busy ? words('backupFileOpening') : words('backupFileOpen')}
      onBack={goBack}
      onSubmit={open}
      busy={task.busy}
      disabled={!chosen || !isTyped}
      failure={task.failure}
    >
      <FileChooser
        accept=".json,application/json"
        name={chosen?.name ?? null}
        busy={task.busy}
        onFile={file =>
          void task.run(async () =>
            setChosen({
              name: file.name,
              text: await readTextFile(file, LARGEST_FILE, 'backupErrorNone'),
            }),
          )
        }
      />
      <PasswordField
        label={words('backupFilePassword')}
        ref={field}
        onInput={event => {
          setTyped(event.currentTarget.value !== '')
          // The answer is to another password.
          task.forget()
        }}
      />
    </FormScreen>
  )
}

type ReviewProps = {
  opened: Opened
  onBack: () => void
  /** The wallet has changed since it was shown: this is what it would be now. */
  onOutdated: (review: BackupReview) => void
  onRestored: (restoration: Restoration) => Promise<void>
}

function Review({ opened, onBack, onOutdated, onRestored }: ReviewProps) {
  const { file, password, review } = opened
  const { digest, sections, isOwn, madeAt } = review
  const [chosen, setChosen] = useState<ReadonlySet<BackupPart>>(
    () => new Set(sections.filter(hasNews).flatMap(one => (one.suggested ? one.part : []))),
  )
  const task = useTask()
  const isNothing = !sections.some(hasNews)
  const isWhole = sections.every(one => one.leftOut === 0 && one.differingCount === 0)
  const restore = () =>
    void task.run(async () => {
      const parts = [...chosen]
      await backupInWords(call('restoreBackup', { file, password, digest, parts })).catch(
        async error => {
          if (!(error instanceof RpcError) || error.data?.reason !== 'PLAN_OUTDATED') throw error
          onOutdated(await backupInWords(call('reviewBackup', { file, password })))
          throw new Error(words('backupFileOutdated'))
        },
      )
      const done = sections.filter(({ part }) => chosen.has(part))
      const count = done.reduce((sum, one) => sum + countNews(one), 0)
      await onRestored({ count, parts: chosen })
    })
  return (
    <Screen
      head={<BackButton onBack={onBack} />}
      foot={
        isNothing ? (
          <Button variant="primary" onClick={goBack}>
            {words('commonDone')}
          </Button>
        ) : (
          <Button variant="primary" busy={task.busy} disabled={chosen.size === 0} onClick={restore}>
            {words(task.busy ? 'backupFileRestoring' : 'backupFileRestoreDo')}
          </Button>
        )
      }
    >
      <Title>{words('backupFileReview')}</Title>
      <p className={textStyles.muted}>
        {words('backupFileMadeAt', {
          date: new Intl.DateTimeFormat(currentLanguage(), {
            ...{ dateStyle: 'long', timeStyle: 'short' },
          }).format(madeAt),
        })}
      </p>
      {isOwn ? null : (
        <Notice tone="danger" title={words('backupFileOtherTitle')}>
          {words('backupFileOther')}
        </Notice>
      )}
      {isNothing ? (
        <Notice tone="info">{words(isWhole ? 'backupFileNothing' : 'backupFileNothingNew')}</Notice>
      ) : (
        <p className={textStyles.muted}>{words('backupFileReviewLead')}</p>
      )}
      {task.failure ? (
        <Notice tone="danger" title={words('backupFileFailed')} live>
          {task.failure}
        </Notice>
      ) : null}
      <BackupSections
        sections={sections}
        chosen={chosen}
        disabled={task.busy}
        onChoose={(part, on) => {
          const next = new Set(chosen)
          if (on) next.add(part)
          else next.delete(part)
          setChosen(next)
        }}
      />
    </Screen>
  )
}

function Restored({ count, parts }: Restoration) {
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button variant="primary" onClick={goBack}>
          {words('commonDone')}
        </Button>
      }
    >
      <Title>{words('backupFileRestored')}</Title>
      <p className={textStyles.muted}>{countWords('backupFileRestoredNote', count)}</p>
      {parts.has('jobs') ? (
        <p className={textStyles.muted}>{words('backupFileRestoredJobs')}</p>
      ) : null}
      {parts.has('sites') ? (
        <p className={textStyles.muted}>{words('backupFileRestoredSites')}</p>
      ) : null}
    </Screen>
  )
}

/** Settings and servers take the place of others; of the rest only what is new is written. */
function countNews(section: BackupReview['sections'][number]): number {
  const { part, addedCount, differingCount } = section
  return addedCount + (part === 'settings' || part === 'servers' ? differingCount : 0)
}

export function hasNews(section: BackupReview['sections'][number]): boolean {
  return countNews(section) > 0
}

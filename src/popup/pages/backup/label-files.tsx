import { Download } from 'lucide-react'
import { useState } from 'react'
import type { LabelsReview } from '../../../background/views/backup-views.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { saveFile } from '../../platform/save-file.ts'
import { countWords, words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { showToast } from '../../ui/toast.tsx'
import { BackupSections } from './backup-sections.tsx'
import { FileChooser, readTextFile } from './file-chooser.tsx'

/** Bytes of a file at most; the background refuses more characters. */
const LARGEST_FILE = 16 * 1024 * 1024

/** Labels as other wallets read and write them (BIP-329), out and in. */
export function LabelFiles() {
  const [read, setRead] = useState<{ text: string; review: LabelsReview } | null>(null)
  const [isNone, setNone] = useState(false)
  const task = useTask()
  if (read) return <Review {...read} onBack={() => setRead(null)} />
  const save = () =>
    task.run(async () => {
      const { text, count } = await call('exportLabels', null)
      setNone(count === 0)
      if (count === 0) return
      saveFile('satchel-labels.jsonl', new Blob([text], { type: 'application/jsonl' }))
      showToast(countWords('labelsSaved', count))
    })
  const load = (file: File) =>
    task.run(async () => {
      const text = await readTextFile(file, LARGEST_FILE, 'labelsUnreadable')
      setRead({ text, review: await call('reviewLabels', { text }) })
    })
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('labelsTitle')}</Title>
      <p className={textStyles.muted}>{words('labelsLead')}</p>
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      {isNone ? (
        <Notice tone="info" live>
          {words('labelsNone')}
        </Notice>
      ) : null}
      <section className={layoutStyles.stack}>
        <h2>{words('labelsExport')}</h2>
        <p className={textStyles.note}>{words('labelsExportNote')}</p>
        <Button variant="secondary" busy={task.busy} onClick={() => void save()}>
          <Download size={18} aria-hidden />
          {words('labelsExportDo')}
        </Button>
      </section>
      <section className={layoutStyles.stack}>
        <h2>{words('labelsImport')}</h2>
        <p className={textStyles.note}>{words('labelsImportNote')}</p>
        <FileChooser
          accept=".jsonl,.json,.txt,text/plain,application/json"
          name={null}
          busy={task.busy}
          onFile={file => void load(file)}
        />
      </section>
    </Screen>
  )
}

function Review(props: { text: string; review: LabelsReview; onBack: () => void }) {
  const { text, review, onBack } = props
  const { digest, sections, skipped, malformed } = review
  const task = useTask()
  const added = sections.reduce((sum, { addedCount }) => sum + addedCount, 0)
  const add = () =>
    task.run(async () => {
      await call('importLabels', { text, digest })
      showToast(countWords('labelsAdded', added))
      onBack()
    })
  return (
    <Screen
      head={<BackButton onBack={onBack} />}
      foot={
        added === 0 ? (
          <Button variant="primary" onClick={onBack}>
            {words('commonDone')}
          </Button>
        ) : (
          <Button variant="primary" busy={task.busy} onClick={() => void add()}>
            {countWords('labelsAdd', added)}
          </Button>
        )
      }
    >
      <Title>{words('labelsReview')}</Title>
      {added === 0 ? <Notice tone="info">{words('labelsNothing')}</Notice> : null}
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      <BackupSections sections={sections} chosen={null} disabled={task.busy} onChoose={() => {}} />
      {skipped > 0 ? (
        <p className={textStyles.note}>{countWords('labelsSkipped', skipped)}</p>
      ) : null}
      {malformed > 0 ? (
        <p className={textStyles.note}>{countWords('labelsMalformed', malformed)}</p>
      ) : null}
    </Screen>
  )
}

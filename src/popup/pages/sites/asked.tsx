import { Download, ScrollText } from 'lucide-react'
import { useEffect, useState } from 'react'
import type {
  AnswerFilter,
  AskedEntryView,
} from '../../../background/views/approval-history-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { saveFile } from '../../platform/save-file.ts'
import { countWords, richWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { Link, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { TERM_NAMES } from '../../ui/text/grant-terms.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatMoment } from '../../ui/text/time-text.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  describeAmounts,
  describePlace,
  listTexts,
  nameAnswer,
  nameQuestion,
} from './question-words.ts'
import styles from './sites.module.css'

/** Entries of one answer of the background. */
const PAGE = 50

/** What all sites asked, or the one that the path names, and what was answered. */
export function Asked(_: PageProps) {
  const [, , , origin = null] = useRoute()
  const [answer, setAnswer] = useState<AnswerFilter>('all')
  const [pages, setPages] = useState(1)
  const {
    answer: history,
    problem,
    busy,
    retry,
  } = useQuery(() => loadPages(origin, answer, pages), answer, ['approvalHistory'])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown stays until there is more of it
  useEffect(() => (pages > 1 ? retry() : undefined), [pages])
  const [clearing, setClearing] = useState(false)
  const task = useTask()
  const exportAll = () =>
    task.run(async () => {
      const { csv } = await call('exportApprovalHistory', {
        origin,
        unnamed: words('accountUnnamed'),
      })
      const about = origin === null ? '' : ` ${describeOrigin(origin).host}`
      saveFile(`satchel sites${about}.csv`, new Blob([csv], { type: 'text/csv;charset=utf-8' }))
      showToast(words('askedExported'))
    })
  const clear = () =>
    task.run(async () => {
      await call('clearApprovalHistory', { origin })
      setClearing(false)
      retry()
      showToast(words('askedCleared'))
    })
  const isEmpty = history?.total === 0
  return (
    <>
      <Screen
        head={
          <>
            <BackButton onBack={goBack} />
            <span className={layoutStyles.push}>
              <IconButton label={words('askedExport')} onClick={() => void exportAll()}>
                <Download size={20} aria-hidden />
              </IconButton>
            </span>
          </>
        }
      >
        <Title>{words(origin === null ? 'askedTitle' : 'askedTitleOne')}</Title>
        {origin === null ? null : (
          <p className={classNames(textStyles.mono, textStyles.breakable)}>
            {describeOrigin(origin).host}
          </p>
        )}
        <p className={textStyles.muted}>{words('askedLead')}</p>
        <Segments<AnswerFilter>
          label={words('askedFilter')}
          value={answer}
          options={[
            { value: 'all', name: words('askedAll') },
            { value: 'approved', name: words('askedApproved') },
            { value: 'not-approved', name: words('askedNotApproved') },
          ]}
          onChoose={chosen => {
            setAnswer(chosen)
            setPages(1)
          }}
        />
        {task.failure && !clearing ? (
          <Notice tone="danger" live>
            {task.failure}
          </Notice>
        ) : null}
        {problem ? (
          <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} />
        ) : history === null ? (
          <SkeletonRows count={4} />
        ) : isEmpty ? (
          <Empty icon={<ScrollText size={20} aria-hidden />} title={words('askedNone')}>
            {words(answer === 'all' ? 'askedNoneNote' : 'askedNoneOfKind')}
          </Empty>
        ) : (
          <Rows label={words('askedTitle')}>
            {history.entries.map(entry => (
              <Entry key={entry.id} entry={entry} withSite={origin === null} />
            ))}
          </Rows>
        )}
        {history && history.entries.length < history.total ? (
          <Button variant="secondary" busy={busy} onClick={() => setPages(pages + 1)}>
            {words('askedMore')}
          </Button>
        ) : null}
        {history && !isEmpty ? (
          <Button variant="quiet" onClick={() => setClearing(true)}>
            {words('askedClear')}
          </Button>
        ) : null}
      </Screen>
      {clearing ? (
        <ConfirmDialog
          title={words('askedClearTitle')}
          action={words('askedClearAction')}
          busy={task.busy}
          failure={task.failure}
          onConfirm={() => void clear()}
          onClose={() => setClearing(false)}
        >
          <p>{words(origin === null ? 'askedClearNote' : 'askedClearNoteOne')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

async function loadPages(origin: string | null, answer: AnswerFilter, pages: number) {
  const entries: AskedEntryView[] = []
  let total = 0
  for (let page = 0; page < pages; page++) {
    const place = { offset: page * PAGE, limit: PAGE }
    const loaded = await call('getApprovalHistory', { origin, answer, ...place })
    entries.push(...loaded.entries)
    total = loaded.total
  }
  return { entries, total }
}

const TONES = { approved: 'yes', failed: 'failed' } as const

function Entry({ entry, withSite }: { entry: AskedEntryView; withSite: boolean }) {
  const amounts = useAmounts()
  const { question, answer, reason, txids, origin } = entry
  const tone = answer === 'approved' || answer === 'failed' ? TONES[answer] : 'no'
  const sentence = describeAmounts(question, amounts)
  const place = describePlace(entry)
  const texts = listTexts(question, amounts)
  const listed = question.kind === 'payment' ? question.recipients : texts
  const count = 'count' in question ? question.count : listed.length
  return (
    <li className={styles.asked} data-testid="asked">
      <div className={styles.askedHead}>
        <h3>{nameQuestion(question)}</h3>
        <span className={classNames(styles.answer, styles[tone])}>{nameAnswer(answer)}</span>
      </div>
      {withSite ? (
        <span className={classNames(textStyles.mono, textStyles.breakable)}>
          {describeOrigin(origin).host}
        </span>
      ) : null}
      {sentence ? <span>{sentence}</span> : null}
      {question.kind === 'payment'
        ? question.recipients.map(({ address, sats }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an address may come twice
            <span key={at} className={textStyles.note} title={address}>
              {words('askedTo', {
                address: shortenAddress(address),
                amount: amounts.coin(BigInt(sats)),
              })}
            </span>
          ))
        : null}
      {question.kind === 'connect' && answer === 'approved' ? (
        <span className={textStyles.note}>{words(TERM_NAMES[question.term])}</span>
      ) : null}
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text may come twice
        <span key={at} className={styles.text}>
          <VisibleText text={text} />
        </span>
      ))}
      {listed.length > 0 && count > listed.length ? (
        <span className={textStyles.note}>{countWords('askedMoreOf', count - listed.length)}</span>
      ) : null}
      {reason && answer !== 'approved' ? (
        <span className={textStyles.note}>
          {richWords('askedReason', { reason: <VisibleText text={reason} /> })}
        </span>
      ) : null}
      {txids.map(txid => (
        <span key={txid} className={textStyles.note}>
          {answer === 'approved' ? (
            <Link to={`/activity/${txid}`}>
              {words('askedTransaction', { txid: shortenTxid(txid) })}
            </Link>
          ) : (
            words('askedTransaction', { txid: shortenTxid(txid) })
          )}
        </span>
      ))}
      <span className={textStyles.note}>{joinFacts([place, formatMoment(entry.at)])}</span>
    </li>
  )
}

function shortenTxid(txid: string): string {
  return `${txid.slice(0, 8)}…${txid.slice(-8)}`
}

import { ExternalLink } from 'lucide-react'
import type {
  ActivityDetails,
  ActivityEntry,
} from '../../../background/ui-methods/activity-views.ts'
import type { WalletState } from '../../../background/ui-methods/ui-methods.ts'
import type { PageProps } from '../../app.tsx'
import { nameAbout } from '../../approvals/about-words.ts'
import { Parts } from '../../approvals/transaction-facts.tsx'
import { TransactionFlow } from '../../approvals/transaction-flow.tsx'
import { goBack, useRoute } from '../../route.ts'
import { call } from '../../rpc.ts'
import { AddressText } from '../../ui/address-text.tsx'
import { Amount } from '../../ui/amount.tsx'
import { formatFeeRate, formatShare, nameSats } from '../../ui/btc-digits.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIconButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { describeOrigin } from '../../ui/site-origin.ts'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { formatMoment } from '../../ui/time-text.ts'
import { useAnswer } from '../../use-answer.ts'
import { NEWS, subjectOf } from '../../use-overview.ts'
import { countWords, currentLanguage, type WordKey, words } from '../../words.ts'
import './activity.css'
import { Bumps } from './bumps.tsx'
import { DropUnsent } from './drop-unsent.tsx'
import { EntryIcon } from './entry-row.tsx'
import { isInscribing, isVoid, isWaiting, nameKind, STATUS_WORDS } from './entry-words.ts'
import { JobLink } from './job-link.tsx'
import { LabelForm } from './label-form.tsx'

/** One transaction: how it stands and what that means, what can be done about it, where the bitcoin went. */
export function Transaction({ state }: PageProps) {
  const [, txid = ''] = useRoute()
  const { answer, problem, busy, retry } = useAnswer(
    () => call('getActivityDetails', { txid }),
    `${subjectOf(state)} ${txid}`,
    NEWS,
  )
  const account = state.accounts.find(({ id }) => id === state.accountId)
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      {answer ? (
        <Details details={answer} state={state} canSign={account?.source !== 'watch'} />
      ) : (
        <>
          <Title hidden>{words('transactionTitle')}</Title>
          {problem ? null : (
            <>
              <Skeleton size="balance" />
              <SkeletonRows count={4} />
            </>
          )}
        </>
      )}
      {problem ? (
        <Notice tone="danger" title={answer ? '' : words('transactionMissing')} live>
          <p>{problem}</p>
          <div className="notice-actions">
            <Button look="quiet" busy={busy} onClick={retry}>
              {words('commonTryAgain')}
            </Button>
          </div>
        </Notice>
      ) : null}
    </Screen>
  )
}

type DetailsProps = { details: ActivityDetails; state: WalletState; canSign: boolean }

function Details({ details, state, canSign }: DetailsProps) {
  const { entry, inputs, outputs, vsize } = details
  const net = entry.net === null ? null : BigInt(entry.net)
  return (
    <>
      <div className="tx-head">
        <Title>{nameKind(entry)}</Title>
        {net === null ? null : (
          <>
            <p className={`figure${isVoid(entry) ? ' void' : ''}`}>
              {net > 0n ? '+' : ''}
              <Amount sats={net} />
            </p>
            <p className="muted">{nameSats(net)}</p>
          </>
        )}
      </div>
      <Status entry={entry} confirmations={details.confirmations} />
      {canSign ? <Ways entry={entry} state={state} /> : null}
      {inputs.length > 0 && !isVoid(entry) ? (
        <TransactionFlow inputs={inputs} outputs={outputs} />
      ) : null}
      <Facts details={details} />
      <LabelForm key={entry.label} txid={entry.txid} label={entry.label} />
      {inputs.length > 0 && vsize !== null ? (
        <Parts inputs={inputs} outputs={outputs} vsize={vsize} txid={entry.txid} />
      ) : null}
    </>
  )
}

/** What can be done about it: nothing of an inscribing is changed alone. */
function Ways({ entry, state }: { entry: ActivityEntry; state: WalletState }) {
  const { txid } = entry
  if (entry.status === 'unsent') return <DropUnsent txid={txid} />
  if (isInscribing(entry)) return <JobLink txid={txid} state={state} />
  return isWaiting(entry) ? <Bumps txid={txid} /> : null
}

const STATUS_MEANINGS: { [status in ActivityEntry['status']]: WordKey } = {
  unsent: 'transactionUnsent',
  sending: 'transactionSending',
  pending: 'transactionPending',
  confirmed: 'transactionConfirmed',
  reorganised: 'transactionReorganised',
  replaced: 'transactionReplaced',
  failed: 'transactionFailed',
}

/** From this many blocks on nobody expects a transaction to be undone. */
const FINAL = 6

function Status({ entry, confirmations }: { entry: ActivityEntry; confirmations: number }) {
  const young = entry.status === 'confirmed' && confirmations < FINAL
  return (
    <div className="status" role="status">
      <EntryIcon entry={entry} />
      <div>
        <strong>
          {entry.status === 'confirmed' && confirmations > 0
            ? countWords('transactionConfirmations', confirmations)
            : words(STATUS_WORDS[entry.status])}
        </strong>
        <p className="row-note">
          {words(young ? 'transactionYoung' : STATUS_MEANINGS[entry.status])}
        </p>
        {entry.replacedBy ? (
          <Link to={`/activity/${entry.replacedBy}`}>{words('transactionReplacement')}</Link>
        ) : null}
      </div>
    </div>
  )
}

function Facts({ details }: { details: ActivityDetails }) {
  const { entry, feeRate, explorerUrl } = details
  const fee = entry.fee === null ? null : BigInt(entry.fee)
  const net = entry.net === null ? null : BigInt(entry.net)
  return (
    <dl className="facts">
      <div>
        <dt>{words(entry.height === null ? 'transactionSince' : 'transactionAt')}</dt>
        <dd>{formatMoment(entry.at)}</dd>
      </div>
      {entry.counterparty === null ? null : (
        <div>
          <dt>{words(entry.kind === 'received' ? 'transactionFrom' : 'transactionTo')}</dt>
          <dd>
            {entry.counterpartyName ? <p className="row-title">{entry.counterpartyName}</p> : null}
            <AddressText address={entry.counterparty} />
          </dd>
        </div>
      )}
      {entry.origin === null ? null : (
        <div>
          <dt>{words('transactionAskedBy')}</dt>
          <dd className="mono breakable">{describeOrigin(entry.origin).host}</dd>
        </div>
      )}
      {entry.about === null ? null : (
        <div>
          <dt>{words('aboutCalled')}</dt>
          <dd>
            {nameAbout(entry.about)}
            {entry.about.inscription === null ? null : (
              <span className="sub mono breakable">{entry.about.inscription}</span>
            )}
          </dd>
        </div>
      )}
      {fee === null ? null : (
        <div>
          <dt>{words('transactionFee')}</dt>
          <dd>
            {nameSats(fee)}
            <span className="sub">
              {net !== null && net < -fee && !isInscribing(entry)
                ? `${formatShare(fee, -net - fee)} · `
                : ''}
              {feeRate === null ? '' : `${formatFeeRate(feeRate)} sat/vB`}
            </span>
          </dd>
        </div>
      )}
      {entry.height === null ? null : (
        <div>
          <dt>{words('transactionBlock')}</dt>
          <dd>{entry.height.toLocaleString(currentLanguage())}</dd>
        </div>
      )}
      <div>
        <dt>{words('transactionId')}</dt>
        <dd className="with-copy">
          <span className="mono" title={entry.txid}>
            {`${entry.txid.slice(0, 8)}…${entry.txid.slice(-8)}`}
          </span>
          <CopyIconButton text={entry.txid} label={words('transactionCopyId')} />
        </dd>
      </div>
      {explorerUrl ? (
        <div>
          <dt>{words('transactionExplorer')}</dt>
          <dd>
            <a className="link" href={explorerUrl} target="_blank" rel="noreferrer">
              {new URL(explorerUrl).host} <ExternalLink size={14} aria-hidden />
            </a>
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

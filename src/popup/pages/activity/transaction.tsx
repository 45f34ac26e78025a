import { Gem, PenLine } from 'lucide-react'
import type { ActivityDetails, ActivityEntry } from '../../../background/views/activity-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import { nameAbout } from '../../review/about-words.ts'
import { ProofLine, useProof } from '../../review/proof-line.tsx'
import { Fact, FeeFact, Parts } from '../../review/transaction-facts.tsx'
import { TransactionFlow } from '../../review/transaction-flow.tsx'
import type { PageProps } from '../../state/page-props.ts'
import { useUnshared } from '../../state/unshared-notice.tsx'
import { useJobs } from '../../state/use-jobs.ts'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { classNames } from '../../ui/class-names.ts'
import { CopiedText } from '../../ui/copied-text.tsx'
import { ExplorerLink } from '../../ui/explorer-link.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import rowStyles from '../../ui/row.module.css'
import { Link, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { StatusBanner } from '../../ui/status-banner.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { AddressText } from '../../ui/text/address-text.tsx'
import { Amount } from '../../ui/text/amount.tsx'
import { formatFeeRate } from '../../ui/text/btc-digits.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { sayName } from '../../ui/text/names.ts'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatMoment } from '../../ui/text/time-text.ts'
import styles from './activity.module.css'
import { Bumps } from './bumps.tsx'
import { DropUnsent } from './drop-unsent.tsx'
import { EntrySign } from './entry-row.tsx'
import {
  explainStatus,
  isInscribing,
  isMint,
  isPublic,
  isVoid,
  isWaiting,
  nameKind,
  nameStatus,
} from './entry-words.ts'
import { LabelForm } from './label-form.tsx'
import { UnsharedWays } from './unshared-ways.tsx'

/** One transaction: how it stands and what that means, what can be done about it, where the bitcoin went. */
export function Transaction({ state }: PageProps) {
  const [, txid = ''] = useRoute()
  const { answer, problem, busy, retry } = useQuery(
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
        <RetryNotice
          tone="danger"
          title={answer ? '' : words('transactionMissing')}
          problem={problem}
          busy={busy}
          onRetry={retry}
        />
      ) : null}
    </Screen>
  )
}

type DetailsProps = { details: ActivityDetails; state: WalletState; canSign: boolean }

function Details({ details, state, canSign }: DetailsProps) {
  const { entry, inputs, outputs, vsize } = details
  const net = entry.net === null ? null : BigInt(entry.net)
  const proof = useProof(entry, state)
  const amounts = useAmounts()
  const isUnproven = proof.answer?.is === 'unproven'
  const unshared = useUnshared(state)
  const payment = unshared.answer?.payments.find(({ txid }) => txid === entry.txid)
  return (
    <>
      <div className={styles.head}>
        <Title>{nameKind(entry)}</Title>
        {net === null ? null : (
          <>
            <p
              className={classNames(
                styles.figure,
                isVoid(entry) && !amounts.isHidden && styles.void,
              )}
            >
              <span dir="ltr">
                {net > 0n && !amounts.isHidden ? '+' : ''}
                <Amount sats={net} />
              </span>
            </p>
            <p className={textStyles.muted}>
              {amounts.isHidden ? words('homeAmountsHidden') : amounts.sats(net)}
            </p>
          </>
        )}
      </div>
      <Status
        entry={entry}
        confirmations={details.confirmations}
        isUnproven={isUnproven}
        isUnshared={payment !== undefined}
      />
      {entry.status === 'confirmed' ? <ProofLine proof={proof} /> : null}
      {payment ? <UnsharedWays payment={payment} onHandedOver={unshared.retry} /> : null}
      {canSign ? <Ways entry={entry} state={state} /> : null}
      {inputs.length > 0 && !isVoid(entry) && !amounts.isHidden ? (
        <TransactionFlow inputs={inputs} outputs={outputs} />
      ) : null}
      <Facts details={details} />
      <LabelForm txid={entry.txid} label={entry.label} />
      {inputs.length > 0 && vsize !== null ? (
        <Parts
          inputs={inputs}
          outputs={outputs}
          vsize={vsize}
          txid={entry.txid}
          hidden={amounts.isHidden}
        />
      ) : null}
    </>
  )
}

/** What can be done about it. A transaction of an inscribing job is only changed through its job. */
function Ways({ entry, state }: { entry: ActivityEntry; state: WalletState }) {
  const { txid } = entry
  if (isMint(entry)) return <MintLink txid={txid} state={state} />
  if (entry.status === 'unsent') return <DropUnsent txid={txid} />
  if (isInscribing(entry)) return <JobLink txid={txid} state={state} />
  return isWaiting(entry) ? <Bumps txid={txid} /> : null
}

/** From this many confirmations on, a reorganisation is not to be expected. */
const FINAL = 6

type StatusProps = {
  entry: ActivityEntry
  confirmations: number
  isUnproven: boolean
  /** Whether a server does not have it: the network may not know it. */
  isUnshared: boolean
}

function Status({ entry, confirmations, isUnproven, isUnshared }: StatusProps) {
  const young = entry.status === 'confirmed' && confirmations < FINAL
  const known = isUnshared ? words('unsharedPending') : explainStatus(entry)
  const explained = young ? words('transactionYoung') : known
  const title =
    entry.status === 'confirmed' && confirmations > 0 && !isUnproven
      ? countWords('transactionConfirmations', confirmations)
      : nameStatus(entry)
  return (
    <StatusBanner sign={<EntrySign entry={entry} />} title={title}>
      <p className={rowStyles.note}>{isUnproven ? words('proofServerOnly') : explained}</p>
      {entry.replacedBy ? (
        <Link to={`/activity/${entry.replacedBy}`}>{words('transactionReplacement')}</Link>
      ) : null}
    </StatusBanner>
  )
}

function Facts({ details }: { details: ActivityDetails }) {
  const { entry, feeRate, explorerUrl } = details
  const { isHidden } = useAmounts()
  const fee = entry.fee === null ? null : BigInt(entry.fee)
  const net = entry.net === null ? null : BigInt(entry.net)
  return (
    <dl className={factsStyles.facts}>
      <Fact name={words(entry.height === null ? 'transactionSince' : 'transactionAt')}>
        {formatMoment(entry.at)}
      </Fact>
      {entry.counterparty === null ? null : (
        <Fact name={words(entry.kind === 'received' ? 'transactionFrom' : 'transactionTo')}>
          {entry.counterpartyName ? (
            <p className={rowStyles.title}>{sayName(entry.counterpartyName)}</p>
          ) : null}
          <AddressText address={entry.counterparty} />
        </Fact>
      )}
      {entry.origin === null ? null : (
        <Fact name={words('transactionAskedBy')}>
          <span className={classNames(textStyles.mono, textStyles.breakable)}>
            {describeOrigin(entry.origin).host}
          </span>
        </Fact>
      )}
      {entry.about === null ? null : (
        <Fact name={words('aboutCalled')}>
          {nameAbout(entry.about)}
          {entry.about.inscription === null ? null : (
            <span className={classNames(factsStyles.sub, textStyles.mono, textStyles.breakable)}>
              {entry.about.inscription}
            </span>
          )}
        </Fact>
      )}
      {fee === null ? null : (
        <FeeFact
          name={words('transactionFee')}
          fee={fee}
          hidden={isHidden}
          of={net !== null && net < -fee && !isInscribing(entry) ? -net - fee : 0n}
          rate={feeRate === null ? null : `${formatFeeRate(feeRate)} sat/vB`}
        />
      )}
      {entry.height === null ? null : (
        <Fact name={words('transactionBlock')}>
          {entry.height.toLocaleString(currentLanguage())}
        </Fact>
      )}
      <Fact name={words('transactionId')}>
        <CopiedText text={entry.txid} label={words('transactionCopyId')}>
          {`${entry.txid.slice(0, 8)}…${entry.txid.slice(-8)}`}
        </CopiedText>
      </Fact>
      {explorerUrl && isPublic(entry) ? (
        <Fact name={words('transactionExplorer')}>
          <ExplorerLink url={explorerUrl} />
        </Fact>
      ) : null}
    </dl>
  )
}

/** Links a transaction to its inscribing job, or to all jobs where it was replaced since. */
function MintLink({ txid, state }: { txid: string; state: WalletState }) {
  const { answer } = useQuery(() => call('getRuneMints', null), subjectOf(state), NEWS)
  const mint = answer?.find(({ mints }) => mints.some(one => one.txid === txid))
  if (!mint) return null
  return (
    <Rows label={words('transactionMint')}>
      <LinkRow
        to={`/runes/mints/${mint.id}`}
        icon={<Gem size={18} aria-hidden />}
        title={words('transactionMint')}
        note={words('transactionMintNote')}
      />
    </Rows>
  )
}

function JobLink({ txid, state }: { txid: string; state: WalletState }) {
  const { answer } = useJobs(state)
  const job = answer?.find(
    ({ commit, items, delivery }) =>
      commit.txid === txid ||
      delivery?.txid === txid ||
      items.some(({ inscriptionId }) => inscriptionId.startsWith(txid)),
  )
  return (
    <Rows label={words('transactionJob')}>
      <LinkRow
        to={job ? `/inscribe/jobs/${job.id}` : '/inscribe/jobs'}
        icon={<PenLine size={18} aria-hidden />}
        title={words('transactionJob')}
        note={words('transactionJobNote')}
      />
    </Rows>
  )
}

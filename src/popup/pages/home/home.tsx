import { isKeyless } from '../../state/can-sign.ts'
/**
 * The start screen: balance, assets, newest activity, and switching account and network. It is the only page that uses
 * parts of other pages.
 */

import {
  ArrowDownToLine,
  ArrowUpRight,
  CircleDollarSign,
  Coins,
  PenLine,
  Plus,
  Signature,
  Users,
  Wallet,
} from 'lucide-react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { navigate } from '../../platform/route.ts'
import { call, walletVersion } from '../../platform/rpc.ts'
import { useWide } from '../../platform/wide.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ServerNotice } from '../../state/server-notice.tsx'
import { useOverview } from '../../state/use-overview.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { Link } from '../../ui/row.tsx'
import { Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import { HomeAtomicals } from '../collectibles/home-atomicals.tsx'
import { HomeInscriptions } from '../collectibles/home-inscriptions.tsx'
import { HomeJobs } from '../jobs/home-jobs.tsx'
import { Balance } from './balance.tsx'
import { BehindNotice } from './behind-notice.tsx'
import { ChainNotice } from './chain-notice.tsx'
import styles from './home.module.css'
import { HomeCosignings } from './home-cosignings.tsx'
import { HomeHead } from './home-head.tsx'
import { NewestActivity } from './newest-activity.tsx'
import { UnprovenNotice } from './unproven-notice.tsx'
import { UnsharedPaymentNotice } from './unshared-payment.tsx'

/** Most people need no code for these, nor whoever set no fee to be told of. */
const NewsLine = loadable(async () => (await import('../news/news-line.tsx')).NewsLine, 'soon')
const FirstReceive = loadable(
  async () => (await import('./first-receive.tsx')).FirstReceive,
  'soon',
  <SkeletonRows count={3} />,
)
const FirstPayment = loadable(
  async () => (await import('./first-payment.tsx')).FirstPayment,
  'soon',
)
const LowFees = loadable(async () => (await import('./low-fees.tsx')).LowFees, 'soon')

/** The account in use: what it holds, what happened last, and where to go on. */
export function Home(props: PageProps) {
  const account = props.state.accounts.find(({ id }) => id === props.state.accountId)
  return account ? <AccountHome {...props} account={account} /> : <NoAccount {...props} />
}

function AccountHome({ state, onChanged, account }: PageProps & { account: AccountView }) {
  const { answer, problem, busy, retry, lastBalance } = useOverview(state)
  const { run, failure } = useTask()
  const hide = (hideAmounts: boolean) =>
    run(async () => {
      await call('changeSettings', { hideAmounts })
      await onChanged()
    })
  const balance = answer?.balance ?? lastBalance
  const empty = balance !== null && BigInt(balance.confirmed) + BigInt(balance.unconfirmed) === 0n
  const watched = account.source === 'watch'
  const limit = state.settings.feeAlert
  const { newsUpTo, awaitsFirstPayment } = state.oneTimeNotices
  const isUnused = empty && !watched && answer?.problem === null && answer.activity.length === 0
  const isWide = useWide()
  const actions = (
    <div className={layoutStyles.pair}>
      {watched ? null : (
        <Button variant={empty ? 'secondary' : 'primary'} onClick={() => navigate('/send')}>
          <ArrowUpRight size={18} aria-hidden />
          {words('homeSend')}
        </Button>
      )}
      <Button
        variant={empty || watched ? 'primary' : 'secondary'}
        onClick={() => navigate('/receive')}
      >
        <ArrowDownToLine size={18} aria-hidden />
        {words('homeReceive')}
      </Button>
    </div>
  )

  return (
    // The navigation of a wide window has the account, and the ways to other screens.
    <Screen
      room="table"
      head={isWide ? null : <HomeHead state={state} onChanged={onChanged} />}
      foot={isWide ? null : actions}
    >
      <Title hidden>{words('homeTitle')}</Title>
      <Waiting count={state.pendingApprovals} />
      <div className={styles.top}>
        <Balance
          balance={balance}
          price={answer?.price ?? null}
          loading={answer === null && problem === null}
          old={answer !== null && answer.balance === null}
          onHide={hidden => void hide(hidden)}
        />
        {isWide ? actions : null}
      </div>
      {newsUpTo !== null && newsUpTo !== walletVersion() ? (
        <NewsLine state={state} onChanged={onChanged} />
      ) : null}
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      {watched ? <Notice tone="info">{words('homeWatched')}</Notice> : null}
      {answer?.problem ? (
        <ServerNotice problem={answer.problem} busy={busy} onRetry={retry} />
      ) : null}
      {answer && !answer.problem ? (
        <>
          <BehindNotice state={state} />
          <ChainNotice state={state} />
          <UnprovenNotice state={state} />
          <UnsharedPaymentNotice state={state} />
          {limit === null ? null : <LowFees state={state} limit={limit} />}
        </>
      ) : null}
      {problem ? <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} /> : null}
      {awaitsFirstPayment && answer && answer.activity.length > 0 ? (
        <FirstPayment state={state} onChanged={onChanged} overview={answer} />
      ) : null}
      {isUnused ? <FirstReceive state={state} account={account} /> : null}
      {isWide ? null : <Shortcuts account={account} />}
      <div className={styles.assets}>
        <HomeJobs state={state} />
        {account.source === 'multisig' ? <HomeCosignings state={state} /> : null}
        <HomeInscriptions state={state} />
        <HomeAtomicals state={state} />
      </div>
      {isUnused ? null : (
        <NewestActivity
          entries={answer?.activity ?? null}
          more={answer?.more ?? false}
          failed={problem !== null}
          offline={answer?.problem != null}
        />
      )}
    </Screen>
  )
}

/** The ways to what the account has besides. */
function Shortcuts({ account }: { account: AccountView }) {
  return (
    <nav className={styles.shortcuts} aria-label={words('homeMore')}>
      {isKeyless(account) ? null : (
        <Link to="/inscribe" className={styles.shortcut}>
          <PenLine size={20} aria-hidden />
          {words('inscribeTitle')}
        </Link>
      )}
      <Link to="/coins" className={styles.shortcut}>
        <Coins size={20} aria-hidden />
        {words('coinsTitle')}
      </Link>
      {account.source === 'multisig' ? (
        <Link to="/psbt" className={styles.shortcut}>
          <Signature size={20} aria-hidden />
          {words('homeSignPsbt')}
        </Link>
      ) : (
        <Link to="/brc20" className={styles.shortcut}>
          <CircleDollarSign size={20} aria-hidden />
          {words('brc20Short')}
        </Link>
      )}
      <Link to="/contacts" className={styles.shortcut}>
        <Users size={20} aria-hidden />
        {words('contactsTitle')}
      </Link>
    </nav>
  )
}

/** The way back to an approval window that the person has lost sight of. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <div className={styles.requests}>
      <span role="status">{countWords('commonRequests', count)}</span>
      <Button variant="quiet" onClick={() => void call('showApprovals', null).catch(() => {})}>
        {words('homeShow')}
      </Button>
    </div>
  )
}

/** A key or an address belongs to one network, so that a wallet can be without an account on another one. */
function NoAccount({ state, onChanged }: PageProps) {
  const isWide = useWide()
  return (
    <Screen
      head={isWide ? null : <HomeHead state={state} onChanged={onChanged} />}
      foot={
        <Button variant="primary" onClick={() => navigate('/accounts/add')}>
          <Plus size={18} aria-hidden />
          {words('accountsAdd')}
        </Button>
      }
    >
      <Title hidden>{words('homeTitle')}</Title>
      <Waiting count={state.pendingApprovals} />
      <Empty
        icon={<Wallet size={20} aria-hidden />}
        title={words('homeNothingHere', { network: NETWORK_NAMES[state.network] })}
      >
        {words('homeNothingHereNote')}
      </Empty>
    </Screen>
  )
}

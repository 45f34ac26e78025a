import {
  ArrowDownToLine,
  ArrowUpRight,
  ChevronDown,
  Coins,
  Lock,
  Settings,
  Users,
} from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { AccountView } from '../../background/ui-methods/account-views.ts'
import type { PageProps } from '../app.tsx'
import { navigate } from '../route.ts'
import { call } from '../rpc.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { isTestNetwork, NETWORK_NAMES } from '../ui/names.ts'
import { Notice } from '../ui/notice.tsx'
import { Link } from '../ui/row.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import { ServerNotice } from '../ui/server-notice.tsx'
import { useOverview } from '../use-overview.ts'
import { countWords, words } from '../words.ts'
import { Balance } from './balance.tsx'
import { BehindNotice } from './behind-notice.tsx'
import './home.css'
import { NewestActivity } from './newest-activity.tsx'

const AccountDialog = lazy(async () => ({
  default: (await import('./account-dialog.tsx')).AccountDialog,
}))
const NetworkDialog = lazy(async () => ({
  default: (await import('./network-dialog.tsx')).NetworkDialog,
}))

type Shown = 'accounts' | 'network' | null

export function Home({ state, onChanged }: PageProps) {
  const [dialog, setDialog] = useState<Shown>(null)
  const { answer, problem, busy, retry, lastBalance } = useOverview(state)
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const balance = answer?.balance ?? lastBalance
  const empty = balance !== null && BigInt(balance.confirmed) + BigInt(balance.unconfirmed) === 0n
  const watched = account?.source === 'watch'
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!event.altKey || event.code !== 'KeyA' || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setDialog('accounts')
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])

  return (
    <>
      <Screen
        head={<Head account={account} state={state} onShow={setDialog} onChanged={onChanged} />}
        foot={
          <div className="pair">
            {watched ? null : (
              <Button look={empty ? 'secondary' : 'primary'} onClick={() => navigate('/send')}>
                <ArrowUpRight size={18} aria-hidden />
                {words('homeSend')}
              </Button>
            )}
            <Button
              look={empty || watched ? 'primary' : 'secondary'}
              onClick={() => navigate('/receive')}
            >
              <ArrowDownToLine size={18} aria-hidden />
              {words('homeReceive')}
            </Button>
          </div>
        }
      >
        <Title hidden>{words('homeTitle')}</Title>
        <Waiting count={state.pendingApprovals} />
        <Balance
          balance={balance}
          price={answer?.price ?? null}
          loading={answer === null && problem === null}
          old={answer !== null && answer.balance === null}
        />
        {watched ? <Notice tone="info">{words('homeWatched')}</Notice> : null}
        {answer?.problem ? (
          <ServerNotice problem={answer.problem} busy={busy} onRetry={retry} />
        ) : null}
        {answer && !answer.problem ? <BehindNotice state={state} /> : null}
        {problem ? (
          <Notice tone="danger" live>
            <p>{problem}</p>
            <div className="notice-actions">
              <Button look="quiet" busy={busy} onClick={retry}>
                {words('commonTryAgain')}
              </Button>
            </div>
          </Notice>
        ) : null}
        <nav className="chips" aria-label={words('homeMore')}>
          <Link to="/coins" className="chip">
            <Coins size={16} aria-hidden />
            {words('coinsTitle')}
          </Link>
          <Link to="/contacts" className="chip">
            <Users size={16} aria-hidden />
            {words('contactsTitle')}
          </Link>
        </nav>
        <NewestActivity
          entries={answer?.activity ?? null}
          more={answer?.more ?? false}
          failed={problem !== null}
          offline={answer?.problem != null}
        />
      </Screen>
      <Suspense fallback={null}>
        {dialog === 'accounts' ? (
          <AccountDialog state={state} onClose={() => setDialog(null)} onChanged={onChanged} />
        ) : null}
        {dialog === 'network' ? (
          <NetworkDialog state={state} onClose={() => setDialog(null)} onChanged={onChanged} />
        ) : null}
      </Suspense>
    </>
  )
}

type HeadProps = PageProps & { account: AccountView | undefined; onShow: (shown: Shown) => void }

/** Which account and network this is about, the way to the settings, and the lock. */
function Head({ account, state, onShow, onChanged }: HeadProps) {
  const name = account?.name ?? words('homeNoAccount')
  const network = NETWORK_NAMES[state.network]
  return (
    <>
      <button
        type="button"
        className="switcher"
        aria-label={words('homeAccount', { name })}
        aria-haspopup="dialog"
        aria-keyshortcuts="Alt+A"
        title={name}
        onClick={() => onShow('accounts')}
      >
        {account ? <Identicon text={account.id} size={24} /> : null}
        <span className="name">{name}</span>
        <ChevronDown size={16} aria-hidden />
      </button>
      <button
        type="button"
        className="switcher network push"
        aria-label={words('homeNetwork', { name: network })}
        aria-haspopup="dialog"
        onClick={() => onShow('network')}
      >
        <span className={`pill${isTestNetwork(state.network) ? ' test' : ''}`}>
          {network}
          <ChevronDown size={14} aria-hidden />
        </span>
      </button>
      <IconButton label={words('homeSettings')} onClick={() => navigate('/settings')}>
        <Settings size={20} aria-hidden />
      </IconButton>
      <IconButton
        label={words('homeLock')}
        onClick={() =>
          void call('lock', null)
            .catch(() => null)
            .then(onChanged)
        }
      >
        <Lock size={20} aria-hidden />
      </IconButton>
    </>
  )
}

/** The way back to an approval window that the person has lost sight of. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <div className="requests" role="status">
      <span>{countWords('commonRequests', count)}</span>
      <Button look="quiet" onClick={() => void call('showApprovals', null).catch(() => {})}>
        {words('homeShow')}
      </Button>
    </div>
  )
}

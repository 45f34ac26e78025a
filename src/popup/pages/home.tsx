import { ArrowDownToLine, ChevronDown, Lock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { WalletState } from '../../background/ui-methods/ui-methods.ts'
import { call } from '../rpc.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { isTestNetwork, NETWORK_NAMES } from '../ui/names.ts'
import { Notice } from '../ui/notice.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import { useOverview } from '../use-overview.ts'
import { ActivityList } from './activity-list.tsx'
import { Balance } from './balance.tsx'

const AccountDialog = lazy(async () => ({
  default: (await import('./account-dialog.tsx')).AccountDialog,
}))
const NetworkDialog = lazy(async () => ({
  default: (await import('./network-dialog.tsx')).NetworkDialog,
}))

type HomeProps = { state: WalletState; onReceive: () => void; onChanged: () => Promise<void> }

export function Home({ state, onReceive, onChanged }: HomeProps) {
  const [dialog, setDialog] = useState<'accounts' | 'network' | null>(null)
  const { network, server, accountId } = state
  const account = state.accounts.find(({ id }) => id === accountId)
  const { overview, busy, refresh } = useOverview(`${accountId} ${network} ${server.esploraUrl}`)
  const name = account?.name ?? 'None'
  const close = () => setDialog(null)

  return (
    <>
      <Screen
        head={
          <>
            <button
              type="button"
              className="switcher"
              aria-label={`Account: ${name}`}
              aria-haspopup="dialog"
              onClick={() => setDialog('accounts')}
            >
              {account ? <Identicon text={account.id} size={24} /> : null}
              <span className="name">{name}</span>
              <ChevronDown size={16} aria-hidden />
            </button>
            <button
              type="button"
              className="switcher push"
              aria-label={`Network: ${NETWORK_NAMES[network]}`}
              aria-haspopup="dialog"
              onClick={() => setDialog('network')}
            >
              <span className={`pill${isTestNetwork(network) ? ' test' : ''}`}>
                {NETWORK_NAMES[network]}
                <ChevronDown size={14} aria-hidden />
              </span>
            </button>
            <IconButton
              label="Lock"
              onClick={() =>
                void call('lock', null)
                  .catch(() => null)
                  .then(onChanged)
              }
            >
              <Lock size={20} aria-hidden />
            </IconButton>
          </>
        }
        foot={
          <Button look="primary" onClick={onReceive}>
            <ArrowDownToLine size={18} aria-hidden />
            Receive
          </Button>
        }
      >
        <Waiting count={state.pendingApprovals} />
        <Title>
          <span className="hidden-text">Wallet</span>
        </Title>
        <Balance balance={overview?.balance ?? null} loading={overview === null} />
        {overview?.problem ? (
          <Offline
            problem={overview.problem}
            server={server.esploraUrl}
            busy={busy}
            onRetry={refresh}
            onServer={() => setDialog('network')}
          />
        ) : null}
        <ActivityList activity={overview?.activity ?? null} />
      </Screen>
      <Suspense fallback={null}>
        {dialog === 'accounts' ? (
          <AccountDialog state={state} onClose={close} onChanged={onChanged} />
        ) : null}
        {dialog === 'network' ? (
          <NetworkDialog state={state} onClose={close} onChanged={onChanged} />
        ) : null}
      </Suspense>
    </>
  )
}

/** The way back to an approval window that the person has lost sight of. */
function Waiting({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <div className="waiting" role="status">
      <span>{count === 1 ? '1 request is waiting' : `${count} requests are waiting`}</span>
      <Button look="quiet" onClick={() => void call('showApprovals', null).catch(() => {})}>
        Show
      </Button>
    </div>
  )
}

type OfflineProps = {
  problem: string
  server: string
  busy: boolean
  onRetry: () => void
  onServer: () => void
}

function Offline({ problem, server, busy, onRetry, onServer }: OfflineProps) {
  return (
    <div className="stack">
      <Notice tone="caution" title="Balance not available" live>
        <p>
          <span className="mono">{hostOf(server)}</span> does not answer as it should. Your bitcoin
          is safe on the chain; only the view of it is missing.
        </p>
        <p className="muted small breakable">{problem}</p>
      </Notice>
      <div className="row-buttons">
        <Button look="quiet" busy={busy} onClick={onRetry}>
          {busy ? 'Asking…' : 'Try again'}
        </Button>
        <Button look="quiet" onClick={onServer}>
          Change server
        </Button>
      </div>
    </div>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/**
 * The shell of the wallet's pages: it knows every screen by its path and shows the one that the wallet's state and the
 * route ask for, or the queue of approvals in a window of their own. It never decides anything about money and holds no
 * state of its own: what a screen needs it gets as `PageProps` or asks the background for.
 */

import { type ComponentType, useEffect, useRef } from 'react'
import type { WalletState } from '../background/views/ui-methods.ts'
import { Home } from './pages/home/home.tsx'
import { Unlock } from './pages/password/unlock.tsx'
import { goBack, navigate, useRoute } from './platform/route.ts'
import { keepLive, openInTab } from './platform/rpc.ts'
import type { Surface } from './platform/surface.ts'
import type { FetchedWords } from './platform/word-files.ts'
import { words } from './platform/words.ts'
import { Shell } from './shell.tsx'
import type { PageProps } from './state/page-props.ts'
import { useAppearance } from './state/use-appearance.ts'
import { useTouch } from './state/use-touch.ts'
import { type Problem, useWalletState } from './state/use-wallet-state.ts'
import { Button } from './ui/button.tsx'
import { type Loadable, loadable } from './ui/loadable.tsx'
import { Notice } from './ui/notice.tsx'
import { Screen, Title } from './ui/screen.tsx'
import { ScreenSkeleton } from './ui/skeleton.tsx'
import textStyles from './ui/styles/text.module.css'
import { HideAmounts } from './ui/text/hidden-amounts.tsx'
import { Toasts } from './ui/toast.tsx'

const ApprovalQueue = page(
  async () => (await import('./approvals/approval-queue.tsx')).ApprovalQueue,
)
const PanelApprovals = loadable(
  async () => (await import('./approvals/panel-approvals.tsx')).PanelApprovals,
)
const TabSite = loadable(async () => (await import('./pages/sites/tab-site.tsx')).TabSite, 'soon')
const Welcome = page(async () => (await import('./pages/first-run/welcome.tsx')).Welcome, 'soon')
const Create = page(async () => (await import('./pages/first-run/create.tsx')).Create, 'soon')
const Import = page(async () => (await import('./pages/first-run/import.tsx')).Import, 'soon')
const Send = page(async () => (await import('./pages/send/send.tsx')).Send)
const SendInscriptions = page(
  async () => (await import('./pages/collectibles/send-inscriptions.tsx')).SendInscriptions,
)
const SendToken = page(async () => (await import('./pages/collectibles/send-token.tsx')).SendToken)
const SendRune = page(async () => (await import('./pages/runes/send-rune.tsx')).SendRune)
const JobChange = page(async () => (await import('./pages/jobs/job-change.tsx')).JobChange)
const ChangedRecords = page(
  async () => (await import('./pages/settings/changed-records.tsx')).ChangedRecords,
)
const Asked = page(async () => (await import('./pages/sites/asked.tsx')).Asked)
const Help: ComponentType<PageProps> = page(
  async () => (await import('./pages/help/help.tsx')).Help,
)
const RestoreAccounts = page(
  async () => (await import('./pages/accounts/restore-accounts.tsx')).RestoreAccounts,
)
const Reset = page(async () => (await import('./pages/settings/reset.tsx')).Reset)

/** Screens by path; `*` is one part that the screen reads for itself. */
const PAGES: { [path: string]: ComponentType<PageProps> } = {
  receive: page(async () => (await import('./pages/receive/receive.tsx')).Receive),
  send: Send,
  'send/*': Send,
  'device/*': page(async () => (await import('./pages/send/on-device.tsx')).OnDevice),
  'cosign/*': page(async () => (await import('./pages/send/cosign.tsx')).Cosign),
  'bump/*/*': page(async () => (await import('./pages/send/bump.tsx')).Bump),
  psbt: page(async () => (await import('./pages/psbt/psbt.tsx')).PsbtPage),
  messages: page(async () => (await import('./pages/messages/messages.tsx')).Messages),
  scan: page(async () => (await import('./pages/scan/scan.tsx')).Scan),
  contacts: page(async () => (await import('./pages/contacts/contacts.tsx')).Contacts),
  activity: page(async () => (await import('./pages/activity/activity.tsx')).Activity),
  'activity/*': page(async () => (await import('./pages/activity/transaction.tsx')).Transaction),
  coins: page(async () => (await import('./pages/coins/coins.tsx')).Coins),
  'coins/merge': page(async () => (await import('./pages/coins/merge-coins.tsx')).MergeCoins),
  'coins/*': page(async () => (await import('./pages/coins/coin.tsx')).Coin),
  chart: page(async () => (await import('./pages/chart/chart.tsx')).Chart),
  inscriptions: page(async () => (await import('./pages/collectibles/gallery.tsx')).Gallery),
  'inscriptions/hidden': page(
    async () => (await import('./pages/collectibles/gallery.tsx')).HiddenInscriptions,
  ),
  'inscriptions/spam': page(
    async () => (await import('./pages/collectibles/gallery.tsx')).PossibleSpam,
  ),
  'inscriptions/*': page(
    async () => (await import('./pages/collectibles/inscription.tsx')).Inscription,
  ),
  'inscriptions/send/*': SendInscriptions,
  'inscriptions/send/*/picture': SendInscriptions,
  'inscriptions/burn/*': page(
    async () => (await import('./pages/collectibles/burn.tsx')).BurnInscription,
  ),
  'inscriptions/split/*': page(
    async () => (await import('./pages/collectibles/split-coin.tsx')).SplitCoin,
  ),
  atomicals: page(async () => (await import('./pages/collectibles/atomicals.tsx')).Atomicals),
  'atomicals/*': page(async () => (await import('./pages/collectibles/atomical.tsx')).Atomical),
  'atomicals/token/*': page(async () => (await import('./pages/collectibles/token.tsx')).Token),
  'atomicals/token/*/send': SendToken,
  'atomicals/token/*/send/picture': SendToken,
  runes: page(async () => (await import('./pages/runes/rune-list.tsx')).RuneList),
  'runes/etch': page(async () => (await import('./pages/runes/etch-rune.tsx')).EtchRune),
  'runes/mints/*': page(async () => (await import('./pages/runes/rune-mint.tsx')).RuneMint),
  'runes/rune/*/mint': page(async () => (await import('./pages/runes/mint-rune.tsx')).MintRune),
  'runes/rune/*': page(async () => (await import('./pages/runes/rune.tsx')).Rune),
  'runes/rune/*/send': SendRune,
  'runes/rune/*/send/picture': SendRune,
  brc20: page(async () => (await import('./pages/brc20/token-list.tsx')).TokenList),
  'brc20/token/*': page(async () => (await import('./pages/brc20/token.tsx')).Token),
  'brc20/send/*': page(async () => (await import('./pages/brc20/send-tokens.tsx')).SendTokens),
  'brc20/transfer/*': page(
    async () => (await import('./pages/brc20/prepare-transfer.tsx')).PrepareTransfer,
  ),
  'brc20/mint': page(async () => (await import('./pages/brc20/mint.tsx')).Mint),
  'brc20/mint/*': page(async () => (await import('./pages/brc20/mint.tsx')).Mint),
  'brc20/deploy': page(async () => (await import('./pages/brc20/deploy.tsx')).Deploy),
  'brc20/deploy/*': page(async () => (await import('./pages/brc20/deploy.tsx')).Deploy),
  inscribe: page(async () => (await import('./pages/inscribe/inscribe.tsx')).Inscribe),
  'inscribe/jobs': page(async () => (await import('./pages/jobs/jobs.tsx')).Jobs),
  'inscribe/jobs/*': page(async () => (await import('./pages/jobs/job.tsx')).Job),
  'inscribe/recover': page(
    async () => (await import('./pages/jobs/commit-refund.tsx')).CommitRefund,
  ),
  'inscribe/jobs/*/bump': JobChange,
  'inscribe/jobs/*/refund': JobChange,
  backup: page(async () => (await import('./pages/backup/backup-files.tsx')).BackupFiles),
  'backup/save': page(async () => (await import('./pages/backup/save-backup.tsx')).SaveBackup),
  'backup/restore': page(
    async () => (await import('./pages/backup/restore-backup.tsx')).RestoreBackup,
  ),
  'backup/labels': page(async () => (await import('./pages/backup/label-files.tsx')).LabelFiles),
  accounts: page(async () => (await import('./pages/accounts/accounts.tsx')).Accounts),
  'accounts/add': page(async () => (await import('./pages/accounts/add-account.tsx')).AddAccount),
  'accounts/key': page(async () => (await import('./pages/accounts/import-key.tsx')).ImportKey),
  'accounts/device': page(async () => (await import('./pages/accounts/add-device.tsx')).AddDevice),
  'accounts/watch': page(
    async () => (await import('./pages/accounts/watch-address.tsx')).WatchAddress,
  ),
  'accounts/restore': RestoreAccounts,
  'accounts/restore/*': RestoreAccounts,
  'accounts/add-wallet': page(
    async () => (await import('./pages/first-run/add-wallet.tsx')).AddWallet,
  ),
  'accounts/wallet/*': page(async () => (await import('./pages/accounts/wallet.tsx')).WalletPage),
  'accounts/of/*': page(async () => (await import('./pages/accounts/account.tsx')).AccountPage),
  help: Help,
  'help/*': Help,
  news: page(async () => (await import('./pages/news/news-page.tsx')).NewsPage),
  settings: page(async () => (await import('./pages/settings/settings.tsx')).SettingsPage),
  'settings/servers': page(async () => (await import('./pages/settings/servers.tsx')).Servers),
  'settings/servers/*/*/*': page(
    async () => (await import('./pages/settings/servers.tsx')).Servers,
  ),
  'settings/sites': page(async () => (await import('./pages/sites/sites.tsx')).Sites),
  'settings/sites/of/*': page(async () => (await import('./pages/sites/site.tsx')).Site),
  'settings/sites/asked': Asked,
  'settings/sites/asked/*': Asked,
  'settings/http': page(async () => (await import('./pages/settings/http-sites.tsx')).HttpSites),
  'settings/compatibility': page(
    async () => (await import('./pages/settings/compatibility.tsx')).Compatibility,
  ),
  'settings/security': page(async () => (await import('./pages/settings/security.tsx')).Security),
  'settings/password': page(
    async () => (await import('./pages/settings/change-password.tsx')).ChangePassword,
  ),
  'settings/passkey': page(async () => (await import('./pages/settings/passkey.tsx')).Passkey),
  'settings/backup': page(async () => (await import('./pages/settings/backup.tsx')).Backup),
  'settings/backup/*': page(async () => (await import('./pages/settings/backup.tsx')).Backup),
  'settings/reset': Reset,
  'settings/display': page(async () => (await import('./pages/settings/display.tsx')).Display),
  'settings/notifications': page(
    async () => (await import('./pages/settings/notifications.tsx')).Notifications,
  ),
  'settings/expert': page(async () => (await import('./pages/settings/expert.tsx')).Expert),
  'settings/about': page(async () => (await import('./pages/settings/about.tsx')).About),
}

/** Screens of the account in use: without one, the start screen says what to do. */
const ACCOUNT_PAGES = [
  'receive',
  'send',
  'bump',
  'psbt',
  'activity',
  'coins',
  'chart',
  'inscriptions',
  'inscribe',
  'brc20',
  'atomicals',
  'runes',
]

/** A screen whose code is fetched when it is first shown. */
function page<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  part?: FetchedWords,
): Loadable<Props> {
  return loadable(load, part, <ScreenSkeleton />)
}

/** Fetches what {@link App} shows first, where that is not of the first screen's own code; to be awaited, so that it is drawn at once. */
export async function preload({ surface, first }: AppProps): Promise<void> {
  if (surface === 'approval') await ApprovalQueue.preload()
  else if (first?.vault === 'none') await Welcome.preload()
}

type AppProps = { surface: Surface; first: WalletState | null }

/** The whole page; `first` is the state that was read before anything could be drawn. */
export function App({ surface, first }: AppProps) {
  return (
    <>
      {surface === 'approval' ? <ApprovalQueue /> : <Wallet surface={surface} first={first} />}
      {surface === 'panel' ? <PanelApprovals /> : null}
      <Toasts />
    </>
  )
}

function Wallet({ surface, first }: AppProps) {
  const { state, problem, refresh } = useWalletState(first)
  const route = useRoute()
  const language = useAppearance(state?.settings ?? null)
  const open = state?.vault === 'unlocked'
  const isFirstRun = useRef(false)
  // A wallet is stored before it is open: its first screens go on until it is.
  if (state?.vault === 'none' || open) isFirstRun.current = !open
  useTouch(open)
  useEffect(() => (open ? keepLive() : undefined), [open])
  if (problem !== null) return <Unreachable problem={problem} onRetry={refresh} />
  if (state === null) return <ScreenSkeleton />
  return (
    <HideAmounts key={language} hidden={state.settings.hideAmounts}>
      {surface === 'panel' && open ? <TabSite /> : null}
      {screenFor(state, route, surface, refresh, isFirstRun.current)}
    </HideAmounts>
  )
}

/** The wallet's state decides what can be shown, the route what is. */
function screenFor(
  state: WalletState,
  route: string[],
  surface: Surface,
  onChanged: () => Promise<void>,
  isFirstRun: boolean,
) {
  const path = route.join('/')
  if (state.vault === 'none' || isFirstRun) {
    const finish = async () => {
      await onChanged()
      navigate('/', { replace: true })
    }
    if (path === 'create') return <Create onBack={goBack} onDone={finish} />
    if (path === 'import') return <Import onBack={goBack} onDone={finish} next={RestoreAccounts} />
    if (state.vault === 'none') return <Welcome onBegin={chosen => begin(chosen, surface)} />
  }
  if (state.vault !== 'unlocked') {
    if (path === 'settings/reset') return <Reset state={state} onChanged={onChanged} />
    return <Unlock state={state} onUnlocked={onChanged} />
  }
  if (state.hasChangedRecords) return <ChangedRecords state={state} onChanged={onChanged} />
  const pageAt = (at: string[]) =>
    ACCOUNT_PAGES.includes(at[0] ?? '') && state.accountId === null ? Home : findPage(at)
  return <Shell route={route} pageAt={pageAt} home={Home} state={state} onChanged={onChanged} />
}

function begin(chosen: 'create' | 'import', surface: Surface) {
  // The toolbar popup vanishes when it loses focus, and the words on it with it.
  if (surface === 'popup') void openInTab(`/${chosen}`)
  else navigate(`/${chosen}`)
}

function findPage(route: string[]): ComponentType<PageProps> {
  const match = Object.entries(PAGES).find(([path]) => {
    const parts = path.split('/')
    return (
      parts.length === route.length && parts.every((part, at) => part === '*' || part === route[at])
    )
  })
  return match?.[1] ?? Home
}

function Unreachable({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  return (
    <Screen
      foot={
        <Button variant="primary" onClick={onRetry}>
          {words('commonTryAgain')}
        </Button>
      }
    >
      <Title>{words('appNotReady')}</Title>
      <Notice tone="caution">{problem.text}</Notice>
      {problem.isOutdated ? null : <p className={textStyles.muted}>{words('appNothingLost')}</p>}
    </Screen>
  )
}

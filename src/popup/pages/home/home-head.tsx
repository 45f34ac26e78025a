import { ChevronDown, Lock, Settings } from 'lucide-react'
import { useEffect, useState } from 'react'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import pillStyles from '../../ui/styles/pill.module.css'
import { isTestNetwork, NETWORK_NAMES, sayName } from '../../ui/text/names.ts'
import styles from './home.module.css'

const AccountDialog = loadable(
  async () => (await import('./account-dialog.tsx')).AccountDialog,
  'soon',
)
const NetworkDialog = loadable(
  async () => (await import('./network-dialog.tsx')).NetworkDialog,
  'soon',
)

type Shown = 'accounts' | 'network' | null

/** Which account and network this is about, the way to the settings, and the lock. */
export function HomeHead(props: PageProps) {
  return (
    <>
      <AccountSwitch {...props} />
      <IconButton label={words('homeSettings')} onClick={() => navigate('/settings')}>
        <Settings size={20} aria-hidden />
      </IconButton>
      <IconButton label={words('homeLock')} onClick={() => lock(props)}>
        <Lock size={20} aria-hidden />
      </IconButton>
    </>
  )
}

/** Nothing of the wallet can be used until the password is there again. */
export function lock({ onChanged }: PageProps): void {
  void call('lock', null)
    .catch(() => null)
    .then(onChanged)
}

/** Which account and network this is about, and changing them. */
export function AccountSwitch({ state, onChanged }: PageProps) {
  const [shown, setShown] = useState<Shown>(null)
  const account = state.accounts.find(({ id }) => id === state.accountId)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!event.altKey || event.code !== 'KeyA' || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setShown('accounts')
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  const name = account ? sayName(account.name) : words('homeNoAccount')
  const network = NETWORK_NAMES[state.network]
  return (
    <>
      <button
        type="button"
        className={styles.switcher}
        aria-label={words('homeAccount', { name })}
        aria-haspopup="dialog"
        aria-keyshortcuts="Alt+A"
        title={name}
        onClick={() => setShown('accounts')}
      >
        {account ? <Identicon text={account.id} size={24} /> : null}
        <span className={styles.name}>{name}</span>
        <ChevronDown size={16} aria-hidden />
      </button>
      <button
        type="button"
        className={classNames(styles.switcher, styles.network, layoutStyles.push)}
        aria-label={words('homeNetwork', { name: network })}
        aria-haspopup="dialog"
        onClick={() => setShown('network')}
      >
        <span
          className={classNames(pillStyles.pill, isTestNetwork(state.network) && pillStyles.test)}
        >
          {network}
          <ChevronDown size={14} aria-hidden />
        </span>
      </button>
      {shown === 'accounts' ? (
        <AccountDialog state={state} onClose={() => setShown(null)} onChanged={onChanged} />
      ) : null}
      {shown === 'network' ? (
        <NetworkDialog state={state} onClose={() => setShown(null)} onChanged={onChanged} />
      ) : null}
    </>
  )
}

import {
  CircleDollarSign,
  Coins,
  Gem,
  Globe,
  History,
  House,
  Images,
  Lock,
  type LucideIcon,
  PenLine,
  Settings,
  Signature,
  Users,
} from 'lucide-react'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { navigate } from '../../platform/route.ts'
import { type WordKey, words } from '../../platform/words.ts'
import { isKeyless } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { AccountSwitch, lock } from './home-head.tsx'
import styles from './side-nav.module.css'

type Way = { to: string; name: WordKey; Icon: LucideIcon }

/** The navigation of a wide window: the account and the network, the ways to all that the wallet has, and the lock. */
export function SideNav({ state, onChanged, path }: PageProps & { path: string }) {
  const groups = listWays(state)
  const all = groups.flat().map(({ to }) => to)
  const current = findCurrent(all, path)
  return (
    <div className={styles.side}>
      <a
        href={`#/${path}`}
        className={styles.skip}
        onClick={event => {
          event.preventDefault()
          document.querySelector<HTMLElement>('main:not([role]) h1')?.focus()
        }}
      >
        {words('navSkip')}
      </a>
      <div className={styles.account}>
        <AccountSwitch state={state} onChanged={onChanged} />
      </div>
      <nav className={styles.ways} aria-label={words('navLabel')}>
        {groups.map(ways => (
          <ul key={ways[0]?.to}>
            {ways.map(({ to, name, Icon }) => (
              <li key={to}>
                <a
                  href={`#/${to}`}
                  className={styles.way}
                  aria-current={to === current ? (to === path ? 'page' : 'true') : undefined}
                  onClick={event => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey) return
                    event.preventDefault()
                    navigate(`/${to}`)
                  }}
                >
                  <Icon size={18} aria-hidden />
                  <span>{words(name)}</span>
                </a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <button type="button" className={styles.way} onClick={() => lock({ state, onChanged })}>
        <Lock size={18} aria-hidden />
        <span>{words('homeLock')}</span>
      </button>
    </div>
  )
}

/** What the account in use can have; an account without a key here inscribes nothing. */
function listWays(state: WalletState): Way[][] {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const home: Way = { to: '', name: 'homeTitle', Icon: House }
  const rest: Way[] = [
    { to: 'settings/sites', name: 'navSites', Icon: Globe },
    { to: 'contacts', name: 'contactsTitle', Icon: Users },
    { to: 'settings', name: 'settingsTitle', Icon: Settings },
  ]
  if (account === undefined) return [[home], rest]
  const inscribe: Way = { to: 'inscribe', name: 'inscribeTitle', Icon: PenLine }
  return [
    [
      home,
      { to: 'activity', name: 'activityTitle', Icon: History },
      { to: 'coins', name: 'coinsTitle', Icon: Coins },
    ],
    [
      { to: 'inscriptions', name: 'inscriptionsTitle', Icon: Images },
      { to: 'runes', name: 'runesTitle', Icon: Gem },
      account.source === 'multisig'
        ? { to: 'psbt', name: 'homeSignPsbt', Icon: Signature }
        : { to: 'brc20', name: 'brc20Short', Icon: CircleDollarSign },
      ...(isKeyless(account) ? [] : [inscribe]),
    ],
    rest,
  ]
}

/** The way that leads nearest to the path; null where none of them does. */
function findCurrent(ways: readonly string[], path: string): string | null {
  const leading = ways.filter(to => path === to || (to !== '' && path.startsWith(`${to}/`)))
  return leading.sort((one, other) => other.length - one.length)[0] ?? null
}

import {
  BookUser,
  Globe,
  Info,
  Palette,
  ScrollText,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  SquareArrowOutUpRight,
  WalletCards,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { ExpertSwitches } from '../../../background/ui-methods/settings-views.ts'
import type { PageProps } from '../../app.tsx'
import { goBack } from '../../route.ts'
import { openInTab } from '../../rpc.ts'
import { ActionRow, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { countWords, words } from '../../words.ts'
import { hostOf } from './server-words.ts'

/** The way to everything that can be set. */
export function SettingsPage({ state }: PageProps) {
  const { settings } = state
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('settingsTitle')}</Title>
      <Group label={words('settingsWallet')}>
        <LinkRow
          to="/accounts"
          icon={<WalletCards size={18} aria-hidden />}
          title={words('accountsTitle')}
          note={countWords('settingsAccounts', state.accounts.length)}
        />
        <LinkRow
          to="/contacts"
          icon={<BookUser size={18} aria-hidden />}
          title={words('contactsTitle')}
        />
        <LinkRow
          to="/settings/backup"
          icon={<ScrollText size={18} aria-hidden />}
          title={words('backupTitle')}
          note={words(state.hasPhrase === false ? 'backupKeysNote' : 'backupNote')}
        />
      </Group>
      <Group label={words('settingsConnections')}>
        <LinkRow
          to="/settings/servers"
          icon={<Server size={18} aria-hidden />}
          title={words('serversTitle')}
          note={hostOf(state.server.url)}
        />
        <LinkRow
          to="/settings/sites"
          icon={<Globe size={18} aria-hidden />}
          title={words('sitesTitle')}
        />
      </Group>
      <Group label={words('settingsSatchel')}>
        <LinkRow
          to="/settings/security"
          icon={<ShieldCheck size={18} aria-hidden />}
          title={words('securityTitle')}
          note={countWords('securityLocksAfter', settings.autoLockMinutes)}
        />
        <LinkRow
          to="/settings/display"
          icon={<Palette size={18} aria-hidden />}
          title={words('displayTitle')}
        />
        <LinkRow
          to="/settings/expert"
          icon={<SlidersHorizontal size={18} aria-hidden />}
          title={words('expertTitle')}
          note={words(isUnprotected(settings.expert) ? 'expertOn' : 'expertOff')}
        />
        <LinkRow
          to="/settings/about"
          icon={<Info size={18} aria-hidden />}
          title={words('aboutTitle')}
        />
        {document.documentElement.dataset.surface === 'popup' ? (
          <ActionRow
            icon={<SquareArrowOutUpRight size={18} aria-hidden />}
            title={words('settingsOpenTab')}
            onPress={() => void openInTab('/settings')}
          />
        ) : null}
      </Group>
    </Screen>
  )
}

/** One of the switches adds a protection. */
function isUnprotected({ holdSmallCoins: _, ...lifting }: ExpertSwitches): boolean {
  return Object.values(lifting).includes(true)
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="stack">
      <h2 className="muted">{label}</h2>
      <Rows label={label}>{children}</Rows>
    </section>
  )
}

/**
 * Settings: servers, connected sites, compatibility, security, display, notifications, and the removal of the wallet. Each change is stored by
 * the background at once. Secrets are shown only after the password was typed again.
 */

import {
  Bell,
  BookOpen,
  BookUser,
  FileLock,
  FilePen,
  Globe,
  Info,
  MessageSquareText,
  Palette,
  Puzzle,
  ScanLine,
  ScrollText,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  SquareArrowOutUpRight,
  Undo2,
  WalletCards,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type {
  ExpertSwitches,
  NotificationsView,
  OkxAliasView,
} from '../../../background/views/settings-views.ts'
import { OKX_ALIAS_KEY } from '../../../provider/okx-alias.ts'
import { goBack } from '../../platform/route.ts'
import { call, openInTab } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { ActionRow, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { nameHost } from '../../ui/text/names.ts'

/** The way to everything that can be set. */
export function SettingsPage({ state }: PageProps) {
  const { settings } = state
  const { answer: alias } = useQuery(() => call('getOkxAlias', null), '', [OKX_ALIAS_KEY])
  const { answer: notifications } = useQuery(() => call('getNotifications', null), '', [
    'notifications',
  ])
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
          to="/psbt"
          icon={<FilePen size={18} aria-hidden />}
          title={words('psbtFileTitle')}
          note={words('psbtFileNote')}
        />
        <LinkRow
          to="/scan"
          icon={<ScanLine size={18} aria-hidden />}
          title={words('scanTitle')}
          note={words('scanNote')}
        />
        <LinkRow
          to="/messages"
          icon={<MessageSquareText size={18} aria-hidden />}
          title={words('messagesTitle')}
          note={words('messagesNote')}
        />
        <LinkRow
          to="/settings/backup"
          icon={<ScrollText size={18} aria-hidden />}
          title={words('backupTitle')}
          note={words(state.hasPhrase === false ? 'backupKeysNote' : 'backupNote')}
        />
        <LinkRow
          to="/backup"
          icon={<FileLock size={18} aria-hidden />}
          title={words('backupFileTitle')}
          note={words('backupFileNote')}
        />
        <LinkRow
          to="/inscribe/recover"
          icon={<Undo2 size={18} aria-hidden />}
          title={words('commitRefund')}
          note={words('commitRefundNote')}
        />
      </Group>
      <Group label={words('settingsConnections')}>
        <LinkRow
          to="/settings/servers"
          icon={<Server size={18} aria-hidden />}
          title={words('serversTitle')}
          note={nameHost(state.server.url)}
        />
        <LinkRow
          to="/settings/sites"
          icon={<Globe size={18} aria-hidden />}
          title={words('sitesTitle')}
        />
        <LinkRow
          to="/settings/compatibility"
          icon={<Puzzle size={18} aria-hidden />}
          title={words('compatTitle')}
          // The line has its place before the answer is there.
          note={alias ? describeAlias(alias) : '\u00a0'}
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
          to="/settings/notifications"
          icon={<Bell size={18} aria-hidden />}
          title={words('notificationsTitle')}
          note={notifications ? describeNotifications(notifications) : '\u00a0'}
        />
        <LinkRow
          to="/settings/expert"
          icon={<SlidersHorizontal size={18} aria-hidden />}
          title={words('expertTitle')}
          note={words(isUnprotected(settings.expert) ? 'expertOn' : 'expertOff')}
        />
        <LinkRow
          to="/help"
          icon={<BookOpen size={18} aria-hidden />}
          title={words('termsTitle')}
          note={words('termsNote')}
        />
        <LinkRow
          to="/settings/about"
          icon={<Info size={18} aria-hidden />}
          title={words('aboutTitle')}
        />
        {['popup', 'panel'].includes(document.documentElement.dataset.surface ?? '') ? (
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

function describeNotifications({ on, state }: NotificationsView): string {
  if (!on) return words('notificationsOff')
  return words(state === 'allowed' ? 'notificationsOn' : 'notificationsNotAllowed')
}

function describeAlias({ everywhere, origins }: OkxAliasView): string {
  if (everywhere) return words('compatEvery')
  return origins.length === 0 ? words('compatOff') : countWords('compatCount', origins.length)
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={layoutStyles.stack}>
      <h2 className={textStyles.muted}>{label}</h2>
      <Rows label={label}>{children}</Rows>
    </section>
  )
}

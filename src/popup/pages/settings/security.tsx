import { FingerprintPattern, KeyRound, Lock, ScrollText, Trash2 } from 'lucide-react'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useSettings } from '../../state/use-settings.ts'
import { SelectField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionRow, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'

const MINUTES = [1, 5, 15, 30, 60, 240, 1440]

/** Lock, password, backup and reset. */
export function Security(props: PageProps) {
  const { settings, change, failure } = useSettings(props)
  const minutes = [...new Set([...MINUTES, settings.autoLockMinutes])].sort((a, b) => a - b)
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('securityTitle')}</Title>
      <SelectField
        label={words('securityAutoLock')}
        note={words('securityAutoLockNote')}
        value={String(settings.autoLockMinutes)}
        options={minutes.map(count => ({ value: String(count), name: nameMinutes(count) }))}
        onChoose={value => void change({ autoLockMinutes: Number(value) })}
      />
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      <Rows label={words('securityActions')}>
        <ActionRow
          icon={<Lock size={18} aria-hidden />}
          title={words('securityLockNow')}
          onPress={() =>
            void call('lock', null)
              .catch(() => null)
              .then(props.onChanged)
          }
        />
        <LinkRow
          to="/settings/password"
          icon={<KeyRound size={18} aria-hidden />}
          title={words('changeTitle')}
        />
        <LinkRow
          to="/settings/passkey"
          icon={<FingerprintPattern size={18} aria-hidden />}
          title={words('passkeyTitle')}
          end={words(props.state.passkey ? 'passkeyOn' : 'passkeyOff')}
        />
        <LinkRow
          to="/settings/backup"
          icon={<ScrollText size={18} aria-hidden />}
          title={words('backupTitle')}
          note={words('showKeyRow')}
        />
        <LinkRow
          to="/settings/reset"
          tone="danger"
          icon={<Trash2 size={18} aria-hidden />}
          title={words('resetTitle')}
          note={words('resetNote')}
        />
      </Rows>
    </Screen>
  )
}

function nameMinutes(minutes: number): string {
  return minutes % 60 === 0
    ? countWords('securityHours', minutes / 60)
    : countWords('securityMinutes', minutes)
}

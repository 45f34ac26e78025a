/**
 * Backup: what the recovery words do not bring back, as one encrypted file, and labels as other wallets read them. What a file
 * would change is shown before it does; passwords are kept no longer than their screen.
 */

import { FileDown, FileUp, Tags } from 'lucide-react'
import { goBack } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'

/** The ways to a file and back. */
export function BackupFiles() {
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('backupFileTitle')}</Title>
      <p className={textStyles.muted}>{words('backupFileLead')}</p>
      <p className={textStyles.muted}>{words('backupFileNotWords')}</p>
      <Rows label={words('backupFileTitle')}>
        <LinkRow
          to="/backup/save"
          icon={<FileDown size={18} aria-hidden />}
          title={words('backupFileSave')}
        />
        <LinkRow
          to="/backup/restore"
          icon={<FileUp size={18} aria-hidden />}
          title={words('backupFileRestore')}
        />
      </Rows>
      <Rows label={words('labelsTitle')}>
        <LinkRow
          to="/backup/labels"
          icon={<Tags size={18} aria-hidden />}
          title={words('labelsTitle')}
          note={words('labelsNote')}
        />
      </Rows>
    </Screen>
  )
}

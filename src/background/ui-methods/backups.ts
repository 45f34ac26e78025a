import { invalidParams } from '../../provider/errors.ts'
import { BACKUP_PARTS, type Backups } from '../backup/backups.ts'
import type { LabelFiles } from '../backup/label-files.ts'
import type { Announcer } from '../requests/pages.ts'
import { type AccountJoinParts, joinAccounts } from './account-join.ts'
import { parseNewPassword, parseText } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type BackupMethodParts = Announcer &
  AccountJoinParts & {
    backups: Backups
    labelFiles: LabelFiles
    /** Goes on with jobs. */
    resumeJobs(): void
  }

/** The file of what the phrase does not bring back. No error quotes a password or anything of a file. */
export const backupMethods = {
  createBackup: ({ wallet }, { walletPassword, password }) =>
    wallet.backups.create(
      parseText('walletPassword', walletPassword),
      parseNewPassword('password', password),
    ),

  reviewBackup: ({ wallet }, { file, password }) =>
    wallet.backups.review(parseText('file', file), parseText('password', password)),

  async restoreBackup({ wallet }, { file, password, digest, parts }) {
    const pairs = await wallet.backups.restore({
      file: parseText('file', file),
      password: parseText('password', password),
      digest: parseText('digest', digest),
      parts: new Set(parseParts(parts)),
    })
    for (const pair of pairs) await joinAccounts(wallet, pair)
    wallet.announce()
    wallet.resumeJobs()
    return null
  },

  exportLabels: ({ wallet }) => wallet.labelFiles.format(),

  reviewLabels: ({ wallet }, { text }) => wallet.labelFiles.review(parseText('text', text)),

  async importLabels({ wallet }, { text, digest }) {
    await wallet.labelFiles.add(parseText('text', text), parseText('digest', digest))
    return null
  },
} satisfies UiMethodsOf<BackupMethodParts>

function parseParts(value: unknown) {
  const told: unknown[] = Array.isArray(value) ? value : [null]
  return told.map(one => {
    const part = BACKUP_PARTS.find(known => known === one)
    if (!part) throw invalidParams('parts', value, `some of ${BACKUP_PARTS.join(', ')}`)
    return part
  })
}

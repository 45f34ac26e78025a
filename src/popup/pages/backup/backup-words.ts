import { RpcError } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'

/** The same answer, but where the file cannot be opened, an error that says why and what to do. */
export async function backupInWords<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const problem = error instanceof RpcError ? error.data?.problem : undefined
    if (!isBackupProblem(problem)) throw error
    throw new Error(words(BACKUP_WORDS[problem]))
  }
}

/** Why a backup file cannot be opened. */
const BACKUP_WORDS = {
  'too-large': 'backupErrorLarge',
  'not-a-backup': 'backupErrorNone',
  'newer-version': 'backupErrorNewer',
  damaged: 'backupErrorDamaged',
  'wrong-password': 'backupErrorPassword',
} as const

function isBackupProblem(value: unknown): value is keyof typeof BACKUP_WORDS {
  return typeof value === 'string' && Object.hasOwn(BACKUP_WORDS, value)
}

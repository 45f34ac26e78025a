import type { StorageArea } from '../storage/storage-area.ts'
import { JOBS_KEY, OVER_JOBS_KEY } from './inscribing/job-alarm.ts'
import { MINTS_KEY } from './minting/mints-key.ts'

/** Whether any inscribing or mint is stored, which is known without their code. */
export async function hasStoredJobs(local: Pick<StorageArea, 'get'>): Promise<boolean> {
  const lists = await Promise.all([JOBS_KEY, OVER_JOBS_KEY, MINTS_KEY].map(key => local.get(key)))
  return lists.some(stored => Array.isArray(stored) && stored.length > 0)
}

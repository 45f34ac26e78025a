import { type Jobs, listUnrecordedOutpoints } from './inscribing/jobs.ts'
import { listUnrecordedMints, type Mints } from './minting/mint-jobs.ts'
import { type CosignedParts, listCosignedOutpoints } from './payments/cosigning.ts'
import { listPlannedOutpoints, type Requests } from './requests/requests.ts'

/** Outpoints that a payment under way spends which is in no record of the activity yet. */
export async function listReserved(
  wallet: CosignedParts & {
    requests: Pick<Requests, 'load'>
    jobs: Pick<Jobs, 'list'>
    mints: Pick<Mints, 'list'>
  },
): Promise<ReadonlySet<string>> {
  const lists = await Promise.all([
    listPlannedOutpoints(wallet.requests),
    listUnrecordedOutpoints(wallet.jobs),
    listUnrecordedMints(wallet.mints),
    listCosignedOutpoints(wallet),
  ])
  return new Set(lists.flatMap(outpoints => [...outpoints]))
}

import { PenLine } from 'lucide-react'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { words } from '../../app/words.ts'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { useJobs } from '../jobs/use-jobs.ts'

/** The way from a transaction to the inscribing that it is part of; of one that was replaced since, to all of them. */
export function JobLink({ txid, state }: { txid: string; state: WalletState }) {
  const { answer } = useJobs(state)
  const job = answer?.find(
    ({ commit, items }) =>
      commit.txid === txid || items.some(({ inscriptionId }) => inscriptionId.startsWith(txid)),
  )
  return (
    <Rows label={words('transactionJob')}>
      <LinkRow
        to={job ? `/inscribe/jobs/${job.id}` : '/inscribe/jobs'}
        icon={<PenLine size={18} aria-hidden />}
        title={words('transactionJob')}
        note={words('transactionJobNote')}
      />
    </Rows>
  )
}

import { Shield, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ActivityEntry, ConfirmationProof } from '../../background/views/activity-views.ts'
import type { WalletState } from '../../background/views/ui-methods.ts'
import { HelpButton, WithHelp } from '../help/help-button.tsx'
import { call } from '../platform/rpc.ts'
import { countWords, words } from '../platform/words.ts'
import { ServerWays } from '../state/server-ways.tsx'
import { NEWS, subjectOf } from '../state/use-overview.ts'
import { type Query, useQuery } from '../state/use-query.ts'
import { Notice } from '../ui/notice.tsx'
import { NoteLine } from '../ui/text/note-line.tsx'
import { PROOF_FAULT_WORDS } from '../ui/text/proof-words.ts'

/** What proof of work says of a transaction; nobody is asked while it is not confirmed. */
export function useProof(
  { txid, status }: Pick<ActivityEntry, 'txid' | 'status'>,
  state: WalletState,
): Query<ConfirmationProof | null> {
  const isConfirmed = status === 'confirmed'
  return useQuery(
    async () => (isConfirmed ? call('getConfirmationProof', { txid }) : null),
    `${subjectOf(state)} ${txid} ${isConfirmed}`,
    NEWS,
  )
}

/** Whether proof of work stands behind a confirmed transaction, or only the word of the server. */
export function ProofLine({ proof }: { proof: Query<ConfirmationProof | null> }) {
  const { answer, problem, busy, retry } = proof
  if (answer?.is === 'unproven') {
    return (
      <Notice
        tone={answer.fault === 'no-answer' ? 'caution' : 'danger'}
        title={words('proofUnproven')}
        live
        aside={<HelpButton term="confirmation" />}
        actions={<ServerWays busy={busy} onRetry={retry} />}
      >
        <p>{words(PROOF_FAULT_WORDS[answer.fault])}</p>
      </Notice>
    )
  }
  const Icon = answer ? ShieldCheck : problem ? ShieldAlert : Shield
  return (
    <WithHelp term="confirmation">
      <NoteLine Icon={Icon}>
        {answer ? describe(answer) : words(problem ? 'proofUnanswered' : 'proofChecking')}
      </NoteLine>
    </WithHelp>
  )
}

function describe({ is, blocks }: Exclude<ConfirmationProof, { is: 'unproven' }>): string {
  if (blocks === null) return words('proofTestNetwork')
  const whole = Math.round(blocks)
  if (whole < 1) return words('proofEasy')
  return countWords(is === 'proven' ? 'proofProven' : 'proofOld', whole)
}

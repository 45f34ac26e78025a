import { Shield, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ConfirmationProof } from '../../../background/views/activity-views.ts'
import type { InscriptionDetail } from '../../../background/views/asset-views.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import { ServerWays } from '../../state/server-ways.tsx'
import { NEWS } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import noticeStyles from '../../ui/notice.module.css'
import { Notice } from '../../ui/notice.tsx'
import { NoteLine } from '../../ui/text/note-line.tsx'
import { PROOF_FAULT_WORDS } from '../../ui/text/proof-words.ts'

/** What an inscription rests on: the transaction that made it, and the one that brought it to its coin; the same where it never moved. */
type Basis = { reveal: string; move: string; isPending: boolean }

/** Whether blocks hold what an inscription rests on. The page does not wait for the answer. */
export function InscriptionBlocks({ inscription }: { inscription: InscriptionDetail }) {
  const { reveal, outpoint, pending: isPending } = inscription
  const basis = { reveal, move: outpoint.slice(0, reveal.length), isPending }
  const txids = [...new Set([reveal, basis.move])]
  const { answer, problem, busy, retry } = useQuery(
    () => call('getCoinProofs', { txids }),
    txids.join(' '),
    NEWS,
  )
  if (!answer) {
    return (
      <NoteLine Icon={problem ? ShieldAlert : Shield}>
        {words(problem ? 'proofUnanswered' : 'proofChecking')}
      </NoteLine>
    )
  }
  const proofs = new Map(txids.map((txid, at) => [txid, answer[at] ?? null]))
  const isUnproven = answer.some(proof => proof?.is === 'unproven')
  return (
    <>
      <BasisNotes basis={basis} proofs={proofs} />
      {isUnproven ? (
        <div className={noticeStyles.actions}>
          <ServerWays busy={busy} onRetry={retry} />
        </div>
      ) : null}
    </>
  )
}

const WORDS = {
  reveal: { proven: 'revealProven', unproven: 'revealUnproven' },
  move: { proven: 'moveProven', unproven: 'moveUnproven' },
} as const

type BasisNotesProps = {
  basis: Basis
  /** By txid; null where nobody was asked. */
  proofs: ReadonlyMap<string, ConfirmationProof | null>
}

/** What came out, of each transaction in a sentence. */
export function BasisNotes({ basis: { reveal, move, isPending }, proofs }: BasisNotesProps) {
  const parts = [
    { txid: reveal, ...WORDS.reveal },
    ...(move === reveal ? [] : [{ txid: move, ...WORDS.move }]),
  ]
  const isLittleWork = [...proofs.values()].some(
    proof => proof && proof.is !== 'unproven' && proof.blocks === null,
  )
  return (
    <>
      {parts.map(({ txid, proven, unproven }) => {
        const proof = proofs.get(txid)
        if (!proof) return null
        if (proof.is !== 'unproven') {
          const isEasy = proof.blocks !== null && proof.blocks < 1
          return (
            <NoteLine key={txid} Icon={isEasy ? ShieldAlert : ShieldCheck}>
              {isEasy ? words('proofEasy') : countWords(proven, proof.confirmations)}
            </NoteLine>
          )
        }
        if (isPending && txid === move && proof.fault === 'no-block') {
          return (
            <NoteLine key={txid} Icon={Shield}>
              {words('moveInNoBlock')}
            </NoteLine>
          )
        }
        return (
          <Notice key={txid} tone="caution" title={words(unproven)} live>
            <p>{words(PROOF_FAULT_WORDS[proof.fault])}</p>
          </Notice>
        )
      })}
      {isLittleWork ? <NoteLine Icon={Shield}>{words('proofLittleWork')}</NoteLine> : null}
    </>
  )
}

import { ShieldCheck } from 'lucide-react'
import type { ConfirmationProof, ProofFault } from '../../background/views/activity-views.ts'
import type { ReviewedInput } from '../../background/views/payment-views.ts'
import { call } from '../platform/rpc.ts'
import { countWords, words } from '../platform/words.ts'
import { NEWS } from '../state/use-overview.ts'
import { useQuery } from '../state/use-query.ts'
import { Notice } from '../ui/notice.tsx'
import { NoteLine } from '../ui/text/note-line.tsx'
import { PROOF_FAULT_WORDS } from '../ui/text/proof-words.ts'

type CoinProofsProps = {
  inputs: readonly ReviewedInput[]
  /** Some of the coins may be in no block, by what the review says or leaves open. */
  isUnconfirmed: boolean
}

/** Whether the own coins of a payment are shown to be in their blocks. Nothing waits for the answer. */
export function CoinProofs({ inputs, isUnconfirmed }: CoinProofsProps) {
  const txids = listTransactions(inputs)
  const { answer } = useQuery(() => call('getCoinProofs', { txids }), txids.join(' '), NEWS)
  const found = answer && judgeProofs(answer, isUnconfirmed)
  if (!found) return null
  if ('faults' in found) {
    return (
      <Notice tone="caution" title={countWords('coinsUnproven', found.faults.length)} live>
        {[...new Set(found.faults)].map(fault => (
          <p key={fault}>{words(PROOF_FAULT_WORDS[fault])}</p>
        ))}
      </Notice>
    )
  }
  return (
    <NoteLine Icon={ShieldCheck}>
      {found.blocks === null
        ? words('coinsProvenTestNetwork')
        : countWords('coinsProven', found.blocks)}
    </NoteLine>
  )
}

/** Each transaction that made an own coin, once. */
export function listTransactions(inputs: readonly ReviewedInput[]): string[] {
  const own = inputs.filter(input => input.own)
  return [...new Set(own.map(({ outpoint }) => outpoint.slice(0, 64)))]
}

/**
 * The faults of those that are not proven, or the least work behind all of them, in whole blocks; null where neither can be said.
 * Where the review says that a coin is unconfirmed, one that is in no block is no fault, and nothing is said of the others; else the server called all
 * of them confirmed.
 */
export function judgeProofs(
  proofs: readonly (ConfirmationProof | null)[],
  isUnconfirmed: boolean,
): { faults: ProofFault[] } | { blocks: number | null } | null {
  const faults = proofs.flatMap(proof => {
    const isTold = isUnconfirmed && proof?.is === 'unproven' && proof.fault === 'no-block'
    return proof?.is === 'unproven' && !isTold ? [proof.fault] : []
  })
  if (faults.length > 0) return { faults }
  const works = proofs.map(proof =>
    proof === null || proof.is === 'unproven' ? undefined : proof.blocks,
  )
  if (works.length === 0 || works.includes(undefined)) return null
  const known = works.filter(blocks => typeof blocks === 'number')
  if (known.length < works.length) return { blocks: null }
  const least = Math.floor(Math.min(...known))
  // Less than one block of today is as good as the server's word.
  return least < 1 ? null : { blocks: least }
}

import { CircleCheck, CircleHelp, OctagonAlert, ShieldCheck } from 'lucide-react'
import type {
  InscriptionDetail,
  InscriptionProof,
  InscriptionView,
} from '../../../background/views/asset-views.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { nameAsset } from '../../ui/text/asset-names.ts'
import { obstacleOf } from './chosen.ts'

/** How far an inscription was checked: a sign, its words, and what they mean where nothing more is known. */
export const PROOFS: {
  [proof in InscriptionProof]: { Icon: typeof ShieldCheck; name: WordKey; note: WordKey }
} = {
  verified: { Icon: ShieldCheck, name: 'proofVerified', note: 'proofVerifiedNote' },
  revealed: { Icon: CircleCheck, name: 'proofRevealed', note: 'proofRevealedNote' },
  server: { Icon: CircleHelp, name: 'proofServer', note: 'proofServerNote' },
  contradicted: { Icon: OctagonAlert, name: 'proofContradicted', note: 'proofContradictedNote' },
}

/** What the proof rests on, or why there is no better one. */
export function explainProof({ proof, proofDetail: detail }: InscriptionDetail): string {
  switch (detail?.kind) {
    case 'followed':
      return detail.hops === 0
        ? words('proofVerifiedNote')
        : countWords('proofFollowed', detail.hops)
    case 'too-far':
      return words('proofTooFar')
    case 'unanswered':
      return words(proof === 'revealed' ? 'proofRevealedUnanswered' : 'proofUnanswered')
    case 'elsewhere':
      return words('proofElsewhere')
    case 'not-in-reveal':
      return words('proofNotInReveal')
    case 'other-content':
      return words('proofOtherContent')
    default:
      return words(PROOFS[proof].note)
  }
}

/** What is read out and stands alone: "Inscription 1234". */
export function nameInscription({ id, number }: Pick<InscriptionView, 'id' | 'number'>): string {
  return nameAsset({ kind: 'inscription', id, number })
}

/** What tells whether an inscription or an Atomical is here and can be sent. */
export type Condition = Pick<InscriptionView, 'held' | 'pending'> & { proof?: InscriptionProof }

/** What a person has to know of it at a glance; null when nothing is special. */
export function nameCondition(inscription: Condition): string | null {
  const obstacle = obstacleOf(inscription)
  if (obstacle !== null) return words(OBSTACLES[obstacle])
  return inscription.pending ? words('inscriptionPending') : null
}

const OBSTACLES = {
  contradicted: 'proofContradicted',
  reserved: 'inscriptionReserved',
  locked: 'inscriptionLocked',
} as const

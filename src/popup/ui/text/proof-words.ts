import type { ProofFault } from '../../../background/views/activity-views.ts'
import type { WordKey } from '../../platform/words.ts'

/** Why a transaction is not shown to be in its block. */
export const PROOF_FAULT_WORDS: { [fault in ProofFault]: WordKey } = {
  'no-block': 'proofNoBlock',
  chain: 'proofChain',
  'beyond-tip': 'proofBeyondTip',
  header: 'proofHeader',
  'merkle-proof': 'proofMissing',
  'no-answer': 'proofNoAnswer',
}

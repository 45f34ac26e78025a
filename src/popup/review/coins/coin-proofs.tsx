import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ConfirmationProof, ProofFault } from '../../../background/views/activity-views.ts'
import { WithHelp } from '../../help/help-button.tsx'
import { joinSentences } from '../../platform/join-words.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, type WordKey, words } from '../../platform/words.ts'
import { NEWS } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Notice } from '../../ui/notice.tsx'
import { NoteLine } from '../../ui/text/note-line.tsx'
import { PROOF_FAULT_WORDS } from '../../ui/text/proof-words.ts'
import {
  type Judged,
  judgeProofs,
  listGoods,
  listOwn,
  listReveals,
  type OwnTransaction,
  type ReviewedTransaction,
} from './proof-groups.ts'

type CoinProofsProps = {
  /** What is signed or sent together. */
  transactions: readonly ReviewedTransaction[]
  /** Ids of inscriptions that the person asked to send. */
  inscriptions?: readonly string[]
}

/**
 * Whether blocks hold the own coins of transactions, the coins of others that bring something, and the reveals of inscriptions that
 * move. Nothing waits for the answer.
 */
export function CoinProofs({ transactions, inscriptions = [] }: CoinProofsProps) {
  const goods = listGoods(transactions)
  const own = listOwn(transactions)
  const reveals = listReveals(inscriptions)
  // Of those after the first few that are not known, nobody is asked.
  const txids = [...new Set([...goods, ...own.map(({ txid }) => txid), ...reveals])]
  const { answer } = useQuery(
    async () => (txids.length === 0 ? [] : call('getCoinProofs', { txids })),
    txids.join(' '),
    NEWS,
  )
  if (!answer) return null
  const proofs = new Map(txids.map((txid, at) => [txid, answer[at] ?? null]))
  return <ProofNotes {...{ goods, own, reveals, proofs }} />
}

type ProofNotesProps = {
  goods: readonly string[]
  own: readonly OwnTransaction[]
  reveals: readonly string[]
  /** By txid; null where nobody was asked. */
  proofs: ReadonlyMap<string, ConfirmationProof | null>
}

/** What came out, of each group in a sentence. */
export function ProofNotes({ goods, own, reveals, proofs }: ProofNotesProps) {
  const proofOf = (txid: string) => proofs.get(txid) ?? null
  const moved = reveals.filter(reveal => own.every(({ txid }) => txid !== reveal))
  return (
    <>
      <Goods judged={judgeProofs(goods.map(proofOf))} count={goods.length} />
      <Own
        judged={judgeProofs(
          own.map(({ txid }) => proofOf(txid)),
          own.map(({ isTold }) => isTold),
        )}
      />
      <Reveals
        judged={judgeProofs(moved.map(proofOf))}
        together={judgeProofs(reveals.map(proofOf))}
        count={reveals.length}
      />
    </>
  )
}

/** What comes from others: also a coin in no block is one to say. */
function Goods({ judged, count }: { judged: Judged; count: number }) {
  if (!judged) return null
  if ('faults' in judged)
    return (
      <Unproven title={words('goodsUnproven')} faults={judged.faults} inNoBlock="goodsNoBlock" />
    )
  const isEasy = judged.blocks === 0
  return (
    <WithHelp term="confirmation">
      <NoteLine Icon={isEasy ? ShieldAlert : ShieldCheck}>
        {joinSentences([
          isEasy
            ? words('goodsEasy')
            : countWords(count === 1 ? 'goodsProven' : 'goodsAllProven', judged.depth),
          ...(judged.blocks === null ? [words('proofLittleWork')] : []),
        ])}
      </NoteLine>
    </WithHelp>
  )
}

function Own({ judged }: { judged: Judged }) {
  if (!judged) return null
  if ('faults' in judged) {
    const title = countWords('coinsUnproven', judged.faults.length)
    return <Unproven title={title} faults={judged.faults} />
  }
  // Less than one block of today is as good as the server's word.
  if (judged.blocks === 0) return null
  return (
    <WithHelp term="confirmation">
      <NoteLine Icon={ShieldCheck}>
        {judged.blocks === null
          ? words('coinsProvenTestNetwork')
          : countWords('coinsProven', judged.blocks)}
      </NoteLine>
    </WithHelp>
  )
}

type RevealsProps = {
  /** Of those which did not make the coin that is spent: of that it is said already why it is not proven. */
  judged: Judged
  together: Judged
  count: number
}

function Reveals({ judged, together, count }: RevealsProps) {
  if (judged && 'faults' in judged)
    return <Unproven title={words('revealUnproven')} faults={judged.faults} />
  if (!together || 'faults' in together || together.blocks === 0) return null
  return (
    <WithHelp term="confirmation">
      <NoteLine Icon={ShieldCheck}>
        {countWords(count === 1 ? 'revealProven' : 'revealsProven', together.depth)}
      </NoteLine>
    </WithHelp>
  )
}

type UnprovenProps = {
  title: string
  faults: readonly ProofFault[]
  /** Words for what is in no block. */
  inNoBlock?: WordKey
}

function Unproven({ title, faults, inNoBlock = PROOF_FAULT_WORDS['no-block'] }: UnprovenProps) {
  return (
    <Notice tone="caution" title={title} live>
      {[...new Set(faults)].map(fault => (
        <p key={fault}>{words(fault === 'no-block' ? inNoBlock : PROOF_FAULT_WORDS[fault])}</p>
      ))}
    </Notice>
  )
}

import type { ReactNode } from 'react'
import type { AssetMoveView } from '../../../background/views/asset-views.ts'
import type { PsbtView, SignPsbtReview } from '../../../background/views/psbt-views.ts'
import { richWords, type WordKey, words } from '../../platform/words.ts'
import { type Outcome, outcomeOf } from '../../review/asset-outcomes.ts'
import { NameMoved, tellAssets } from '../../review/asset-words.tsx'
import { canGetWorse } from '../../review/psbt/psbt-effect.ts'
import textStyles from '../../ui/styles/text.module.css'
import { nameValue } from '../../ui/text/btc-digits.ts'

/** What signing a batch does, as one sentence. Where items can be used alone, it says the worst result and counts on nothing that other items bring. */
export function describeBatch(review: SignPsbtReview): ReactNode {
  return tellAssets(listBatchMoves(review), describeSats(review))
}

const COMING: readonly Outcome[] = ['comes', 'promised']

/** Moves of assets that happen whichever items are used; what only some items bring is left out. */
function listBatchMoves(review: SignPsbtReview): AssetMoveView[] {
  const { items, conflicts } = review
  const isOneSided = listOneSided(review).length > 0
  const doubtful = new Set(conflicts.flat())
  const hedged = hangsOnAll(review)
  return items.flatMap(({ assets }, index) =>
    assets.filter(move => {
      const outcome = outcomeOf(move)
      if (isOneSided || doubtful.has(index)) return !COMING.includes(outcome)
      return !hedged || outcome !== 'comes'
    }),
  )
}

/** Whether others can make the sum worse by using only some items: one brings something, and another one gives or brings something, too. */
function hangsOnAll({ items, total }: SignPsbtReview): boolean {
  if (items.length < 2) return false
  return (
    BigInt(total.worst) < BigInt(total.net) ||
    (items.some(brings) && items.filter(item => brings(item) || takes(item)).length > 1)
  )
}

function brings({ net, assets }: PsbtView): boolean {
  return BigInt(net.sats) > 0n || assets.some(move => COMING.includes(outcomeOf(move)))
}

function takes({ net, assets }: PsbtView): boolean {
  return BigInt(net.sats) < 0n || assets.some(move => move.own && outcomeOf(move) !== 'stays')
}

/** Items that give something and bring nothing, while others bring something. */
export function listOneSided({ items, warnings }: SignPsbtReview): PsbtView[] {
  const places = warnings.flatMap(warning =>
    warning.kind === 'one-sided-items' ? warning.items : [],
  )
  return items.filter((_, index) => places.includes(index))
}

/** Whether signatures of several items can be used together, and then cost more than the items themselves can. */
export function isReused({ warnings }: SignPsbtReview): boolean {
  return warnings.some(({ kind }) => kind === 'open-signature')
}

/** The worst net result in sats, of the whole batch or of any warning. */
export function worstOf({ total, warnings }: SignPsbtReview): bigint {
  const warned = warnings.flatMap(warning => ('worst' in warning ? BigInt(warning.worst) : []))
  return warned.reduce((least, worst) => (worst < least ? worst : least), BigInt(total.worst))
}

/** What the sum of all items depends on, in words; null where nobody can change it. */
export function describeHold(review: SignPsbtReview): string | null {
  const { items } = review
  if (items.every(({ net }) => net.certainty === 'certain') && !hangsOnAll(review)) return null
  return words(isReused(review) || items.some(canGetWorse) ? 'psbtNetOpen' : 'psbtNetIfAll')
}

function describeSats(review: SignPsbtReview): ReactNode {
  const { items, total, conflicts } = review
  const count = items.length
  if (items.some(({ warnings }) => warnings.some(({ kind }) => kind === 'blank-signature')))
    return words('batchSignBlank', { count })
  if (listOneSided(review).length > 0) {
    const worst = worstOf(review)
    return worst < 0n
      ? richWords('batchSignOneSided', { count, amount: nameWhole(worst) })
      : words('batchSignOneSidedNothing', { count })
  }
  if (conflicts.length > 0) return words('batchSignConflict', { count })
  const net = BigInt(total.net)
  const key: WordKey = net === 0n ? 'batchSignNothing' : net < 0n ? 'batchSignPay' : 'batchSignGet'
  const effect = richWords(key, { count, amount: nameWhole(net) })
  if (isReused(review) || items.some(canGetWorse)) return richWords('psbtUnless', { effect })
  if (!hangsOnAll(review)) return effect
  const coming = items.flatMap(({ assets }) => assets).filter(move => outcomeOf(move) === 'comes')
  return coming.length > 0
    ? richWords('batchIfAllGet', { effect, what: <NameMoved moves={coming} /> })
    : richWords('batchIfAll', { effect })
}

function nameWhole(sats: bigint): ReactNode {
  return <span className={textStyles.nowrap}>{nameValue(sats)}</span>
}

/** Some cost and some pay: the sum of all is not the most that they can cost. */
export function isMixed(items: readonly PsbtView[]): boolean {
  const nets = items.map(({ net }) => BigInt(net.sats))
  return nets.some(net => net < 0n) && nets.some(net => net > 0n)
}

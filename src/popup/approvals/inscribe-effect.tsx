import type { ReactNode } from 'react'
import type {
  InscribeItemView,
  InscribeReview,
} from '../../background/ui-methods/inscribe-views.ts'
import { formatRuneAmount, shortenId } from '../ui/asset-names.ts'
import { nameSats, nameValue } from '../ui/btc-digits.ts'
import { VisibleWord } from '../ui/visible-text.tsx'
import { countWords, richWords, type WordKey, words } from '../words.ts'
import './review.css'

/** What is approved, in a sentence with its price. */
export function describeInscribing(review: InscribeReview): ReactNode {
  const { purpose, items, previousFee, totalFee } = review
  const cost = BigInt(review.cost)
  const what = countWords('inscribeInscriptions', items.length)
  if (purpose === 'bump') {
    const more = BigInt(totalFee) - BigInt(previousFee ?? 0)
    return richWords('inscribeEffectBump', { fee: whole(nameSats(more)), what })
  }
  if (purpose === 'refund')
    return richWords('inscribeEffectRefund', { amount: whole(nameValue(-cost)), what })
  return richWords('inscribeEffect', {
    what: <NameItems items={items} />,
    cost: whole(nameValue(cost)),
  })
}

/** "a text", "1,000 ordi as a transfer", "5 inscriptions". */
function NameItems({ items }: { items: readonly InscribeItemView[] }): ReactNode {
  const [first] = items
  if (first === undefined) return null
  const { brc20 } = first
  if (brc20 === null || !items.every(item => isSame(item, first)))
    return items.length === 1
      ? nameContent(first)
      : countWords('inscribeInscriptions', items.length)
  const { operation } = brc20
  const tick = <VisibleWord text={operation.tick} />
  if (operation.op === 'deploy') return richWords('inscribeADeploy', { tick })
  const amount = formatRuneAmount(operation.amt)
  if (items.length === 1)
    return richWords(operation.op === 'mint' ? 'inscribeAMint' : 'inscribeATransfer', {
      amount,
      tick,
    })
  const count = items.length
  return richWords(operation.op === 'mint' ? 'inscribeMints' : 'inscribeTransfers', {
    count,
    amount,
    tick,
  })
}

function nameContent({ delegate, kind }: InscribeItemView): string {
  return delegate === null
    ? words(KIND_PHRASES[kind] ?? 'inscribeAFile')
    : words('inscribeADelegate', { id: shortenId(delegate) })
}

function isSame(a: InscribeItemView, b: InscribeItemView): boolean {
  return JSON.stringify(a.brc20?.operation) === JSON.stringify(b.brc20?.operation)
}

const KIND_PHRASES: { [kind in InscribeItemView['kind']]?: WordKey } = {
  text: 'inscribeAText',
  image: 'inscribeAnImage',
  svg: 'inscribeAnImage',
}

function whole(text: string): ReactNode {
  return <span className="short-address">{text}</span>
}

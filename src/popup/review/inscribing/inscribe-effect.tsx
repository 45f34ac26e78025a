import type { ReactNode } from 'react'
import type { InscribeItemView, InscribeReview } from '../../../background/views/inscribe-views.ts'
import type { Brc20Operation } from '../../../ordinals/brc20/brc20-operation.ts'
import {
  countWords,
  currentLanguage,
  richWords,
  type WordKey,
  words,
} from '../../platform/words.ts'
import textStyles from '../../ui/styles/text.module.css'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { shortenId } from '../../ui/text/asset-names.ts'
import { nameSats, nameValue } from '../../ui/text/btc-digits.ts'
import { sayName } from '../../ui/text/names.ts'
import { RuneName } from '../../ui/text/rune-name.tsx'
import { TokenNumber } from '../../ui/text/token-number.tsx'
import { VisibleWord } from '../../ui/text/visible-text.tsx'
import { WholeText } from '../whole-text.tsx'

/** What is approved, in a sentence with its price. */
export function describeInscribing(review: InscribeReview): ReactNode {
  const { purpose, items, etching, delivery, previousFee, totalFee } = review
  const cost = BigInt(review.cost)
  const what = etching ? etching.name : countWords('inscribeInscriptions', items.length)
  if (purpose === 'bump') {
    const more = BigInt(totalFee) - BigInt(previousFee ?? 0)
    return richWords('inscribeEffectBump', { fee: whole(nameSats(more)), what })
  }
  if (purpose === 'refund')
    return richWords('inscribeEffectRefund', { amount: whole(nameValue(-cost)), what })
  if (etching)
    return richWords('etchEffect', {
      name: <RuneName name={etching.name} />,
      cost: whole(nameValue(cost)),
    })
  if (delivery)
    return richWords('deliverEffect', {
      amount: <TokenNumber amount={delivery.amount} />,
      tick: <VisibleWord text={delivery.tick} />,
      to: (
        <WholeText
          text={delivery.name === null ? shortenAddress(delivery.to) : sayName(delivery.name)}
        />
      ),
      cost: whole(nameValue(cost)),
    })
  return richWords('inscribeEffect', {
    what: <NameItems items={items} />,
    cost: whole(nameValue(cost)),
  })
}

/** "a text", "a transfer of 1,000 ordi", "5 inscriptions", "23 inscriptions and a transfer of 1,000 ordi". */
function NameItems({ items }: { items: readonly InscribeItemView[] }): ReactNode {
  const [only] = items
  if (only === undefined) return null
  if (items.length === 1 && only.brc20 === null) return nameContent(only)
  // Operations are named beside all else: a single transfer among pictures is what a person would miss.
  const operations = items.flatMap(({ brc20 }) => brc20?.operation ?? [])
  const others = items.length - operations.length
  if (others === 0) return <NameOperations operations={operations} />
  const first = countWords('inscribeInscriptions', others)
  if (operations.length === 0) return first
  return richWords('assetPair', { first, second: <NameOperations operations={operations} /> })
}

/** "a mint of 1,000 pepe", "24 mints of 1,000 pepe", "3 token operations" where they differ. */
function NameOperations({ operations }: { operations: readonly Brc20Operation[] }): ReactNode {
  const [operation] = operations
  if (operation === undefined) return null
  const count = operations.length
  const areSame = new Set(operations.map(one => JSON.stringify(one))).size === 1
  if (!areSame || (operation.op === 'deploy' && count > 1))
    return countWords('inscribeOperations', count)
  const tick = <VisibleWord text={operation.tick} />
  if (operation.op === 'deploy') return richWords('inscribeADeploy', { tick })
  const amount = <TokenNumber amount={operation.amt} />
  if (count === 1)
    return richWords(operation.op === 'mint' ? 'inscribeAMint' : 'inscribeATransfer', {
      amount,
      tick,
    })
  return richWords(operation.op === 'mint' ? 'inscribeMints' : 'inscribeTransfers', {
    count: count.toLocaleString(currentLanguage()),
    amount,
    tick,
  })
}

function nameContent({ delegate, kind }: InscribeItemView): string {
  return delegate === null
    ? words(KIND_PHRASES[kind] ?? 'inscribeAFile')
    : words('inscribeADelegate', { id: shortenId(delegate) })
}

const KIND_PHRASES: { [kind in InscribeItemView['kind']]?: WordKey } = {
  text: 'inscribeAText',
  image: 'inscribeAnImage',
  svg: 'inscribeAnImage',
}

function whole(text: string): ReactNode {
  return <span className={textStyles.nowrap}>{text}</span>
}

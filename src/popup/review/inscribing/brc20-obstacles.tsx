import type { Brc20Obstacle } from '../../../background/views/brc20-views.ts'
import { currentLanguage, type WordKey, words } from '../../platform/words.ts'
import { Notice } from '../../ui/notice.tsx'
import { spellWord } from '../../ui/text/visible-parts.ts'
import { isHindrance, isOrder, nameTokens, OBSTACLE_WORDS } from './brc20-words.ts'
import { namePlaces, type TokenItem } from './inscribe-places.ts'

/** Why operations of one token may not count, according to the server, or that no server could be asked. */
export function Brc20Obstacles({ items }: { items: readonly TokenItem[] }) {
  const tick = items[0]?.item.brc20.operation.tick ?? ''
  const partial = items.find(({ item }) => item.brc20.gets !== null)?.item.brc20.gets ?? null
  return (
    <>
      <Hindered
        items={items}
        isMeant={isHindrance}
        one="brc20NotCounted"
        some="brc20SomeNotCounted"
      />
      <Hindered
        items={items}
        isMeant={isOrder}
        one="brc20MayNotCount"
        some="brc20SomeMayNotCount"
      />
      {partial === null ? null : (
        <Notice tone="caution" title={words('brc20Gets', { amount: nameTokens(partial, tick) })}>
          {words('brc20GetsNote')}
        </Notice>
      )}
      {items.every(({ item }) => item.brc20.checked) ? null : (
        <Notice tone="caution" title={words('brc20Unchecked')}>
          {words('brc20UncheckedNote')}
        </Notice>
      )}
    </>
  )
}

type HinderedProps = {
  items: readonly TokenItem[]
  isMeant: (obstacle: Brc20Obstacle) => boolean
  /** What it comes to for all of them, and for some. */
  one: WordKey
  some: WordKey
}

/** Obstacles of a kind with the places of those that they stand against. */
function Hindered({ items, isMeant, one, some }: HinderedProps) {
  const reasonsOf = ({ item }: TokenItem) => item.brc20.obstacles.filter(isMeant)
  const hindered = items.filter(item => reasonsOf(item).length > 0)
  if (hindered.length === 0) return null
  const tick = items[0]?.item.brc20.operation.tick ?? ''
  const isAll = hindered.length === items.length
  const [count, total] = [hindered, items].map(({ length }) =>
    length.toLocaleString(currentLanguage()),
  )
  const title = isAll ? words(one) : words(some, { count: count ?? '', total: total ?? '' })
  return (
    <Notice tone="danger" title={title}>
      {[...new Set(hindered.flatMap(reasonsOf))].map(reason => {
        const text = words(OBSTACLE_WORDS[reason], { tick: spellWord(tick) })
        const places = hindered.filter(item => reasonsOf(item).includes(reason))
        const isOfAll = places.length === items.length
        return (
          <p key={reason}>
            {isOfAll
              ? text
              : words('warningConsentOf', {
                  place: namePlaces(places.map(({ place }) => place)),
                  text,
                })}
          </p>
        )
      })}
    </Notice>
  )
}

/** An item may look small among many and still take the whole balance. */
export function WholeBalance({ tick, amount }: { tick: string; amount: string }) {
  return (
    <Notice tone="caution" title={words('brc20Whole', { amount: nameTokens(amount, tick) })}>
      {words('brc20WholeNote')}
    </Notice>
  )
}

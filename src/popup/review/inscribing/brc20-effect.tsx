import type { ReactNode } from 'react'
import { BRC20_DECIMALS } from '../../../ordinals/brc20/brc20-amount.ts'
import { foldTicker } from '../../../ordinals/brc20/brc20-operation.ts'
import { currentLanguage, richWords, type WordKey, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { nameSats } from '../../ui/text/btc-digits.ts'
import { isZero } from '../../ui/text/token-amount.ts'
import { TokenNumber } from '../../ui/text/token-number.tsx'
import { spellWord } from '../../ui/text/visible-parts.ts'
import { VisibleText, VisibleWord } from '../../ui/text/visible-text.tsx'
import { Fold } from '../fold.tsx'
import { Fact } from '../transaction-facts.tsx'
import styles from './brc20-effect.module.css'
import { Brc20Obstacles, WholeBalance } from './brc20-obstacles.tsx'
import { OPERATION_NAMES } from './brc20-words.ts'
import { namePlaces, type TokenItem } from './inscribe-places.ts'
import { TickerNotice } from './ticker-notice.tsx'

/** What BRC-20 operations do, token by token: what is asked for, the balance before and after, and what stands against it. `total` is how many items there are in all. What is delivered at once is at no time ready to send. */
export function Brc20Effects({
  items,
  total,
  isDelivered,
}: {
  items: readonly TokenItem[]
  total: number
  isDelivered: boolean
}) {
  const tokens = groupBy(items, ({ item }) => foldTicker(item.brc20.operation.tick))
  // They come first, since they could be overlooked further down.
  const emptied = tokens.filter(findEmptied)
  return [...emptied, ...tokens.filter(group => !emptied.includes(group))].map(group => (
    <TokenEffect
      key={group[0]?.place}
      items={group}
      isBatch={total > 1}
      isDelivered={isDelivered}
    />
  ))
}

/** What was available before operations of one token, where nothing is afterwards; null else. */
function findEmptied(items: readonly TokenItem[]): string | null {
  const { before, after } = findChange(items)
  if (!before || !after || isZero(before.available) || !isZero(after.available)) return null
  return before.available
}

/** The balances before all operations of a token and after them; a deploy has none. */
function findChange(items: readonly TokenItem[]) {
  const effects = items.map(({ item }) => item.brc20)
  return {
    before: effects.find(({ before }) => before !== null)?.before,
    after: effects.findLast(({ after }) => after !== null)?.after,
  }
}

function TokenEffect({
  items,
  isBatch,
  isDelivered,
}: {
  items: readonly TokenItem[]
  isBatch: boolean
  isDelivered: boolean
}) {
  const [first] = items
  if (first === undefined) return null
  const { tick } = first.item.brc20.operation
  const { before, after } = findChange(items)
  const emptied = isBatch ? findEmptied(items) : null
  const deploy = items.map(({ item }) => item.brc20.operation).find(({ op }) => op === 'deploy')
  return (
    <section className={styles.effect} aria-label={words('brc20Token', { tick: spellWord(tick) })}>
      <h2 className={styles.tick}>
        <VisibleWord text={tick} />
      </h2>
      <ul className={styles.operations}>
        {groupBy(items, ({ item }) => JSON.stringify(item.brc20.operation)).map(same => (
          <Operation key={same[0]?.place} same={same} isBatch={isBatch} />
        ))}
      </ul>
      <TickerNotice tick={tick} />
      <Brc20Obstacles items={items} />
      {emptied === null ? null : <WholeBalance tick={tick} amount={emptied} />}
      <dl className={factsStyles.facts}>
        {deploy?.op === 'deploy' ? (
          <>
            <Fact name={words('brc20Limit')}>
              <Supply amount={deploy.lim ?? deploy.max} />
            </Fact>
            <Fact name={words('brc20Decimals')}>{deploy.dec ?? BRC20_DECIMALS}</Fact>
            {deploy.selfMint ? (
              <Fact name={words('brc20WhoMints')}>{words('brc20SelfMint')}</Fact>
            ) : null}
          </>
        ) : null}
        <Change name="brc20Available" before={before?.available} after={after?.available} />
        {isDelivered ? null : (
          <Change
            name="brc20Transferable"
            before={before?.transferable}
            after={after?.transferable}
          />
        )}
      </dl>
      <Fold summary={words('brc20ExactText')}>
        {groupBy(items, ({ item }) => JSON.stringify(item.preview)).map(same => (
          <ExactText key={same[0]?.place} same={same} isBatch={isBatch} />
        ))}
      </Fold>
    </section>
  )
}

/** Those that are alike, together, in the order of the first of each. */
function groupBy(items: readonly TokenItem[], likeness: (item: TokenItem) => string) {
  const groups = new Map<string, TokenItem[]>()
  for (const item of items) {
    const key = likeness(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups.values()]
}

type SameProps = { same: readonly TokenItem[]; isBatch: boolean }

function Operation({ same, isBatch }: SameProps) {
  const [first] = same
  if (first === undefined) return null
  const { operation } = first.item.brc20
  const name: ReactNode = (
    <>
      {words(OPERATION_NAMES[operation.op])}{' '}
      {operation.op === 'deploy' ? (
        <Supply amount={operation.max} />
      ) : (
        <TokenNumber amount={operation.amt} />
      )}
    </>
  )
  const count = same.length.toLocaleString(currentLanguage())
  return (
    <li>
      <span>{same.length === 1 ? name : richWords('brc20Times', { count, name })}</span>
      <span className={classNames(textStyles.note, layoutStyles.push)}>
        {isBatch ? `${placesOf(same)} · ` : ''}
        {describeFees(same)}
      </span>
    </li>
  )
}

/** A maximum of 0 means no limit for a self-mint token. */
function Supply({ amount }: { amount: string }) {
  return isZero(amount) ? words('brc20Endless') : <TokenNumber amount={amount} />
}

function describeFees(same: readonly TokenItem[]): string {
  const fees = same.map(({ item }) => BigInt(item.fee))
  const each = fees.every(fee => fee === fees[0]) ? fees[0] : undefined
  return each === undefined || fees.length === 1
    ? words('inscribeItemFee', { fee: nameSats(fees.reduce((sum, fee) => sum + fee, 0n)) })
    : words('inscribeItemFeeEach', { fee: nameSats(each) })
}

function placesOf(items: readonly TokenItem[]): string {
  return namePlaces(items.map(({ place }) => place))
}

/** What is written on the sats, letter by letter. */
function ExactText({ same, isBatch }: SameProps) {
  const preview = same[0]?.item.preview
  if (preview?.kind !== 'brc-20' && preview?.kind !== 'text') return null
  return (
    <>
      {isBatch ? <p className={textStyles.note}>{placesOf(same)}</p> : null}
      <p className={classNames(textStyles.mono, textStyles.small, textStyles.exact)}>
        <VisibleText text={preview.text} />
      </p>
      {preview.kind === 'text' && preview.cut ? (
        <p className={textStyles.note}>{words('inscribeCut')}</p>
      ) : null}
    </>
  )
}

type ChangeProps = { name: WordKey; before: string | undefined; after: string | undefined }

/** "100 → 1,100"; nothing where it is not known. */
function Change({ name, before, after }: ChangeProps) {
  if (before === undefined || after === undefined) return null
  return (
    <Fact name={words(name)}>
      {before === after ? (
        formatRuneAmount(after)
      ) : (
        <>
          <span className={textStyles.muted}>
            <TokenNumber amount={before} />
          </span>{' '}
          <span className={styles.then} aria-hidden>
            →
          </span>
          <span className={textStyles.visuallyHidden}> {words('brc20Then')} </span>
          <b>
            <TokenNumber amount={after} />
          </b>
        </>
      )}
    </Fact>
  )
}

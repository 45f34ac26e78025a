import type { Brc20Effect } from '../../background/ui-methods/brc20-views.ts'
import type { InscribeItemView } from '../../background/ui-methods/inscribe-views.ts'
import { formatRuneAmount } from '../ui/asset-names.ts'
import { nameSats } from '../ui/btc-digits.ts'
import { Notice } from '../ui/notice.tsx'
import { VisibleText } from '../ui/visible-text.tsx'
import { currentLanguage, type WordKey, words } from '../words.ts'
import './brc20-effect.css'
import { nameOperation, nameTokens, OBSTACLE_WORDS } from './brc20-words.ts'
import { Fold } from './fold.tsx'
import { Fact } from './transaction-facts.tsx'

type TokenItem = InscribeItemView & { brc20: Brc20Effect }

/** What the BRC-20 operations among the items do, token by token: what is asked for, the balance before and after, and what stands against it. */
export function Brc20Effects({ items }: { items: readonly InscribeItemView[] }) {
  const operations = items.filter(isToken)
  const ticks = [...new Set(operations.map(({ brc20 }) => tickOf(brc20)))]
  return ticks.map(tick => (
    <TokenEffect key={tick} items={operations.filter(({ brc20 }) => tickOf(brc20) === tick)} />
  ))
}

export function isToken(item: InscribeItemView): item is TokenItem {
  return item.brc20 !== null
}

/** Tickers that differ only in their case are the same token. */
function tickOf({ operation }: Brc20Effect): string {
  return operation.tick.toLowerCase()
}

function TokenEffect({ items }: { items: readonly TokenItem[] }) {
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined) return null
  const { tick } = first.brc20.operation
  const deploy = items.find(({ brc20 }) => brc20.operation.op === 'deploy')?.brc20.operation
  return (
    <section className="token-effect" aria-label={words('brc20Token', { tick })}>
      <h2 className="tick">
        <VisibleText text={tick} />
      </h2>
      <ul className="operations">
        {groupSame(items).map(same => (
          <Operation key={JSON.stringify(same[0]?.brc20.operation)} same={same} />
        ))}
      </ul>
      <Obstacles items={items} />
      <dl className="facts">
        {deploy?.op === 'deploy' ? (
          <>
            <Fact name={words('brc20Limit')}>{formatRuneAmount(deploy.lim ?? deploy.max)}</Fact>
            <Fact name={words('brc20Decimals')}>{deploy.dec ?? '18'}</Fact>
            {deploy.selfMint ? (
              <Fact name={words('brc20WhoMints')}>{words('brc20SelfMint')}</Fact>
            ) : null}
          </>
        ) : null}
        <Change
          name="brc20Available"
          before={first.brc20.before?.available}
          after={last.brc20.after?.available}
        />
        <Change
          name="brc20Transferable"
          before={first.brc20.before?.transferable}
          after={last.brc20.after?.transferable}
        />
      </dl>
      <Fold summary={words('brc20ExactText')}>
        {groupSame(items).map(([item]) =>
          item?.preview.kind === 'brc-20' || item?.preview.kind === 'text' ? (
            <p key={item.preview.text} className="mono small breakable">
              <VisibleText text={item.preview.text} />
            </p>
          ) : null,
        )}
      </Fold>
    </section>
  )
}

/** Items that ask for the same, together, in the order of the first of each. */
function groupSame(items: readonly TokenItem[]): TokenItem[][] {
  const groups = new Map<string, TokenItem[]>()
  for (const item of items) {
    const key = JSON.stringify(item.brc20.operation)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return [...groups.values()]
}

function Operation({ same }: { same: readonly TokenItem[] }) {
  const [first] = same
  if (first === undefined) return null
  const count = same.length
  const name = nameOperation(first.brc20.operation)
  return (
    <li>
      <span>{count === 1 ? name : words('brc20Times', { count: numberText(count), name })}</span>
      <span className="muted small push">
        {words('inscribeItemFee', {
          fee: nameSats(same.reduce((sum, { fee }) => sum + BigInt(fee), 0n)),
        })}
      </span>
    </li>
  )
}

function numberText(count: number): string {
  return count.toLocaleString(currentLanguage())
}

/** What stands against it by the word of the server, or that nobody said anything. */
function Obstacles({ items }: { items: readonly TokenItem[] }) {
  const hindered = items.filter(({ brc20 }) => brc20.obstacles.length > 0)
  const reasons = [...new Set(hindered.flatMap(({ brc20 }) => brc20.obstacles))]
  const tick = items[0]?.brc20.operation.tick ?? ''
  const partial = items.find(({ brc20 }) => brc20.gets !== null)?.brc20.gets ?? null
  return (
    <>
      {reasons.length > 0 ? (
        <Notice
          tone="danger"
          title={
            hindered.length === items.length
              ? words('brc20NotCounted')
              : words('brc20SomeNotCounted', {
                  count: numberText(hindered.length),
                  total: numberText(items.length),
                })
          }
        >
          {reasons.map(reason => (
            <p key={reason}>{words(OBSTACLE_WORDS[reason], { tick })}</p>
          ))}
        </Notice>
      ) : null}
      {partial === null ? null : (
        <Notice tone="caution" title={words('brc20Gets', { amount: nameTokens(partial, tick) })}>
          {words('brc20GetsNote')}
        </Notice>
      )}
      {items.every(({ brc20 }) => brc20.checked) ? null : (
        <Notice tone="caution" title={words('brc20Unchecked')}>
          {words('brc20UncheckedNote')}
        </Notice>
      )}
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
          <span className="muted">{formatRuneAmount(before)}</span>
          <span aria-hidden> → </span>
          <span className="hidden-text"> {words('brc20Then')} </span>
          <b>{formatRuneAmount(after)}</b>
        </>
      )}
    </Fact>
  )
}

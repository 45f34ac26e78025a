import { memo, useMemo, useRef } from 'react'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { formatBtc } from '../../../bitcoin/amount.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { useRoute } from '../../platform/route.ts'
import { countWords, currentLanguage, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { shortenOutpoint } from '../../ui/copied-text.tsx'
import { Link } from '../../ui/row.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import tableStyles from '../../ui/table/table.module.css'
import { CELL, COLUMN_HEADER, ROW, ROW_GROUP, tableNamed } from '../../ui/table/table-roles.ts'
import { cutRows, rowCount, useFocusAfter } from '../../ui/table/table-rows.ts'
import { HiddenAmount, useAmounts } from '../../ui/text/hidden-amounts.tsx'
import type { CoinGroup } from './coin-groups.ts'
import { isSameCoin } from './coin-row.tsx'
import { CoinSign } from './coin-sign.tsx'
import styles from './coin-table.module.css'
import { explainReason, nameContents, nameReason, nameState } from './coin-words.ts'
import { ReasonHelp } from './reason-help.tsx'

type CoinTableProps = { groups: readonly CoinGroup[]; room: number }

/** The coins of a wide window, one a line, the one whose details stand beside it marked; as many as there is room for. */
export function CoinTable({ groups, room }: CoinTableProps) {
  const [, open = null] = useRoute()
  const table = useRef<HTMLDivElement>(null)
  useFocusAfter(open && `/coins/${open}`, table)
  const cut = useMemo(
    () => groups.map(group => ({ group, blocks: cutRows(group.coins) })),
    [groups],
  )
  let left = room
  return (
    <div ref={table} {...tableNamed(words('coinsTitle'))} className={styles.table}>
      <div {...ROW_GROUP} className={tableStyles.head}>
        <div {...ROW} className={classNames(tableStyles.row, styles.row)}>
          <span {...COLUMN_HEADER}>{words('inscriptionCoin')}</span>
          <span {...COLUMN_HEADER} className={styles.contents}>
            {words('coinsCarries')}
          </span>
          <span {...COLUMN_HEADER} className={styles.state}>
            {words('activityStatus')}
          </span>
          <span {...COLUMN_HEADER} className={classNames(tableStyles.number, styles.block)}>
            {words('transactionBlock')}
          </span>
          <span {...COLUMN_HEADER} className={tableStyles.number}>
            {words('sendAmount')}
          </span>
        </div>
      </div>
      {cut.map(({ group, blocks }) => {
        const shown: CoinView[][] = []
        for (const coins of blocks) {
          if (left <= 0) break
          left -= coins.length
          shown.push(coins)
        }
        if (shown.length === 0) return null
        return (
          <div key={group.held ?? 'free'} className={styles.group}>
            <GroupHead group={group} />
            {shown.map(coins => (
              <CoinBlock
                key={coins[0]?.outpoint}
                coins={coins}
                open={coins.some(({ outpoint }) => outpoint === open) ? open : null}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}

/** What holds the coins below it, how many they are, and why. */
function GroupHead({ group }: { group: CoinGroup }) {
  const amounts = useAmounts()
  const why = explainReason(group)
  return (
    <div {...ROW_GROUP}>
      <div {...ROW}>
        <div {...CELL} className={styles.name}>
          <div className={layoutStyles.sectionHead}>
            <h2>{nameReason(group.held)}</h2>
            <span className={textStyles.note}>
              {joinFacts([
                countWords('coinsCount', group.coins.length),
                amounts.isHidden ? null : amounts.coin(group.sats),
              ])}
            </span>
          </div>
          {why ? (
            <p className={textStyles.note}>
              {why} <ReasonHelp held={group.held} />
            </p>
          ) : null}
        </div>
      </div>
    </div>
  )
}

type CoinBlockProps = {
  coins: CoinView[]
  /** Outpoint of the one whose details are open, where it is among them. */
  open: string | null
}

const CoinBlock = memo(function CoinBlock({ coins, open }: CoinBlockProps) {
  return (
    <div {...ROW_GROUP} className={tableStyles.block} style={rowCount(coins.length)}>
      {coins.map(coin => (
        <CoinLine key={coin.outpoint} coin={coin} isOpen={coin.outpoint === open} />
      ))}
    </div>
  )
})

type CoinLineProps = { coin: CoinView; isOpen: boolean }

const CoinLine = memo(
  function CoinLine({ coin, isOpen }: CoinLineProps) {
    const amounts = useAmounts()
    const { outpoint, label, height } = coin
    const contents = nameContents(coin, amounts)
    const state = nameState(coin)
    return (
      <div
        {...ROW}
        className={classNames(
          tableStyles.row,
          tableStyles.line,
          isOpen && tableStyles.open,
          styles.row,
        )}
      >
        <span {...CELL} className={classNames(tableStyles.what, styles.coin)}>
          <CoinSign coin={coin} />
          <span className={tableStyles.words}>
            <Link to={`/coins/${outpoint}`} className={tableStyles.whole} isCurrent={isOpen}>
              {label || <span className={textStyles.mono}>{shortenOutpoint(outpoint)}</span>}
            </Link>
            <span className={classNames(textStyles.note, styles.also)}>{contents}</span>
            <span className={classNames(textStyles.note, styles.all)}>
              {joinFacts([state, contents])}
            </span>
          </span>
        </span>
        <span {...CELL} className={styles.contents}>
          {contents}
        </span>
        <span
          {...CELL}
          className={classNames(
            styles.state,
            coin.held === null && coin.choice === 'unlocked' && styles.careful,
          )}
        >
          {state}
        </span>
        <span {...CELL} className={classNames(tableStyles.number, styles.block)}>
          {height === null ? words('coinsUnconfirmed') : height.toLocaleString(currentLanguage())}
        </span>
        <span {...CELL} className={classNames(tableStyles.number, styles.amount)}>
          {amounts.isHidden ? (
            <HiddenAmount />
          ) : (
            <>
              {formatBtc(BigInt(coin.sats))} <span className={styles.unit}>BTC</span>
            </>
          )}
        </span>
      </div>
    )
  },
  (before, after) => before.isOpen === after.isOpen && isSameCoin(before.coin, after.coin),
)

import { memo, useRef } from 'react'
import type { ActivityEntry } from '../../../background/views/activity-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { useRoute } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { nameAbout } from '../../review/about-words.ts'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/row.tsx'
import textStyles from '../../ui/styles/text.module.css'
import tableStyles from '../../ui/table/table.module.css'
import { CELL, COLUMN_HEADER, ROW, ROW_GROUP, tableNamed } from '../../ui/table/table-roles.ts'
import { cutRows, rowCount, useFocusAfter } from '../../ui/table/table-rows.ts'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import { describeOrigin } from '../../ui/text/site-origin.ts'
import { formatAgo } from '../../ui/text/time-text.ts'
import { nameGroup } from './entry-groups.ts'
import { describe, EntryEffect, EntrySign } from './entry-row.tsx'
import styles from './entry-table.module.css'
import { nameEntry, nameStatus } from './entry-words.ts'
import type { EntryGroup } from './merge-page.ts'

/** The transactions of a wide window, one a line, the one whose details stand beside it marked. */
export function EntryTable({ groups }: { groups: readonly EntryGroup[] }) {
  const [, open = null] = useRoute()
  const table = useRef<HTMLDivElement>(null)
  useFocusAfter(open && `/activity/${open}`, table)
  return (
    <div ref={table} {...tableNamed(words('activityTitle'))} className={styles.table}>
      <div {...ROW_GROUP} className={tableStyles.head}>
        <div {...ROW} className={classNames(tableStyles.row, styles.row)}>
          <span {...COLUMN_HEADER}>{words('transactionTitle')}</span>
          <span {...COLUMN_HEADER} className={styles.site}>
            {words('transactionAskedBy')}
          </span>
          <span {...COLUMN_HEADER} className={styles.status}>
            {words('activityStatus')}
          </span>
          <span {...COLUMN_HEADER} className={styles.date}>
            {words('transactionAt')}
          </span>
          <span {...COLUMN_HEADER} className={classNames(tableStyles.number, styles.fee)}>
            {words('transactionFee')}
          </span>
          <span {...COLUMN_HEADER} className={tableStyles.number}>
            {words('sendAmount')}
          </span>
        </div>
      </div>
      {groups.map(group => (
        <div key={`${group.key} ${group.entries[0]?.txid}`} className={styles.month}>
          <div {...ROW_GROUP}>
            <div {...ROW}>
              <div {...CELL} className={styles.name}>
                <h2>{nameGroup(group)}</h2>
              </div>
            </div>
          </div>
          {cutRows(group.entries).map(rows => (
            <div
              key={rows[0]?.txid}
              {...ROW_GROUP}
              className={tableStyles.block}
              style={rowCount(rows.length)}
            >
              {rows.map(entry => (
                <EntryLine key={entry.txid} entry={entry} isOpen={entry.txid === open} />
              ))}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

type EntryLineProps = { entry: ActivityEntry; isOpen: boolean }

const EntryLine = memo(function EntryLine({ entry, isOpen }: EntryLineProps) {
  const amounts = useAmounts()
  const { label, about, origin, fee } = entry
  const also = [label ? nameEntry(entry) : null, about === null ? null : nameAbout(about)]
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
      <span {...CELL} className={tableStyles.what}>
        <EntrySign entry={entry} />
        <span className={tableStyles.words}>
          <Link to={`/activity/${entry.txid}`} className={tableStyles.whole} isCurrent={isOpen}>
            {label || nameEntry(entry)}
          </Link>
          <span className={classNames(textStyles.note, styles.also)}>{joinFacts(also)}</span>
          <span className={classNames(textStyles.note, styles.all)}>{describe(entry)}</span>
        </span>
      </span>
      <span {...CELL} className={styles.site}>
        {origin && entry.kind !== 'pushed' ? describeOrigin(origin).host : ''}
      </span>
      <span {...CELL} className={styles.status}>
        {nameStatus(entry)}
      </span>
      <span {...CELL} className={styles.date}>
        {formatAgo(entry.at, Date.now())}
      </span>
      <span {...CELL} className={classNames(tableStyles.number, styles.fee)}>
        {fee === null ? '' : amounts.sats(BigInt(fee))}
      </span>
      <span {...CELL} className={tableStyles.number}>
        <EntryEffect entry={entry} />
      </span>
    </div>
  )
})

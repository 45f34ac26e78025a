import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { words } from '../../platform/words.ts'
import foldStyles from '../../ui/styles/fold.module.css'
import { formatMoment } from '../../ui/text/time-text.ts'
import styles from './chart.module.css'
import type { WorthPoint } from './chart-figures.ts'

type PointTableProps = { points: readonly WorthPoint[]; money: (worth: number) => string }

/** The points of a line as a table, the newest first; not there before it is opened. */
export function PointTable({ points, money }: PointTableProps) {
  const [open, setOpen] = useState(false)
  return (
    <details className={foldStyles.fold} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <ChevronRight size={16} className={foldStyles.turn} aria-hidden />
        {words('chartTable')}
      </summary>
      {open ? (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words('chartTime')}</th>
              <th scope="col">{words('chartWorth')}</th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ at, worth }) => (
              <tr key={at}>
                <th scope="row">{formatMoment(at)}</th>
                <td>{money(worth)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </details>
  )
}

import styles from './amount.module.css'
import { groupBtc } from './btc-digits.ts'
import { HiddenAmount, useAmounts } from './hidden-amounts.tsx'

/** What the account holds or moved, in BTC with its digits in groups; read and copied as a plain number. */
export function Amount({ sats, unit = true }: { sats: bigint; unit?: boolean }) {
  const { isHidden } = useAmounts()
  if (isHidden) return <HiddenAmount />
  const { sign, groups, leading } = groupBtc(sats)
  let start = 0
  return (
    <span className={styles.amount}>
      {sign}
      {groups.map((group, index) => {
        const dim = Math.min(Math.max(leading - start, 0), group.length)
        start += group.length
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
          <span key={index} className={styles.group}>
            {dim > 0 ? <span className={styles.leading}>{group.slice(0, dim)}</span> : null}
            {group.slice(dim)}
          </span>
        )
      })}
      {unit ? <span className={styles.unit}> BTC</span> : null}
    </span>
  )
}

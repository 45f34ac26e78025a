import styles from './identicon.module.css'
import { drawIdenticon } from './identicon-cells.ts'

/** A small picture drawn from text, so that an account or a site is recognised at a glance. */
export function Identicon({ text, size }: { text: string; size: number }) {
  const { hue, cells } = drawIdenticon(text)
  return (
    <svg
      className={styles.identicon}
      width={size}
      height={size}
      viewBox="-1 -1 7 7"
      aria-hidden="true"
    >
      <rect x="-1" y="-1" width="7" height="7" fill={`hsl(${hue} 45% 88%)`} />
      {cells.map(({ x, y }) => (
        <rect
          key={`${x},${y}`}
          x={x}
          y={y}
          width="1.02"
          height="1.02"
          fill={`hsl(${hue} 55% 38%)`}
        />
      ))}
    </svg>
  )
}

import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import styles from './help-pictures.module.css'

/** The sheet that every picture is drawn on, 320 by 128. What it shows is also said in the text below it. */
export function Picture({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.picture} viewBox="0 0 320 128" aria-hidden="true">
      <rect className={styles.ground} width="320" height="128" rx="12" />
      {children}
    </svg>
  )
}

type Place = { x: number; y: number }

/** A number in a picture; its place is the middle of the text. */
export function Figure(props: Place & { on?: 'own' | 'threat' | 'dim'; children: ReactNode }) {
  const { x, y, on, children } = props
  const tone = on === 'own' ? styles.onOwn : on === 'threat' ? styles.onThreat : null
  return (
    <text className={classNames(styles.figure, on === 'dim' ? styles.dim : tone)} x={x} y={y + 4}>
      {children}
    </text>
  )
}

/** A coin, as large as its amount is beside those of the others. */
export function Coin(props: Place & { r: number; own?: boolean; children?: ReactNode }) {
  const { x, y, r, own = false, children } = props
  return (
    <>
      <circle className={own ? styles.own : styles.other} cx={x} cy={y} r={r} />
      {children === undefined ? null : (
        <Figure x={x} y={y} {...(own ? { on: 'own' as const } : {})}>
          {children}
        </Figure>
      )}
    </>
  )
}

/** Something that sits on a sat, as in the picture of a transaction. */
export function Bead({ x, y, size = 12 }: Place & { size?: number }) {
  return (
    <rect
      className={styles.bead}
      x={x - size / 2}
      y={y - size / 2}
      width={size}
      height={size}
      rx="2"
      transform={`rotate(45 ${x} ${y})`}
    />
  )
}

/** From left to right, or from right to left where its length is below 0. */
export function Arrow({ x, y, length, own = false }: Place & { length: number; own?: boolean }) {
  const end = x + length
  const back = length < 0 ? 7 : -7
  return (
    <path
      className={own ? styles.ownLine : styles.line}
      d={`M${x} ${y}H${end}m${back} -7l${-back} 7l${back} 7`}
    />
  )
}

/** A transaction with the rate that it pays. */
export function Tile(props: Place & { kind: 'own' | 'other' | 'ghost'; children: ReactNode }) {
  const { x, y, kind, children } = props
  return (
    <>
      <rect className={styles[kind]} x={x} y={y} width="40" height="32" rx="7" />
      <Figure x={x + 20} y={y + 16} {...(kind === 'own' ? { on: 'own' as const } : {})}>
        {children}
      </Figure>
    </>
  )
}

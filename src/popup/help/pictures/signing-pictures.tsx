import { formatSats } from '../../ui/text/btc-digits.ts'
import styles from './help-pictures.module.css'
import { Arrow, Bead, Coin, Figure, Picture } from './parts.tsx'

/** A transaction between two, signed by one of them. */
export function PsbtPicture() {
  return (
    <Picture>
      <Coin x={50} y={64} r={28} own>
        {formatSats(50_000n)}
      </Coin>
      <Arrow x={86} y={64} length={20} />
      <rect className={styles.box} x="116" y="14" width="88" height="100" rx="9" />
      <path className={styles.line} d="M130 32h60M130 46h60M130 60h36" />
      <path className={styles.ownLine} d="M130 92c6-14 10-14 10-4s4 4 7-2 4 0 8 2" />
      <path className={styles.ghostLine} d="M168 93h24" />
      <Arrow x={234} y={64} length={-20} />
      <rect className={styles.box} x="244" y="38" width="52" height="52" rx="10" />
      <Bead x={270} y={64} size={18} />
    </Picture>
  )
}

/** What is drawn, and how much more others can make of it. */
export function WorstCasePicture() {
  return (
    <Picture>
      <rect className={styles.own} x="28" y="24" width="104" height="32" rx="7" />
      <Figure x={80} y={40} on="own">
        {formatSats(20_000n)}
      </Figure>
      <path className={styles.threat} d="M136 72.75h149a7 7 0 0 1 7 7v16.500a7 7 0 0 1-7 7H136z" />
      <rect className={styles.own} x="28" y="72" width="104" height="32" rx="7" />
      <Figure x={212} y={88} on="threat">
        {formatSats(50_000n)}
      </Figure>
    </Picture>
  )
}

/** Twelve words on paper, and the key that they make. */
export function RecoveryWordsPicture() {
  const places = Array.from({ length: 12 }, (_, at) => ({
    x: 42 + (at % 3) * 36,
    y: 30 + Math.floor(at / 3) * 20,
  }))
  return (
    <Picture>
      <rect className={styles.box} x="28" y="14" width="128" height="100" rx="9" />
      {places.map(({ x, y }, at) => (
        <rect
          key={`${x} ${y}`}
          className={styles.other}
          x={x}
          y={y}
          width={[28, 22, 26, 20][at % 4]}
          height="8"
          rx="4"
        />
      ))}
      <Arrow x={170} y={64} length={28} />
      <path className={styles.key} d="M250 64h42m-8 0v12m-14-12v9" />
      <circle className={styles.key} cx="234" cy="64" r="15" />
    </Picture>
  )
}

/** An eye on a coin, and no key. */
export function WatchOnlyPicture() {
  return (
    <Picture>
      <path className={styles.box} d="M40 64c26-46 112-46 138 0-26 46-112 46-138 0z" />
      <Coin x={109} y={64} r={23} own />
      <circle className={styles.bead} cx="109" cy="64" r="9" />
      <path className={styles.ghostKey} d="M240 60h48v8h-4v10h-7v-10h-8v7h-7v-7h-22" />
      <circle className={styles.ghostKey} cx="228" cy="64" r="15" />
      <circle className={styles.ghostKey} cx="228" cy="64" r="6" />
    </Picture>
  )
}

import { formatSats } from '../../ui/text/btc-digits.ts'
import styles from './help-pictures.module.css'
import { Arrow, Bead, Coin, Figure, Picture } from './parts.tsx'

/** One coin is spent whole, into one for the recipient and the change. */
export function CoinPicture() {
  return (
    <Picture>
      <path className={styles.strand} strokeWidth="15" d="M72 58c70 0 80-22 176-22" />
      <path className={styles.ownStrand} strokeWidth="9" d="M72 70c70 0 80 28 176 28" />
      <Coin x={56} y={64} r={32} own>
        {formatSats(50_000n)}
      </Coin>
      <Coin x={260} y={36} r={27}>
        {formatSats(30_000n)}
      </Coin>
      <Coin x={260} y={97} r={24} own>
        {formatSats(19_300n)}
      </Coin>
    </Picture>
  )
}

/** Two coins that payments take, and one that they leave alone for what sits on it. */
export function HeldCoinsPicture() {
  return (
    <Picture>
      <Coin x={52} y={54} r={28} own />
      <Coin x={114} y={54} r={24} own />
      <Figure x={81} y={106}>
        {formatSats(70_000n)}
      </Figure>
      <Arrow x={152} y={54} length={34} own />
      <circle className={styles.ghost} cx="258" cy="54" r="32" />
      <Coin x={258} y={54} r={18} />
      <Bead x={258} y={54} />
      <Figure x={258} y={106}>
        {formatSats(10_000n)}
      </Figure>
    </Picture>
  )
}

/** A tiny coin that comes from outside, kept apart from the large ones. */
export function DustPicture() {
  return (
    <Picture>
      <Coin x={60} y={64} r={32} own />
      <Coin x={128} y={64} r={26} own />
      <circle className={styles.ghost} cx="216" cy="54" r="22" />
      <circle className={styles.other} cx="216" cy="54" r="5" />
      <Figure x={216} y={96}>
        546
      </Figure>
      <Arrow x={292} y={54} length={-42} />
    </Picture>
  )
}

/** A bitcoin as a row of sats, of which one has something on it. */
export function SatPicture() {
  const sats = Array.from({ length: 19 }, (_, at) => 136 + at * 9)
  return (
    <Picture>
      <Coin x={52} y={58} r={32}>
        1 BTC
      </Coin>
      <Arrow x={94} y={58} length={26} />
      {sats.map((x, at) => (
        <rect
          key={x}
          className={at === 11 ? styles.own : styles.other}
          x={x}
          y={at === 11 ? 32 : 40}
          width="5"
          height={at === 11 ? 52 : 36}
          rx="2.5"
        />
      ))}
      <Bead x={237.5} y={27} size={11} />
      <Figure x={219} y={104}>
        {formatSats(100_000_000n)}
      </Figure>
    </Picture>
  )
}

/** A letter with its stamp, on its way. */
export function PostagePicture() {
  return (
    <Picture>
      <path className={styles.line} d="M40 52h38M56 68h22M46 84h32" />
      <rect className={styles.box} x="98" y="32" width="116" height="76" rx="9" />
      <path className={styles.line} d="m102 40 48 36a10 10 0 0 0 12 0l48-36" />
      <rect className={styles.own} x="178" y="16" width="48" height="34" rx="6" />
      <Figure x={202} y={33} on="own">
        546
      </Figure>
      <Bead x={156} y={78} size={15} />
      <Arrow x={240} y={70} length={42} own />
    </Picture>
  )
}

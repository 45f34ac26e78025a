import styles from './help-pictures.module.css'
import { Arrow, Coin, Figure, Picture, Tile } from './parts.tsx'

/** A block has room for those that pay most; the others wait. */
export function FeeRatePicture() {
  return (
    <Picture>
      <Tile x={36} y={40} kind="ghost">
        1
      </Tile>
      <Tile x={88} y={40} kind="ghost">
        2
      </Tile>
      <Figure x={82} y={96} on="dim">
        sat/vB
      </Figure>
      <Arrow x={146} y={56} length={34} />
      <rect className={styles.box} x="196" y="20" width="104" height="88" rx="12" />
      <Tile x={204} y={28} kind="other">
        20
      </Tile>
      <Tile x={252} y={28} kind="other">
        12
      </Tile>
      <Tile x={204} y={68} kind="other">
        8
      </Tile>
      <Tile x={252} y={68} kind="own">
        5
      </Tile>
    </Picture>
  )
}

/** Two versions of a payment spend the same coin; the one that pays more comes into the block. */
export function SpeedUpPicture() {
  return (
    <Picture>
      <path className={styles.ghostLine} d="M58 58c36 0 26-22 66-22" />
      <path className={styles.ownStrand} strokeWidth="8" d="M58 70c36 0 26 22 72 22" />
      <Coin x={48} y={64} r={24} own />
      <Tile x={128} y={20} kind="ghost">
        2
      </Tile>
      <path className={styles.line} d="m122 50 52-28" />
      <Tile x={128} y={76} kind="own">
        9
      </Tile>
      <Arrow x={182} y={92} length={32} own />
      <rect className={styles.box} x="228" y="20" width="64" height="88" rx="12" />
      <rect className={styles.other} x="238" y="31" width="44" height="18" rx="5" />
      <rect className={styles.other} x="238" y="55" width="44" height="18" rx="5" />
      <rect className={styles.own} x="238" y="79" width="44" height="18" rx="5" />
    </Picture>
  )
}

/** The block with the transaction, and five on top of it. */
export function ConfirmationPicture() {
  const blocks = Array.from({ length: 6 }, (_, at) => 22 + at * 48)
  return (
    <Picture>
      <path className={styles.line} d="M40 56h240" />
      {blocks.map((x, at) => (
        <rect
          key={x}
          className={at === 0 ? styles.own : styles.box}
          x={x}
          y={38}
          width="36"
          height="36"
          rx="8"
        />
      ))}
      <path className={styles.tick} d="m32 56.500 5.500 5.500 10-11" />
      {blocks.map((x, at) => (
        <Figure key={x} x={x + 18} y={92} {...(at === 5 ? {} : { on: 'dim' as const })}>
          {at + 1}
        </Figure>
      ))}
    </Picture>
  )
}

import type { ReactNode } from 'react'
import styles from './welcome-pictures.module.css'

/** The three pictures of the welcome, in the colours of the theme; the sentence beside each says the same. */

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg className={styles.picture} viewBox="0 0 96 96" aria-hidden="true">
      <circle className={styles.ground} cx="48" cy="48" r="46" />
      {children}
    </svg>
  )
}

/** A key in the satchel. */
export function KeysPicture() {
  return (
    <Picture>
      <path className={styles.handle} d="M38 38v-6a7 7 0 0 1 7-7h6a7 7 0 0 1 7 7v6" />
      <rect className={styles.bag} x="20" y="37" width="56" height="38" rx="9" />
      <path
        className={styles.flap}
        d="M20 46a9 9 0 0 1 9-9h38a9 9 0 0 1 9 9c0 5-12 8-28 8s-28-3-28-8z"
      />
      <g className={styles.key}>
        <circle cx="48" cy="48" r="6.5" />
        <path d="M48 55v15M48 64h6M48 69.5h4.5" />
      </g>
    </Picture>
  )
}

/** Of the sats that come in, plain ones go out, and that which carries something stays. */
export function SatsPicture() {
  return (
    <Picture>
      <path className={styles.stays} d="M16 48c20 0 20 20 36 20" />
      <path className={styles.goes} d="M16 48c24 0 24-20 54-20" />
      <path className={styles.arrow} d="m63 20 9 8-9 8" />
      <circle className={styles.guard} cx="63" cy="68" r="13" />
      <rect
        className={styles.bead}
        x="57.5"
        y="62.5"
        width="11"
        height="11"
        rx="2"
        transform="rotate(45 63 68)"
      />
    </Picture>
  )
}

/** Two servers, of which one is chosen, and a paper that was read before its tick. */
export function ServersPicture() {
  return (
    <Picture>
      <rect className={styles.box} x="15" y="29" width="34" height="16" rx="5" />
      <rect className={styles.box} x="15" y="51" width="34" height="16" rx="5" />
      <circle className={styles.chosen} cx="24" cy="37" r="3.5" />
      <circle className={styles.other} cx="24" cy="59" r="3.5" />
      <rect className={styles.sheet} x="42" y="22" width="36" height="50" rx="6" />
      <path className={styles.lines} d="M50 34h20M50 43h20M50 52h11" />
      <circle className={styles.seal} cx="71" cy="67" r="11" />
      <path className={styles.tick} d="m66 67.5 3.5 3.5 6.5-7.5" />
    </Picture>
  )
}

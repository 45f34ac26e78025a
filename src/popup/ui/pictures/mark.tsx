import styles from './mark.module.css'
/** The satchel of the icon, in the colours of the theme. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
      <path className={styles.handle} d="M23 20v-4a7 7 0 0 1 7-7h4a7 7 0 0 1 7 7v4" />
      <rect className={styles.bag} x="6" y="18" width="52" height="38" rx="9" />
      <path
        className={styles.flap}
        d="M6 27a9 9 0 0 1 9-9h34a9 9 0 0 1 9 9v1c0 8-9 14-26 14S6 36 6 28z"
      />
      <path className={styles.strap} d="M28 18h8v28a4 4 0 0 1-8 0z" />
      <rect className={styles.buckle} x="25.5" y="34.5" width="13" height="9" rx="2.5" />
    </svg>
  )
}

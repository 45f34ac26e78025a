import { classNames } from '../class-names.ts'
import { chunkAddress } from './address-chunks.ts'
import styles from './address-text.module.css'

/** A whole address in fours; start and end, which people compare first, stand out. */
export function AddressText({ address }: { address: string }) {
  const chunks = chunkAddress(address)
  return (
    <span className={styles.address}>
      {chunks.map((chunk, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
          key={index}
          className={classNames(
            styles.chunk,
            (index < 2 || index >= chunks.length - 2) && styles.telling,
          )}
        >
          {chunk}
        </span>
      ))}
    </span>
  )
}

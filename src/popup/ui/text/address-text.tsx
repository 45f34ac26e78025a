import { classNames } from '../class-names.ts'
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

/** Cuts an address into fours so that it can be compared by eye; joined they are the address. */
export function chunkAddress(address: string): string[] {
  return address.match(/.{1,4}/g) ?? []
}

/** Start and end of an address: "bc1p…k3q9", "bcrt1q…x0aa", "3J98…Nx4w", "sp1qqgste…9pkq". */
export function shortenAddress(address: string): string {
  const start = /^(?:bc|tb|bcrt)1.|^t?sp1.{5}/i.exec(address)?.[0] ?? address.slice(0, 4)
  return address.length <= start.length + 5 ? address : `${start}…${address.slice(-4)}`
}

import type { GivenName } from '../../background/views/account-views.ts'
import { richWords, words } from '../platform/words.ts'
import { classNames } from '../ui/class-names.ts'
import addressTextStyles from '../ui/text/address-text.module.css'
import { chunkAddress } from '../ui/text/address-text.tsx'
import { sayName } from '../ui/text/names.ts'
import styles from './address-difference.module.css'

/** Two addresses that are easily taken for each other, in fours, with what differs marked. */
export function AddressDifference(props: { to: string; known: string; name: GivenName | null }) {
  const [to, known] = markDifferences(props.to, props.known)
  return (
    <dl className={styles.difference}>
      <dt>{words('warningLooksLikeTo')}</dt>
      <dd>
        <Marked address={props.to} marks={to} />
      </dd>
      <dt>
        {props.name === null
          ? words('warningLooksLikeKnown')
          : richWords('warningConsentOf', {
              place: words('warningLooksLikeKnown'),
              text: <b>{sayName(props.name)}</b>,
            })}
      </dt>
      <dd>
        <Marked address={props.known} marks={known} />
      </dd>
    </dl>
  )
}

function Marked({ address, marks }: { address: string; marks: readonly boolean[] }) {
  return (
    <span className={addressTextStyles.address}>
      {chunkAddress(address).map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
        <span key={index} className={classNames(addressTextStyles.chunk, styles.chunk)}>
          {[...chunk].map((character, at) =>
            marks[index * 4 + at] ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a character is its place
              <mark key={at}>{character}</mark>
            ) : (
              character
            ),
          )}
        </span>
      ))}
    </span>
  )
}

/**
 * For each character of two addresses, whether it differs from the other's: place by place where they are of one
 * length; else all between what they share at the start and at the end.
 */
export function markDifferences(a: string, b: string): [boolean[], boolean[]] {
  const marks = (text: string, other: string) =>
    a.length === b.length
      ? [...text].map((character, index) => character !== other[index])
      : [...text].map((_, index) => index >= start && index < text.length - end)
  const least = Math.min(a.length, b.length)
  const start = countWhile(least, index => a[index] === b[index])
  const end = countWhile(least - start, index => a.at(-1 - index) === b.at(-1 - index))
  return [marks(a, b), marks(b, a)]
}

function countWhile(limit: number, holds: (index: number) => boolean): number {
  let count = 0
  while (count < limit && holds(count)) count += 1
  return count
}

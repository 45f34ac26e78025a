import { words } from '../app/words.ts'
import { chunkAddress } from '../ui/text/address-chunks.ts'
import addressTextStyles from '../ui/text/address-text.module.css'
import styles from './address-difference.module.css'
import { markDifferences } from './mark-differences.ts'

/** Two addresses that are easily taken for each other, in fours, with what differs marked. */
export function AddressDifference(props: { to: string; known: string; name: string | null }) {
  const [to, known] = markDifferences(props.to, props.known)
  return (
    <dl className={styles.difference}>
      <dt>{words('warningLooksLikeTo')}</dt>
      <dd>
        <Marked address={props.to} marks={to} />
      </dd>
      <dt>
        {words('warningLooksLikeKnown')}
        {props.name === null ? null : (
          <>
            : <b>{props.name}</b>
          </>
        )}
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
        <span key={index} className={styles.chunk}>
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

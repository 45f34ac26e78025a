import { words } from '../platform/words.ts'
import { chunkAddress } from '../ui/text/address-chunks.ts'
import { markDifferences } from './mark-differences.ts'
import './review.css'

/** Two addresses that are easily taken for each other, in fours, with what differs marked. */
export function AddressDifference(props: { to: string; known: string; name: string | null }) {
  const [to, known] = markDifferences(props.to, props.known)
  return (
    <dl className="difference">
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
    <span className="address">
      {chunkAddress(address).map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place
        <span key={index} className="chunk">
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

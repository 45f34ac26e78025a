import type { SignMessageReview } from '../../background/views/approval-views.ts'
import { countWords, richWords, type WordKey, words } from '../platform/words.ts'
import { Notice } from '../ui/notice.tsx'
import { shortenAddress } from '../ui/text/address-text.tsx'
import { splitVisible } from '../ui/text/visible-parts.ts'
import { VisibleText } from '../ui/text/visible-text.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import '../review/review.css'

type SignMessageProps = ApprovalScreenProps & { review: SignMessageReview }

/** The names are those of the specifications. */
const TYPES: { [type in SignMessageReview['type']]: { name: string; note: WordKey } } = {
  ecdsa: { name: 'Bitcoin Signed Message', note: 'signNoteKey' },
  'bip322-simple': { name: 'BIP-322 simple', note: 'signNoteAddress' },
  bip322: { name: 'BIP-322', note: 'signNoteAddress' },
}

/** A site asks for a signature under a text. */
export function SignMessageApproval({ view, review, onDecide }: SignMessageProps) {
  const { message } = review
  const hidden = splitVisible(message).some(part => part.kind === 'hidden')
  const type = TYPES[review.type]
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('signVerb')}
      effect={richWords('signEffect', {
        address: (
          <span className="short-address">{shortenAddress(view.account?.address ?? '')}</span>
        ),
      })}
    >
      <section className="stack" aria-label={words('signMessage')}>
        <div className="message-head">
          <h2>{words('signMessage')}</h2>
          <span className="muted small push">{describeLength(message)}</span>
        </div>
        {message === '' ? (
          <p className="message muted">{words('signEmpty')}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box has to be reachable by keyboard
          <section className="message" aria-label={words('signText')} tabIndex={0}>
            <VisibleText text={message} />
          </section>
        )}
      </section>
      {hidden ? (
        <Notice tone="caution" title={words('signHidden')}>
          {words('signHiddenNote')}
        </Notice>
      ) : null}
      <dl className="facts">
        <div>
          <dt>{words('signKind')}</dt>
          <dd>{type.name}</dd>
        </div>
        <div>
          <dt>{words('signCost')}</dt>
          <dd>{words('signNothing')}</dd>
        </div>
      </dl>
      <p className="muted small">
        {words(type.note)} {words('signConsequence')}
      </p>
    </ApprovalFrame>
  )
}

function describeLength(message: string): string {
  const lines = message.split('\n').length
  const characters = countWords('signCharacters', [...message].length)
  return lines > 1 ? `${characters}, ${countWords('signLines', lines)}` : characters
}

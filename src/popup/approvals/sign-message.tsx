import type { SignMessageReview } from '../../background/ui-methods/ui-methods.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { Notice } from '../ui/notice.tsx'
import { splitVisible } from '../ui/visible-parts.ts'
import { VisibleText } from '../ui/visible-text.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'

type SignMessageProps = ApprovalScreenProps & { review: SignMessageReview }

const TYPES: { [type in SignMessageReview['type']]: { name: string; note: string } } = {
  ecdsa: {
    name: 'Bitcoin Signed Message',
    note: 'The signature shows that you hold the key of this account. It cannot be a payment.',
  },
  'bip322-simple': {
    name: 'BIP-322, simple',
    note: 'The signature shows that this address is yours. It cannot be a payment.',
  },
  bip322: {
    name: 'BIP-322',
    note: 'The signature shows that this address is yours. It cannot be a payment.',
  },
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
      verb="Sign"
      effect={
        <>
          You sign a message
          {view.account ? (
            <>
              {' '}
              as <span className="short-address">{shortenAddress(view.account.address)}</span>
            </>
          ) : null}
        </>
      }
    >
      <section className="stack" aria-label="Message">
        <div className="message-head">
          <h2>The message</h2>
          <span className="muted small push">{describeLength(message)}</span>
        </div>
        {message === '' ? (
          <p className="message muted">The message is empty.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box has to be reachable by keyboard
          <section className="message" aria-label="Text" tabIndex={0}>
            <VisibleText text={message} />
          </section>
        )}
      </section>
      {hidden ? (
        <Notice tone="caution" title="It contains characters that cannot be seen">
          They are marked in the text. They can make it read differently elsewhere.
        </Notice>
      ) : null}
      <dl className="facts">
        <div>
          <dt>Kind</dt>
          <dd>{type.name}</dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>Nothing</dd>
        </div>
      </dl>
      <p className="muted small">
        {type.note} A site may take your signature as a login or as your consent to this text. Sign
        only what you understand.
      </p>
    </ApprovalFrame>
  )
}

function describeLength(message: string): string {
  const characters = [...message].length
  const lines = message.split('\n').length
  const text = `${characters.toLocaleString('en')} ${characters === 1 ? 'character' : 'characters'}`
  return lines > 1 ? `${text}, ${lines} lines` : text
}

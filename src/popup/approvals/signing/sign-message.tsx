import { Fragment, type ReactNode, useId, useState } from 'react'
import type {
  SignMessageReview,
  SignMessagesReview,
} from '../../../background/views/approval-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { joinList, joinSentences } from '../../platform/join-words.ts'
import { countWords, richWords, type WordKey, words } from '../../platform/words.ts'
import { useConsents } from '../../review/consents.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { splitVisible } from '../../ui/text/visible-parts.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import { ApprovalFrame, type ApprovalScreenProps } from '../approval-frame.tsx'
import { EndOfText, useReadToEnd } from '../read-to-end.tsx'
import { listSignInConsents, readSignIns, SignInNotices } from './sign-in.tsx'
import styles from './sign-message.module.css'

type SignMessageProps = ApprovalScreenProps & { review: SignMessageReview }
type SignMessagesProps = ApprovalScreenProps & { review: SignMessagesReview }
type Item = SignMessagesReview['messages'][number]

/** The names are those of the specifications; `notes` tell of one signature and of several. */
const TYPES: { [type in Item['type']]: { name: string; notes: [WordKey, WordKey] } } = {
  ecdsa: { name: 'Bitcoin Signed Message', notes: ['signNoteKey', 'signManyNoteKey'] },
  'bip322-simple': { name: 'BIP-322 simple', notes: ['signNoteAddress', 'signManyNoteAddress'] },
  bip322: { name: 'BIP-322', notes: ['signNoteAddress', 'signManyNoteAddress'] },
}

/** A site asks for a signature under a text. */
export function SignMessageApproval({ view, review, onDecide }: SignMessageProps) {
  const { message } = review
  const type = TYPES[review.type]
  const answer = useAnswer([message], view.origin)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('signVerb')}
      effect={richWords('signEffect', { address: <OwnAddresses view={view} items={[review]} /> })}
      blocked={answer.blocked}
      consent={answer.consent}
    >
      {answer.notices}
      <section className={layoutStyles.stack} aria-label={words('signMessage')}>
        <div className={styles.head}>
          <h2>{words('signMessage')}</h2>
          <span className={classNames(textStyles.note, layoutStyles.push)}>
            {describeLength(message)}
          </span>
        </div>
        {message === '' ? (
          <EmptyMessage />
        ) : (
          <ScrollingText message={message} label={words('signText')} end={answer.endOf(0)} />
        )}
      </section>
      {hasHidden(message) ? (
        <Notice tone="caution" title={words('signHidden')}>
          {words('signHiddenNote')}
        </Notice>
      ) : null}
      <Facts kind={type.name} />
      <p className={textStyles.note}>
        {joinSentences([words(type.notes[0]), words('signConsequence')])}
      </p>
    </ApprovalFrame>
  )
}

/** A site asks for signatures under several texts: all of them or none. */
export function SignMessagesApproval({ view, review, onDecide }: SignMessagesProps) {
  const { messages } = review
  const count = messages.length
  const types = [...new Set(messages.map(({ type }) => type))]
  const [first = 'ecdsa', ...otherTypes] = types
  const isMixed = otherTypes.length > 0
  const isOfSeveral = listSigners(view, messages).length > 1
  const hidden = messages.flatMap(({ message }, at) => (hasHidden(message) ? namePlace(at) : []))
  const answer = useAnswer(
    messages.map(({ message }) => message),
    view.origin,
  )
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('batchSignVerb', { count })}
      effect={richWords('signManyEffect', {
        count,
        address: <OwnAddresses view={view} items={messages} />,
      })}
      blocked={answer.blocked}
      consent={answer.consent}
    >
      {answer.notices}
      {hidden.length > 0 ? (
        <Notice tone="caution" title={words('signManyHidden', { list: joinList(hidden) })}>
          {words('signHiddenNote')}
        </Notice>
      ) : null}
      <h2>{words('signMessages')}</h2>
      <ol className={styles.messages}>
        {messages.map((item, index) => (
          <MessageItem
            // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place; the same one may come twice
            key={index}
            item={item}
            place={namePlace(index)}
            namesKind={isMixed}
            signer={isOfSeveral ? (item.from ?? view.account?.address ?? null) : null}
            end={answer.endOf(index)}
          />
        ))}
      </ol>
      <Facts
        kind={isMixed ? <KindCounts types={types} messages={messages} /> : TYPES[first].name}
      />
      <p className={textStyles.note}>
        {joinSentences([
          words(isMixed ? 'signManyNoteKey' : TYPES[first].notes[1]),
          words('signManyConsequence'),
        ])}
      </p>
    </ApprovalFrame>
  )
}

/** What has to be done before signing, what is said of it, and the marks at the ends of long texts. */
function useAnswer(texts: readonly string[], origin: string) {
  // The time at which the question was shown: a text does not run out under the person's eyes.
  const [now] = useState(() => Date.now())
  const facts = readSignIns(texts, origin, now)
  const consents = useConsents([], [], listSignInConsents(facts))
  const { isUnread, note, markRead } = useReadToEnd(texts.filter(isLong).length)
  return {
    blocked: consents.blocked || isUnread,
    consent: (
      <>
        {note}
        {consents.boxes}
      </>
    ),
    notices: <SignInNotices facts={facts} />,
    endOf: (index: number) =>
      isLong(texts[index] ?? '') ? <EndOfText index={index} onRead={markRead} /> : null,
  }
}

type MessageItemProps = {
  item: Item
  place: string
  namesKind: boolean
  /** The address that signs it, where several sign. */
  signer: string | null
  end: ReactNode
}

/** One of several messages; a long one scrolls in its box, until the person wants to see all of it at once. */
function MessageItem({ item, place, namesKind, signer, end }: MessageItemProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { message, type } = item
  const facts = [
    ...(signer === null ? [] : [shortenAddress(signer)]),
    ...(namesKind ? [TYPES[type].name] : []),
    describeLength(message),
  ]
  const long = isLong(message)
  return (
    <li className={layoutStyles.stack}>
      <div className={styles.head}>
        <span className={styles.place}>{place}</span>
        <span className={classNames(textStyles.note, layoutStyles.push)}>{joinFacts(facts)}</span>
      </div>
      {message === '' ? (
        <EmptyMessage />
      ) : long && !open ? (
        <ScrollingText
          message={message}
          label={words('signManyText', { place })}
          id={id}
          end={end}
          short
        />
      ) : (
        <div className={styles.message} id={id}>
          <VisibleText text={message} />
          {end}
        </div>
      )}
      {long ? (
        <Button
          variant="quiet"
          start
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {words(open ? 'signManyShowLess' : 'signManyShowAll', { place })}
        </Button>
      ) : null}
    </li>
  )
}

type ScrollingTextProps = {
  message: string
  label: string
  end: ReactNode
  id?: string
  short?: boolean
}

function ScrollingText({ message, label, end, id, short = false }: ScrollingTextProps) {
  return (
    <section
      className={classNames(styles.message, styles.scrolling, short && styles.short)}
      id={id}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box has to be reachable by keyboard
      tabIndex={0}
    >
      <VisibleText text={message} />
      {end}
    </section>
  )
}

function EmptyMessage() {
  return <p className={classNames(styles.message, textStyles.muted)}>{words('signEmpty')}</p>
}

/** Those that sign, each once. */
function OwnAddresses({
  view,
  items,
}: Pick<ApprovalScreenProps, 'view'> & { items: readonly { from?: string }[] }) {
  return listSigners(view, items).map((address, at) => (
    <Fragment key={address}>
      {at === 0 ? null : ', '}
      <span className={textStyles.nowrap}>{shortenAddress(address)}</span>
    </Fragment>
  ))
}

function listSigners(
  { account }: ApprovalScreenProps['view'],
  items: readonly { from?: string }[],
): string[] {
  return [...new Set(items.map(({ from }) => from ?? account?.address ?? ''))]
}

function Facts({ kind }: { kind: ReactNode }) {
  return (
    <dl className={factsStyles.facts}>
      <div>
        <dt>{words('signKind')}</dt>
        <dd>{kind}</dd>
      </div>
      <div>
        <dt>{words('signCost')}</dt>
        <dd>{words('signNothing')}</dd>
      </div>
    </dl>
  )
}

function KindCounts({ types, messages }: { types: Item['type'][]; messages: readonly Item[] }) {
  return types.map(type => (
    <div key={type}>
      {words('signManyKind', {
        count: messages.filter(message => message.type === type).length,
        kind: TYPES[type].name,
      })}
    </div>
  ))
}

function namePlace(index: number): string {
  return words('psbtPlace', { index: index + 1 })
}

function hasHidden(message: string): boolean {
  return splitVisible(message).some(part => part.kind === 'hidden')
}

/** More than some six lines of a box 360 pixels wide. */
function isLong(message: string): boolean {
  const lines = message.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / 44), 0)
  return lines > 6
}

function describeLength(message: string): string {
  const lines = message.split('\n').length
  const characters = countWords('signCharacters', [...message].length)
  return lines > 1 ? joinList([characters, countWords('signLines', lines)]) : characters
}

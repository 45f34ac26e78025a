import { CircleCheck, CircleHelp, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { PaymentResult, PaymentReview } from '../../background/views/payment-views.ts'
import { navigate } from '../platform/route.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { describePayment } from '../review/payment-body.tsx'
import { useQuery } from '../state/use-query.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { CopyIconButton } from '../ui/copy-button.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import textStyles from '../ui/styles/text.module.css'
import { ContactDialog } from './contact-dialog.tsx'
import styles from './payment-result.module.css'

type PaymentResultScreenProps = { review: PaymentReview; result: PaymentResult }

/** What became of a payment: sent, or not known because no server answered. */
export function PaymentResultScreen({ review, result }: PaymentResultScreenProps) {
  const sent = result.outcome === 'sent'
  const [first, second] = review.recipients
  const stranger =
    review.purpose === 'send' && first?.name === null && !second
      ? (first.paymentName ?? first.address)
      : null
  const Icon = sent ? CircleCheck : CircleHelp
  return (
    <Screen
      foot={
        <div className={layoutStyles.answers}>
          <Button
            variant="secondary"
            onClick={() => navigate(`/activity/${result.txid}`, { replace: true })}
          >
            {words('sendSee')}
          </Button>
          <Button variant="primary" onClick={() => navigate('/', { replace: true })}>
            {words('sendDone')}
          </Button>
        </div>
      }
    >
      <div className={classNames(styles.outcome, sent ? styles.good : styles.open)}>
        <Icon size={56} strokeWidth={1.5} aria-hidden />
        <Title>{words(sent ? 'sendSent' : 'sendUnknown')}</Title>
        <p>{describePayment(review)}</p>
        <p className={textStyles.muted}>{words(sent ? 'sendSentNote' : 'sendUnknownNote')}</p>
        <div className={styles.txid}>
          <span>
            <span className={textStyles.note}>{words('sendTxid')}</span>
            <span className={classNames(textStyles.mono, textStyles.small, textStyles.breakable)}>
              {result.txid}
            </span>
          </span>
          <CopyIconButton text={result.txid} label={words('sendCopyTxid')} />
        </div>
        {stranger === null ? null : <SaveContact address={stranger} />}
      </div>
    </Screen>
  )
}

/** Offers to name the address, or the name that led to it, since now the person knows whose it is. */
function SaveContact({ address }: { address: string }) {
  const [open, setOpen] = useState(false)
  const { answer } = useQuery(() => call('getContacts', null), 'contacts', ['contacts'])
  if (answer === null) return null
  const saved = answer.find(contact => contact.address === address)
  return (
    <>
      <p role="status" className={saved ? textStyles.muted : textStyles.visuallyHidden}>
        {saved ? words('sendSavedContact', { name: saved.name }) : ''}
      </p>
      {saved ? null : (
        <Button variant="quiet" onClick={() => setOpen(true)}>
          <UserPlus size={18} aria-hidden />
          {words('sendSaveContact')}
        </Button>
      )}
      {open ? (
        <ContactDialog
          contact={null}
          given={address}
          others={answer}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

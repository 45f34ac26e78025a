import type { ReactNode } from 'react'
import type { GivenName } from '../../background/views/account-views.ts'
import type { PaidBefore } from '../../background/views/payment-views.ts'
import { richWords, type WordKey, words } from '../platform/words.ts'
import { classNames } from '../ui/class-names.ts'
import textStyles from '../ui/styles/text.module.css'
import { AddressText } from '../ui/text/address-text.tsx'
import { nameSats } from '../ui/text/btc-digits.ts'
import { sayName } from '../ui/text/names.ts'
import styles from './recipients.module.css'

/** Somebody who is paid; without an address it is told by the hex of its script. */
export type Recipient = {
  address: string | null
  script?: string
  sats: string
  /** What goes there instead of the sats alone. */
  what?: string
  name: GivenName | null
  /** `user@domain`, proven to lead to the address. */
  paymentName?: string
  paidBefore?: PaidBefore | undefined
  note?: ReactNode
}

/** With more recipients than these the cost comes first, which would be far down otherwise. */
export const FEW_RECIPIENTS = 3

/** Whom a transaction pays, with amount, name and the whole address. */
export function Recipients({ recipients }: { recipients: readonly Recipient[] }) {
  if (recipients.length === 0) return null
  return (
    <ul className={styles.recipients}>
      {recipients.map(
        ({ address, script, sats, what, name, paymentName, paidBefore, note }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a recipient is its place
          <li key={index} className={styles.recipient}>
            <p className={textStyles.note}>
              {words('reviewTo', { amount: what ?? nameSats(BigInt(sats)) })}
              {name === null ? null : <b className={styles.name}>{sayName(name)}</b>}
            </p>
            {address === null ? (
              <>
                <p className={textStyles.small}>{words('psbtOutputScript')}</p>
                <span
                  className={classNames(textStyles.mono, textStyles.note, textStyles.breakable)}
                >
                  {script}
                </span>
              </>
            ) : (
              <AddressText address={address} />
            )}
            {paymentName === undefined ? null : (
              <p className={textStyles.note}>
                {richWords('reviewPaymentName', { name: <b>₿{paymentName}</b> })}
              </p>
            )}
            <FirstPayment paidBefore={paidBefore} />
            {note}
          </li>
        ),
      )}
    </ul>
  )
}

/** Says of an address that nobody knows it to have been paid; nothing where somebody does. */
export function FirstPayment({ paidBefore }: Pick<Recipient, 'paidBefore'>) {
  if (paidBefore === undefined) return null
  return <p className={textStyles.note}>{words(PAID_BEFORE_WORDS[paidBefore])}</p>
}

const PAID_BEFORE_WORDS: { [is in PaidBefore]: WordKey } = {
  never: 'paidBeforeNever',
  claimed: 'paidBeforeClaimed',
}

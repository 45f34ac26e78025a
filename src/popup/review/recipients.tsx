import type { ReactNode } from 'react'
import { words } from '../platform/words.ts'
import { AddressText } from '../ui/text/address-text.tsx'
import { nameSats } from '../ui/text/btc-digits.ts'
import './review.css'

/** Somebody who is paid; without an address it is told by the hex of its script. */
export type Recipient = {
  address: string | null
  script?: string
  sats: string
  name: string | null
  note?: ReactNode
}

/** With more recipients than these the cost comes first, which would be far down otherwise. */
export const FEW_RECIPIENTS = 3

/** Whom a transaction pays, with amount, name and the whole address. */
export function Recipients({ recipients }: { recipients: readonly Recipient[] }) {
  if (recipients.length === 0) return null
  return (
    <ul className="recipients">
      {recipients.map(({ address, script, sats, name, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a recipient is its place
        <li key={index} className="recipient">
          <p className="muted small">
            {words('reviewTo', { amount: nameSats(BigInt(sats)) })}
            {name === null ? null : <b className="name">{name}</b>}
          </p>
          {address === null ? (
            <>
              <p className="small">{words('psbtOutputScript')}</p>
              <span className="mono muted small breakable">{script}</span>
            </>
          ) : (
            <AddressText address={address} />
          )}
          {note}
        </li>
      ))}
    </ul>
  )
}

import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { Contact } from '../../background/views/payment-views.ts'
import { parsePaymentName } from '../../dnssec/payment-name.ts'
import { call } from '../platform/rpc.ts'
import { words } from '../platform/words.ts'
import { useTask } from '../state/use-task.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { AddressText } from '../ui/text/address-text.tsx'
import { splitVisible } from '../ui/text/visible-parts.ts'
import { showToast } from '../ui/toast.tsx'
import formStyles from './form.module.css'
import { networksOf } from './networks-of.ts'
import { cleanPayee, looksLikeName, payeeText } from './send-form.ts'

const LONGEST_NAME = 40

type ContactDialogProps = {
  /** The one to change; null for a new one. */
  contact: Contact | null
  /** Of a new one, where it is known already. */
  given?: string
  others: readonly Contact[]
  onClose: () => void
}

/** A name, and an address or what leads to one (BIP-353), which is asked for by nobody here. */
export function ContactDialog({ contact, given = '', others, onClose }: ContactDialogProps) {
  const [name, setName] = useState(contact?.name ?? '')
  const [address, setAddress] = useState(payeeText(contact?.address ?? given))
  const [tried, setTried] = useState(false)
  const [removing, setRemoving] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const addressField = useRef<HTMLInputElement>(null)
  const task = useTask()
  const errors = { name: explainName(name, others), address: explainAddress(address, others) }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (errors.name) return nameField.current?.focus()
    if (errors.address) return addressField.current?.focus()
    const id = contact?.id ?? null
    if (await task.run(() => call('saveContact', { id, name, address }))) {
      showToast(words('contactsSaved'))
      onClose()
    }
  }
  const remove = async () => {
    if (!contact) return
    if (!removing) return setRemoving(true)
    if (await task.run(() => call('removeContact', { id: contact.id }))) {
      showToast(words('contactsRemoved'))
      onClose()
    }
  }
  return (
    <Dialog title={words(contact ? 'contactsChange' : 'contactsAdd')} onClose={onClose}>
      <form className={formStyles.contact} onSubmit={event => void save(event)} noValidate>
        <TextField
          ref={nameField}
          label={words('contactsName')}
          value={name}
          error={tried ? errors.name : null}
          onChange={event => setName(event.currentTarget.value)}
        />
        <TextField
          ref={addressField}
          label={words('contactsAddress')}
          value={address}
          note={describeAddress(address)}
          error={tried ? errors.address : null}
          onChange={event => setAddress(cleanPayee(event.currentTarget.value))}
        />
        {task.failure ? (
          <Notice tone="danger" live>
            {task.failure}
          </Notice>
        ) : null}
        <Button variant="primary" type="submit" busy={task.busy}>
          {words('contactsSave')}
        </Button>
        {contact ? (
          <Button variant="quiet" onClick={() => void remove()}>
            {words(removing ? 'contactsRemoveSure' : 'contactsRemove')}
          </Button>
        ) : null}
      </form>
    </Dialog>
  )
}

function describeAddress(address: string): ReactNode {
  if (parsePaymentName(address) !== null) return words('contactsPaymentNameNote')
  return networksOf(address).length > 0 ? <AddressText address={address} /> : null
}

function explainName(name: string, others: readonly Contact[]): string | null {
  const plain = name.trim()
  const length = [...plain].length
  if (length === 0) return words('contactsNameMissing')
  if (length > LONGEST_NAME) return words('contactsNameLong', { longest: LONGEST_NAME })
  if (splitVisible(plain).some(({ kind }) => kind !== 'plain')) return words('contactsNameUnseen')
  const same = others.some(other => other.name.toLowerCase() === plain.toLowerCase())
  return same ? words('contactsNameTaken') : null
}

function explainAddress(address: string, others: readonly Contact[]): string | null {
  if (address === '') return words('contactsAddressMissing')
  const paymentName = parsePaymentName(address)
  if (paymentName === null && looksLikeName(address)) return words('nameMalformed')
  if (paymentName === null && networksOf(address).length === 0) return words('sendToMalformed')
  const canonical = paymentName?.text ?? address.toLowerCase()
  const same = others.find(other => other.address.toLowerCase() === canonical)
  return same ? words('contactsAddressTaken', { name: same.name }) : null
}

/**
 * Names for addresses, and for names (BIP-353), that the person pays. They are kept on this device and go to no server.
 */

import { ArrowUpRight, BookUser, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '../../../background/views/payment-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { ContactDialog } from '../../forms/contact-dialog.tsx'
import { networksOf } from '../../forms/networks-of.ts'
import { looksLikeName, payeeText } from '../../forms/send-form.ts'
import { joinList } from '../../platform/join-words.ts'
import { goBack, navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import styles from './contacts.module.css'

/** The address book. */
export function Contacts({ state }: PageProps) {
  const { answer, problem } = useQuery(() => call('getContacts', null), 'contacts', ['contacts'])
  const [edited, setEdited] = useState<Contact | 'new' | null>(null)
  return (
    <>
      <Screen
        head={<BackButton onBack={goBack} />}
        foot={
          <Button variant="primary" onClick={() => setEdited('new')}>
            <Plus size={18} aria-hidden />
            {words('contactsAdd')}
          </Button>
        }
      >
        <Title>{words('contactsTitle')}</Title>
        {problem === null ? null : <Notice tone="caution">{problem}</Notice>}
        {answer === null && problem === null ? (
          <>
            <Skeleton size="row" />
            <Skeleton size="row" />
          </>
        ) : null}
        {answer?.length === 0 ? (
          <Empty icon={<BookUser size={24} aria-hidden />} title={words('contactsEmpty')}>
            {words('contactsEmptyNote')}
          </Empty>
        ) : null}
        {answer && answer.length > 0 ? (
          <ul className={styles.contacts} aria-label={words('contactsTitle')}>
            {answer.map(contact => (
              <ContactRow
                key={contact.id}
                contact={contact}
                network={state.network}
                onEdit={() => setEdited(contact)}
              />
            ))}
          </ul>
        ) : null}
      </Screen>
      {edited === null ? null : (
        <ContactDialog
          contact={edited === 'new' ? null : edited}
          others={(answer ?? []).filter(({ id }) => edited === 'new' || id !== edited.id)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

type ContactRowProps = { contact: Contact; network: Network; onEdit: () => void }

function ContactRow({ contact, network, onEdit }: ContactRowProps) {
  const { name, address } = contact
  const isName = looksLikeName(address)
  const networks = networksOf(address)
  // A name has what leads to an address of each network, or not; that is asked when it is paid.
  const isPayable = isName || networks.includes(network)
  return (
    <li className={styles.contact}>
      <span className={styles.text}>
        <span className={styles.name}>{name}</span>
        <span className={textStyles.note}>
          <span className={classNames(textStyles.mono, isName && textStyles.breakable)}>
            {isName ? payeeText(address) : shortenAddress(address)}
          </span>
          {isPayable ? null : ` · ${joinList(networks.map(other => NETWORK_NAMES[other]))}`}
        </span>
      </span>
      {isPayable ? (
        <IconButton
          label={words('contactsSend', { name })}
          onClick={() => navigate(`/send/${encodeURIComponent(address)}`)}
        >
          <ArrowUpRight size={20} aria-hidden />
        </IconButton>
      ) : null}
      <IconButton label={words('contactsEdit', { name })} onClick={onEdit}>
        <Pencil size={18} aria-hidden />
      </IconButton>
    </li>
  )
}

import { History, UserRound, WalletMinimal } from 'lucide-react'
import { useState } from 'react'
import type { Network } from '../../bitcoin/network.ts'
import { words } from '../platform/words.ts'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { ActionRow, Link, Rows } from '../ui/row.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import textStyles from '../ui/styles/text.module.css'
import { shortenAddress } from '../ui/text/address-text.tsx'
import { hasText } from '../ui/text/search-text.ts'
import { type AddressReader, looksLikeName, payeeText } from './send-form.ts'
import type { KnownAddress } from './use-send-facts.ts'

/** From this many on a list is searched rather than read. */
const MANY = 8

const KINDS = {
  contact: { title: 'sendContacts', Icon: UserRound },
  account: { title: 'sendAccounts', Icon: WalletMinimal },
  recent: { title: 'sendRecent', Icon: History },
} as const

type RecipientPickerProps = {
  known: KnownAddress[]
  network: Network
  parse: AddressReader
  /** Whether a name (BIP-353) can be paid here too. */
  takesNames: boolean
  onChoose: (address: string) => void
  onClose: () => void
}

/** Contacts, own accounts and whom this account has paid; only those that can be paid here. */
export function RecipientPicker({
  known,
  network,
  parse,
  takesNames,
  onChoose,
  onClose,
}: RecipientPickerProps) {
  const [search, setSearch] = useState('')
  const payable = known.filter(({ address }) =>
    looksLikeName(address) ? takesNames : !('error' in parse(address, network)),
  )
  const found = payable.filter(({ address, name }) => hasText(`${name ?? ''} ${address}`, search))
  return (
    <Dialog title={words('sendChooseRecipient')} onClose={onClose}>
      {payable.length === 0 ? (
        <Empty icon={<UserRound size={24} aria-hidden />} title={words('sendNobody')}>
          {words('sendNobodyNote')}
        </Empty>
      ) : null}
      {payable.length > MANY ? (
        <TextField
          label={words('sendSearch')}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
      ) : null}
      {(['contact', 'account', 'recent'] as const).map(kind => {
        const { title, Icon } = KINDS[kind]
        const members = found.filter(entry => entry.kind === kind)
        if (members.length === 0) return null
        return (
          <section key={kind} className={layoutStyles.stack}>
            <h3 className={textStyles.note}>{words(title)}</h3>
            <Rows label={words(title)}>
              {members.map(({ address, name }) => (
                <ActionRow
                  key={address}
                  icon={<Icon size={18} aria-hidden />}
                  title={name ?? shortenAddress(address)}
                  note={
                    <span className={classNames(textStyles.mono, textStyles.breakable)}>
                      {payeeText(address)}
                    </span>
                  }
                  onPress={() => onChoose(address)}
                />
              ))}
            </Rows>
          </section>
        )
      })}
      <Link to="/contacts">{words('sendManageContacts')}</Link>
    </Dialog>
  )
}

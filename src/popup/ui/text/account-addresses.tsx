import type { AccountView } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import layoutStyles from '../styles/layout.module.css'
import textStyles from '../styles/text.module.css'
import { AddressText } from './address-text.tsx'

/** The fixed addresses of an account, each with what it is for where there are two. */
export function AccountAddresses({
  account,
}: {
  account: Pick<AccountView, 'address' | 'ordinals'>
}) {
  const { address, ordinals } = account
  if (!ordinals) return <AddressText address={address} />
  return (
    <div className={layoutStyles.stack}>
      <div>
        <p className={textStyles.note}>{words('accountPaymentAddress')}</p>
        <AddressText address={address} />
      </div>
      <div>
        <p className={textStyles.note}>{words('accountOrdinalsAddress')}</p>
        <AddressText address={ordinals.address} />
      </div>
    </div>
  )
}

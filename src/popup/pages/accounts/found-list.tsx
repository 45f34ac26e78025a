import type { WalletState } from '../../../background/views/ui-methods.ts'
import { nameWallets } from '../../../bitcoin/wallet-paths.ts'
import { joinList } from '../../platform/join-words.ts'
import { countWords, words } from '../../platform/words.ts'
import { Check } from '../../ui/fields/choice.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { ADDRESS_TYPE_NAMES } from '../../ui/text/account-kinds.ts'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { useAmounts } from '../../ui/text/hidden-amounts.tsx'
import styles from './accounts.module.css'
import type { FoundAddress } from './restore-scan.ts'

type FoundListProps = {
  state: WalletState
  found: readonly FoundAddress[]
  isChosen: (found: FoundAddress) => boolean
  onChoose: (address: string, on: boolean) => void
}

/** Whether it is not an account already. */
export function isNewAddress({ address }: FoundAddress, { accounts }: WalletState): boolean {
  return accounts.every(account => account.address !== address)
}

/** Used addresses with what they hold, each to be taken or left. */
export function FoundList({ state, found, isChosen, onChoose }: FoundListProps) {
  return (
    <ul className={styles.found} aria-label={words('restoreFoundList')}>
      {found.map(one => {
        const text = <FoundText found={one} known={!isNewAddress(one, state)} />
        return (
          <li key={one.address}>
            {isNewAddress(one, state) ? (
              <Check checked={isChosen(one)} onCheck={on => onChoose(one.address, on)}>
                {text}
              </Check>
            ) : (
              text
            )}
          </li>
        )
      })}
    </ul>
  )
}

function FoundText({ found, known }: { found: FoundAddress; known: boolean }) {
  const amounts = useAmounts()
  return (
    <span className={styles.foundText}>
      <span className={textStyles.mono}>{shortenAddress(found.address)}</span>{' '}
      <span className={styles.sum}>{amounts.btc(BigInt(found.balance))}</span>{' '}
      <span className={textStyles.note}>
        {ADDRESS_TYPE_NAMES[found.addressType]} ·{' '}
        {known ? words('restoreKnown') : countWords('restoreTransactions', found.transactions)}
      </span>{' '}
      <span className={textStyles.note}>
        {words('restoreWallets', { path: found.path, wallets: listWallets(found) })}
      </span>
    </span>
  )
}

const MOST_NAMED = 4

/** The wallets that put addresses there, in the order of the table. */
export function listWallets(place: Pick<FoundAddress, 'addressType' | 'line' | 'index'>): string {
  const names = nameWallets(place, place.index)
  const shown = joinList(names.slice(0, MOST_NAMED))
  return names.length > MOST_NAMED ? words('restoreAndOthers', { wallets: shown }) : shown
}

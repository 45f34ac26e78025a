import type { AccountView } from '../../../background/views/account-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { formatPaymentLink } from '../../../bitcoin/bip321.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useQuery } from '../../state/use-query.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { QrCode } from '../../ui/pictures/qr-code.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { AddressText } from '../../ui/text/address-text.tsx'
import { isTestNetwork, NETWORK_NAMES } from '../../ui/text/names.ts'
import styles from './first-use.module.css'

type FirstReceiveProps = { state: WalletState; account: AccountView }

/** On the start screen of an account that nobody has paid to: the address for that. */
export function FirstReceive({ state, account }: FirstReceiveProps) {
  const { network } = state
  // Of an account of many addresses, the one that comes next.
  const { answer, problem } = useQuery(
    async () =>
      account.descriptor === null
        ? { address: account.address }
        : call('getReceiveAddress', { after: null }),
    `${network} ${account.id}`,
    [`addresses.${network}.${account.id}`],
  )
  // The screen for receiving says what is wrong.
  if (problem) return null
  const isTest = isTestNetwork(network)
  return (
    <section className={styles.receive} aria-labelledby="first-receive">
      <h2 id="first-receive">
        {words(
          state.oneTimeNotices.awaitsFirstPayment && !isTest
            ? 'firstReceiveTitle'
            : 'firstReceiveOther',
        )}
      </h2>
      <p className={textStyles.muted}>
        {isTest
          ? words('receiveTestNetwork', { network: NETWORK_NAMES[network] })
          : words('firstReceiveNote')}
      </p>
      {answer === null ? (
        <SkeletonRows count={3} />
      ) : (
        <>
          <QrCode
            text={formatPaymentLink({
              address: answer.address,
              amount: null,
              label: null,
              message: null,
            })}
            label={words('receiveCode', { address: answer.address })}
          />
          <AddressText address={answer.address} />
          <CopyButton text={answer.address} label={words('receiveCopy')} />
        </>
      )}
    </section>
  )
}

/**
 * Receiving: the account's address as text and QR code, with an amount if one is wanted. The address comes from the
 * background and is shown whole.
 */

import { Download, RefreshCw, Share2, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { AccountView, ReceiveAddress } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import { formatPaymentLink } from '../../../bitcoin/bip321.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { parseAmount } from '../../forms/typed-amount.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { saveFile } from '../../platform/save-file.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Segments } from '../../ui/fields/segments.tsx'
import { Notice } from '../../ui/notice.tsx'
import { drawQrPicture, QrCode } from '../../ui/pictures/qr-code.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { nameAddressType } from '../../ui/text/account-kinds.ts'
import { AddressText } from '../../ui/text/address-text.tsx'
import { nameBtc, nameSats } from '../../ui/text/btc-digits.ts'
import { isTestNetwork, NETWORK_NAMES, sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import styles from './receive.module.css'

/** The address as text and code, and a payment link where an amount or a purpose is named. */
export function Receive({ state }: PageProps) {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return null
  const { network } = state
  if (account.ordinals) return <PairedReceive account={account} network={network} />
  if (account.descriptor !== null) return <FreshReceive account={account} network={network} />
  const { address, addressType: type } = account
  return <ReceiveScreen {...{ account, network, address, type }} />
}

/** Of an account with an address for ordinals: the one that suits what is to come. */
function PairedReceive({ account, network }: { account: AccountView; network: Network }) {
  const [purpose, setPurpose] = useState<'payment' | 'ordinals'>('payment')
  const choice = (
    <Segments
      label={words('receivePurpose')}
      value={purpose}
      options={[
        { value: 'payment', name: words('receivePayment') },
        { value: 'ordinals', name: words('receiveOrdinals') },
      ]}
      onChoose={setPurpose}
    />
  )
  if (purpose === 'payment' || !account.ordinals) {
    const Page = account.descriptor === null ? ReceiveScreen : FreshReceive
    return (
      <Page
        {...{ account, network, choice }}
        address={account.address}
        type={account.addressType}
      />
    )
  }
  const { address } = account.ordinals
  return (
    <ReceiveScreen
      {...{ account, network, choice, address }}
      type="p2tr"
      fresh={<p className={textStyles.note}>{words('receiveOrdinalsNote')}</p>}
    />
  )
}

/** What is stored of how far an account's addresses are used, and which account it is. */
const KEYS = ['network', 'accounts.selected']

/** Of an account of many addresses: one that nobody has paid to yet. */
function FreshReceive({
  account,
  network,
  choice,
}: {
  account: AccountView
  network: Network
  choice?: ReactNode
}) {
  const query = useQuery<ReceiveAddress>(
    () => call('getReceiveAddress', { after: null }),
    `${network} ${account.id}`,
    [...KEYS, `addresses.${network}.${account.id}`],
  )
  const task = useTask()
  const { answer, problem, busy, retry } = query
  const goOn = () =>
    void task.run(async () => {
      await call('getReceiveAddress', { after: answer?.index ?? null })
      retry()
    })
  if (!answer)
    return (
      <Screen head={<BackButton onBack={goBack} />}>
        <Title>{words('receiveTitle', { network: NETWORK_NAMES[network] })}</Title>
        {choice}
        {problem ? (
          <RetryNotice tone="danger" problem={problem} busy={busy} onRetry={retry} />
        ) : (
          <SkeletonRows count={3} />
        )}
      </Screen>
    )
  return (
    <ReceiveScreen
      account={account}
      network={network}
      choice={choice}
      address={answer.address}
      type={account.addressType}
      fresh={
        <>
          <p className={textStyles.note}>
            {words(answer.hasNext ? 'receiveFresh' : 'receiveFreshLast')}
          </p>
          <Button variant="quiet" busy={task.busy} disabled={!answer.hasNext} onClick={goOn}>
            <RefreshCw size={16} aria-hidden />
            {words('receiveNext')}
          </Button>
          {task.failure ? (
            <Notice tone="danger" live>
              {task.failure}
            </Notice>
          ) : null}
        </>
      }
    />
  )
}

type ReceiveScreenProps = {
  account: AccountView
  network: Network
  address: string
  type: AddressType | null
  /** Which of two addresses it is. */
  choice?: ReactNode
  /** What can be done about the address of an account that has many. */
  fresh?: ReactNode
}

function ReceiveScreen({ account, network, address, type, choice, fresh }: ReceiveScreenProps) {
  const [asking, setAsking] = useState(false)
  const [amount, setAmount] = useState('')
  const [label, setLabel] = useState('')
  const sats = parseAmount(amount, 'btc')
  const request = {
    address,
    amount: asking ? sats : null,
    label: asking && label.trim() !== '' ? label.trim() : null,
    message: null,
  }
  const isRequest = request.amount !== null || request.label !== null
  const link = formatPaymentLink(request)
  const name = NETWORK_NAMES[network]
  return (
    <Screen
      head={
        <>
          <BackButton onBack={goBack} />
          <span className={layoutStyles.push}>
            <PictureButton text={link} />
          </span>
        </>
      }
      foot={
        <CopyButton
          variant="primary"
          text={isRequest ? link : address}
          label={words(isRequest ? 'receiveCopyLink' : 'receiveCopy')}
        />
      }
    >
      <Title>{words('receiveTitle', { network: name })}</Title>
      {choice}
      {isTestNetwork(network) ? (
        <Notice tone="caution">{words('receiveTestNetwork', { network: name })}</Notice>
      ) : null}
      {account.source === 'watch' ? <Notice tone="info">{words('receiveWatched')}</Notice> : null}
      <QrCode
        text={link}
        label={words(isRequest ? 'receiveCodeOfLink' : 'receiveCode', { address })}
      />
      {request.amount === null ? null : (
        <p className={styles.amount}>
          {nameBtc(request.amount)}{' '}
          <span className={textStyles.note}>{nameSats(request.amount)}</span>
        </p>
      )}
      <div className={styles.address}>
        <p className={textStyles.note}>
          {sayName(account.name)} · {nameAddressType(type)}
        </p>
        <AddressText address={address} />
        {fresh}
      </div>
      {asking ? (
        <div className={layoutStyles.stack}>
          <TextField
            label={words('receiveAmount')}
            inputMode="decimal"
            placeholder="0.00"
            value={amount}
            error={
              amount.trim() !== '' && sats === null
                ? words(amount.includes(',') ? 'sendAmountComma' : 'sendAmountInvalid')
                : null
            }
            onChange={event => setAmount(event.currentTarget.value)}
          />
          <TextField
            label={words('receiveLabel')}
            note={words('receiveLabelNote')}
            maxLength={80}
            value={label}
            onChange={event => setLabel(event.currentTarget.value)}
          />
        </div>
      ) : null}
      <Button variant="quiet" aria-expanded={asking} onClick={() => setAsking(before => !before)}>
        <SlidersHorizontal size={16} aria-hidden />
        {words(asking ? 'receiveAddressOnly' : 'receiveAsk')}
      </Button>
    </Screen>
  )
}

/** Hands the code on as a picture where the system can share, else saves it. */
function PictureButton({ text }: { text: string }) {
  const canShare = navigator.canShare?.({ files: [new File([], 'qr.png', { type: 'image/png' })] })
  const Icon = canShare ? Share2 : Download
  const hand = async () => {
    const picture = new File([await drawQrPicture(text)], 'bitcoin.png', { type: 'image/png' })
    if (canShare) await navigator.share({ files: [picture] })
    else saveFile(picture.name, picture)
  }
  const onClick = () =>
    void hand().catch(error => {
      // Closing the system's own dialog is an answer, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        showToast(words('receivePictureFailed'))
    })
  return (
    <Button variant="quiet" onClick={onClick}>
      <Icon size={18} aria-hidden />
      {words(canShare ? 'receiveShare' : 'receiveSave')}
    </Button>
  )
}

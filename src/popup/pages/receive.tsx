import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { WalletState } from '../../background/ui-methods/ui-methods.ts'
import { paymentUri } from '../ui/address-chunks.ts'
import { AddressText } from '../ui/address-text.tsx'
import { Button } from '../ui/button.tsx'
import { ADDRESS_TYPE_NAMES, isTestNetwork, NETWORK_NAMES } from '../ui/names.ts'
import { Notice } from '../ui/notice.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'

type CopyState = 'no' | 'copied' | 'failed'

export function Receive({ state, onBack }: { state: WalletState; onBack: () => void }) {
  const [copied, setCopied] = useState<CopyState>('no')
  const account = state.accounts.find(({ id }) => id === state.accountId)
  useEffect(() => {
    if (copied !== 'copied') return
    const timer = setTimeout(() => setCopied('no'), 2500)
    return () => clearTimeout(timer)
  }, [copied])
  if (!account) return null
  const network = NETWORK_NAMES[state.network]
  const copy = () =>
    navigator.clipboard.writeText(account.address).then(
      () => setCopied('copied'),
      () => setCopied('failed'),
    )
  return (
    <Screen
      head={<BackButton onBack={onBack} />}
      foot={
        <Button look="primary" onClick={copy}>
          {copied === 'copied' ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {copied === 'copied' ? 'Copied' : 'Copy address'}
        </Button>
      }
    >
      <Title>Receive on {network}</Title>
      {isTestNetwork(state.network) ? (
        <Notice tone="caution">Only {network} coins. Real bitcoin sent here is lost.</Notice>
      ) : null}
      <QrCode text={paymentUri(account.address)} label={`QR code of ${account.address}`} />
      <div className="receive-address">
        <p className="muted small">
          {account.name} · {ADDRESS_TYPE_NAMES[account.addressType]}
        </p>
        <AddressText address={account.address} />
      </div>
      <p className="hidden-text" role="status">
        {copied === 'copied' ? 'Address copied' : ''}
      </p>
      {copied === 'failed' ? (
        <Notice tone="caution" live>
          The browser did not allow copying. Select the address and copy it by hand.
        </Notice>
      ) : null}
    </Screen>
  )
}

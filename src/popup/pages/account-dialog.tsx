import { Check } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { WalletState } from '../../background/ui-methods/ui-methods.ts'
import { call } from '../rpc.ts'
import { shortenAddress } from '../ui/address-chunks.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { ADDRESS_TYPE_NAMES } from '../ui/names.ts'
import { Notice } from '../ui/notice.tsx'

type AccountDialogProps = {
  state: WalletState
  onClose: () => void
  onChanged: () => Promise<void>
}

/** All accounts; pressing one takes it into use. Arrow keys walk the list, as in a menu. */
export function AccountDialog({ state, onClose, onChanged }: AccountDialogProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const choose = async (accountId: string) => {
    try {
      await call('selectAccount', { accountId })
      await onChanged()
      onClose()
    } catch (problem) {
      setFailure(problem instanceof Error ? problem.message : String(problem))
    }
  }
  return (
    <Dialog title="Accounts" onClose={onClose}>
      <ul className="choices" onKeyDown={walk}>
        {state.accounts.map(account => (
          <li key={account.id}>
            <button
              type="button"
              className="choice"
              aria-current={account.id === state.accountId}
              onClick={() => void choose(account.id)}
            >
              <Identicon text={account.id} size={32} />
              <span className="text">
                <span className="name">{account.name}</span>{' '}
                <span className="muted small">
                  {ADDRESS_TYPE_NAMES[account.addressType]}{' '}
                  <span className="mono">{shortenAddress(account.address)}</span>
                </span>
              </span>
              {account.id === state.accountId ? (
                <Check size={20} className="chosen" aria-hidden />
              ) : null}
            </button>
          </li>
        ))}
      </ul>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </Dialog>
  )
}

function walk(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const buttons: Element[] = [...event.currentTarget.querySelectorAll('button')]
  const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1
  const next = buttons[(at + step + buttons.length) % buttons.length]
  if (next instanceof HTMLElement) next.focus()
}

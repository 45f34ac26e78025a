import { useState } from 'react'
import type { AccountView, PhraseView } from '../../../background/views/account-views.ts'
import { TriedPassword } from '../../forms/secrets/tried-password.tsx'
import { joinList } from '../../platform/join-words.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { usePasswordTries } from '../../state/use-password-tries.ts'
import { Button } from '../../ui/button.tsx'
import dialogStyles from '../../ui/dialog.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import styles from './accounts.module.css'

type RemoveWalletProps = {
  wallet: PhraseView
  accounts: readonly AccountView[]
  onClose: () => void
  onRemoved: () => Promise<void>
}

/** Says which accounts go; asks for a tick that the words are kept, and for the password. */
export function RemoveWallet({ wallet, accounts, onClose, onRemoved }: RemoveWalletProps) {
  const [kept, setKept] = useState(false)
  const tries = usePasswordTries()
  const { id: phraseId } = wallet
  const name = sayName(wallet.name)
  const remove = () =>
    void tries.attempt(async password => {
      const result = await call('removePhrase', { phraseId, password })
      if (result.accepted) {
        await onRemoved()
        showToast(words('removeDone', { name }))
      }
      return result
    })
  return (
    <Dialog title={words('removeTitle', { name })} onClose={onClose}>
      <form
        className={styles.removal}
        autoComplete="off"
        onSubmit={event => {
          event.preventDefault()
          if (kept) remove()
        }}
      >
        <p>{words('walletRemoveLead')}</p>
        {accounts.length === 0 ? null : (
          <p>
            {words('walletRemoveAccounts', {
              names: joinList(accounts.map(account => sayName(account.name))),
            })}
          </p>
        )}
        <p className={textStyles.muted}>{words('walletRemoveForgets')}</p>
        <Check checked={kept} onCheck={setKept}>
          {words('walletRemoveKept')}
        </Check>
        <TriedPassword tries={tries} label={words('passwordLabel')} />
        <div className={dialogStyles.answers}>
          <Button variant="secondary" onClick={onClose}>
            {words('commonCancel')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            busy={tries.busy}
            disabled={!kept || tries.seconds > 0}
          >
            {tries.seconds > 0
              ? words('passwordWait', { seconds: tries.seconds })
              : words('accountRemove')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

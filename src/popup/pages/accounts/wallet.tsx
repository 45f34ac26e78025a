import { KeyRound, Pencil, ScanSearch, Trash2, WalletCards } from 'lucide-react'
import { useState } from 'react'
import type { PhraseView } from '../../../background/views/account-views.ts'
import { accountsOf } from '../../forms/accounts/account-groups.tsx'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { Empty } from '../../ui/empty.tsx'
import { ActionRow, LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'
import { RemoveWallet } from './remove-wallet.tsx'
import { RenameDialog } from './rename-dialog.tsx'

/** One wallet of several: its name, its words, and taking it away. */
export function WalletPage(props: PageProps) {
  const [, , id] = useRoute()
  const wallet = props.state.phrases.find(phrase => phrase.id === id)
  if (wallet) return <Known {...props} wallet={wallet} />
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('walletGone')}</Title>
      <Empty icon={<WalletCards size={24} aria-hidden />} title={words('walletGoneNote')} />
    </Screen>
  )
}

function Known({ state, onChanged, wallet }: PageProps & { wallet: PhraseView }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const { id, name } = wallet
  const accounts = accountsOf(state.accounts, id)
  const close = () => setOpen(null)
  return (
    <>
      <Screen head={<BackButton onBack={goBack} />}>
        <Title>{sayName(name)}</Title>
        <p className={textStyles.muted}>
          {wallet.kind === 'bip39'
            ? countWords('walletAccounts', accounts.length)
            : words('walletElectrum')}
        </p>
        <Rows label={words('walletActions')}>
          <ActionRow
            icon={<Pencil size={18} aria-hidden />}
            title={words('accountRename')}
            onPress={() => setOpen('rename')}
          />
          <LinkRow
            to={`/settings/backup/${id}`}
            icon={<KeyRound size={18} aria-hidden />}
            title={words('walletShowWords')}
            note={words('walletShowWordsNote')}
          />
          {wallet.kind === 'bip39' ? (
            <LinkRow
              to={`/accounts/restore/${id}`}
              icon={<ScanSearch size={18} aria-hidden />}
              title={words('restoreTitle')}
              note={words('restoreNote')}
            />
          ) : null}
          <ActionRow
            tone="danger"
            icon={<Trash2 size={18} aria-hidden />}
            title={words('walletRemove')}
            onPress={() => setOpen('remove')}
          />
        </Rows>
      </Screen>
      {open === 'rename' ? (
        <RenameDialog
          title={words('walletRename')}
          label={words('walletName')}
          name={name}
          onClose={close}
          onSave={async typed => {
            await call('renamePhrase', { phraseId: id, name: typed })
            await onChanged()
          }}
        />
      ) : null}
      {open === 'remove' ? (
        <RemoveWallet
          wallet={wallet}
          accounts={accounts}
          onClose={close}
          onRemoved={async () => {
            navigate('/accounts', { replace: true })
            await onChanged()
          }}
        />
      ) : null}
    </>
  )
}

import { Copy, Eye, EyeOff, KeyRound, Pencil, Signature, Trash2, WalletCards } from 'lucide-react'
import { useState } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { canSign } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIconButton } from '../../ui/copy-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Switch } from '../../ui/fields/switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import { ActionRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import pillStyles from '../../ui/styles/pill.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { nameAccountKind } from '../../ui/text/account-kinds.ts'
import { AddressText } from '../../ui/text/address-text.tsx'
import { sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'
import { findDevicePartner } from './account-pairs.ts'
import styles from './accounts.module.css'
import { OrdinalsSwitch } from './ordinals-switch.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { ShowKey } from './show-key.tsx'

/** One account: what it is, and everything that can be done with it. */
export function AccountPage({ state, onChanged }: PageProps) {
  const [, , id] = useRoute()
  const account = state.accounts.find(account => account.id === id)
  if (account) return <Known {...{ state, onChanged, account }} />
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('accountGone')}</Title>
      <Empty icon={<WalletCards size={24} aria-hidden />} title={words('accountGoneNote')} />
    </Screen>
  )
}

function Known({ state, onChanged, account }: PageProps & { account: AccountView }) {
  const [open, setOpen] = useState<'rename' | 'remove' | 'key' | null>(null)
  const task = useTask()
  const close = () => setOpen(null)
  if (open === 'key' && canSign(account)) {
    return <ShowKey account={account} onBack={close} />
  }
  const change = (work: () => Promise<null>, done: string) =>
    task.run(async () => {
      await work()
      await onChanged()
      showToast(done)
    })
  const inUse = account.id === state.accountId
  const { id: accountId, hidden } = account
  const name = sayName(account.name)
  return (
    <>
      <Screen
        head={<BackButton onBack={goBack} />}
        foot={
          inUse || hidden ? null : (
            <Button
              variant="primary"
              busy={task.busy}
              onClick={async () => {
                const done = words('accountUsed', { name })
                if (await change(() => call('selectAccount', { accountId }), done)) navigate('/')
              }}
            >
              {words('accountUse')}
            </Button>
          )
        }
      >
        <div className={styles.head}>
          <Identicon text={accountId} size={48} />
          <div>
            <Title>{name}</Title>
            {inUse ? <span className={pillStyles.pill}>{words('accountsInUse')}</span> : null}
            {hidden ? <span className={pillStyles.pill}>{words('accountIsHidden')}</span> : null}
          </div>
        </div>
        <Facts account={account} />
        {account.source === 'watch' ? (
          <Notice tone="info">{words('accountWatchedNote')}</Notice>
        ) : null}
        {account.source === 'device' ? (
          <Notice tone="info">{words('accountDeviceNote')}</Notice>
        ) : null}
        {account.source === 'multisig' ? (
          <>
            <Notice tone="info">{words('multisigNote')}</Notice>
            <Notice tone="caution">{words('multisigKeepDescriptor')}</Notice>
          </>
        ) : null}
        {task.failure ? (
          <Notice tone="danger" live>
            {task.failure}
          </Notice>
        ) : null}
        <Rows label={words('accountActions')}>
          {canHaveMany(account) ? (
            <li>
              <Switch
                label={words('accountMany')}
                note={words(account.descriptor === null ? 'accountManyNote' : 'accountManyOnNote')}
                on={account.descriptor !== null}
                busy={task.busy}
                onChange={on =>
                  void change(
                    () => call('setManyAddresses', { accountId, on }),
                    words(on ? 'accountManyOn' : 'accountManyOff'),
                  )
                }
              />
            </li>
          ) : null}
          {canSeparateOrdinals(account, state.accounts) ? (
            <OrdinalsSwitch account={account} accounts={state.accounts} onChanged={onChanged} />
          ) : null}
          {account.source === 'multisig' && inUse ? (
            <ActionRow
              icon={<Signature size={18} aria-hidden />}
              title={words('psbtFileTitle')}
              note={words('multisigSignNote')}
              onPress={() => navigate('/psbt')}
            />
          ) : null}
          {account.descriptor === null ? null : <DescriptorRow text={descriptorsOf(account)} />}
          <ActionRow
            icon={<Pencil size={18} aria-hidden />}
            title={words('accountRename')}
            onPress={() => setOpen('rename')}
          />
          {!canSign(account) || account.source === 'device' ? null : (
            <ActionRow
              icon={<KeyRound size={18} aria-hidden />}
              title={words('showKeyTitle')}
              note={words('showKeyRow')}
              onPress={() => setOpen('key')}
            />
          )}
          <ActionRow
            icon={hidden ? <Eye size={18} aria-hidden /> : <EyeOff size={18} aria-hidden />}
            title={hidden ? words('accountShow') : words('accountHide')}
            note={hidden ? words('accountShowNote') : words('accountHideNote')}
            onPress={() =>
              void change(
                () => call('setAccountHidden', { accountId, hidden: !hidden }),
                hidden ? words('accountShown') : words('accountHidden'),
              )
            }
          />
          <ActionRow
            tone="danger"
            icon={<Trash2 size={18} aria-hidden />}
            title={words('accountRemove')}
            onPress={() => setOpen('remove')}
          />
        </Rows>
      </Screen>
      {open === 'rename' ? (
        <RenameDialog
          title={words('accountRename')}
          label={words('accountName')}
          name={account.name}
          onClose={close}
          onSave={async typed => {
            await call('renameAccount', { accountId, name: typed })
            await onChanged()
          }}
        />
      ) : null}
      {open === 'remove' ? (
        <RemoveDialog account={account} onClose={close} onChanged={onChanged} />
      ) : null}
    </>
  )
}

/** A SegWit account of the phrase, where Taproot has the same place, or of a device whose Taproot key is known. */
function canSeparateOrdinals(account: AccountView, accounts: readonly AccountView[]): boolean {
  const { source, addressType } = account
  if (source === 'device')
    return account.ordinalsDescriptor !== null || findDevicePartner(account, accounts) !== null
  if (source !== 'seed') return false
  const path = account.derivationPath ?? ''
  return (
    (addressType === 'p2wpkh' && path.startsWith("m/84'/")) ||
    (addressType === 'p2sh-p2wpkh' && path.startsWith("m/49'/"))
  )
}

/** Whether other addresses can be derived: from the phrase below the account's own key, or by what the device told. */
function canHaveMany(account: AccountView): boolean {
  if (account.source === 'device') return true
  return account.source === 'seed' && /'\/0\/0$/.test(account.derivationPath ?? '')
}

/** Of all its keys, one a line. */
function descriptorsOf(account: AccountView): string {
  const { descriptor, ordinals } = account
  const second = account.source === 'device' && ordinals ? account.ordinalsDescriptor : null
  return [descriptor, second].filter(text => text !== null).join('\n')
}

/** For other wallets that are to watch all addresses, too. */
function DescriptorRow({ text }: { text: string }) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => showToast(words('commonCopied')),
      () => showToast(words('commonCopyFailed')),
    )
  }
  return (
    <ActionRow
      icon={<Copy size={18} aria-hidden />}
      title={words('accountCopyDescriptor')}
      note={words('accountCopyDescriptorNote')}
      onPress={copy}
    />
  )
}

const SOURCES = {
  seed: 'accountFromWords',
  key: 'accountFromKey',
  device: 'accountFromDevice',
  multisig: 'multisigSource',
  watch: 'accountFromWatch',
} as const

function Facts({ account }: { account: AccountView }) {
  return (
    <>
      {account.descriptor === null ? null : (
        <p className={textStyles.note}>
          {words(account.source === 'multisig' ? 'multisigFirstAddress' : 'accountFirstAddress')}
        </p>
      )}
      {account.ordinals ? (
        <p className={textStyles.note}>{words('accountPaymentAddress')}</p>
      ) : null}
      <div className={styles.address}>
        <AddressText address={account.address} />
        <CopyIconButton text={account.address} label={words('accountCopy')} />
      </div>
      {account.ordinals ? (
        <>
          <p className={textStyles.note}>{words('accountOrdinalsAddress')}</p>
          <div className={styles.address}>
            <AddressText address={account.ordinals.address} />
            <CopyIconButton text={account.ordinals.address} label={words('accountCopyOrdinals')} />
          </div>
        </>
      ) : null}
      <dl className={factsStyles.facts}>
        <div>
          <dt>{words('accountKind')}</dt>
          <dd>{nameAccountKind(account)}</dd>
        </div>
        <div>
          <dt>{words('accountSource')}</dt>
          <dd>{words(SOURCES[account.source])}</dd>
        </div>
        {account.derivationPath === null ? null : (
          <div>
            <dt>{words('accountPath')}</dt>
            <dd className={textStyles.mono}>{account.derivationPath}</dd>
          </div>
        )}
        {account.ordinals ? (
          <div>
            <dt>{words('accountOrdinalsPath')}</dt>
            <dd className={textStyles.mono}>{account.ordinals.derivationPath}</dd>
          </div>
        ) : null}
        {account.source === 'multisig'
          ? account.signers.map(({ fingerprint, path }, at) => (
              <div key={`${fingerprint} ${path}`}>
                <dt>{words('multisigSigner', { at: at + 1 })}</dt>
                <dd className={textStyles.mono}>
                  {fingerprint} <span className={factsStyles.sub}>{path}</span>
                </dd>
              </div>
            ))
          : null}
        {account.source === 'device' ? (
          <div>
            <dt>{words('accountFingerprint')}</dt>
            <dd className={textStyles.mono}>{account.fingerprint}</dd>
          </div>
        ) : null}
      </dl>
    </>
  )
}

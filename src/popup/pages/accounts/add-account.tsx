import { Eye, KeyRound, ScanSearch, Smartphone, WalletCards } from 'lucide-react'
import { useRef, useState } from 'react'
import type { PhraseView } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { choosePhraseId } from '../../forms/accounts/account-groups.tsx'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { SelectField, TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LinkRow, Rows } from '../../ui/row.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { ADDRESS_TYPE_NAMES } from '../../ui/text/account-kinds.ts'
import { sayName } from '../../ui/text/names.ts'
import { useNewAccount } from './use-new-account.ts'

const COMMON_TYPES = [
  { value: 'p2tr', note: 'addTaproot' },
  { value: 'p2wpkh', note: 'addNativeSegwit' },
] as const

const OLDER_TYPES = [
  { value: 'p2sh-p2wpkh', note: 'addNestedSegwit' },
  { value: 'p2pkh', note: 'addLegacy' },
] as const

/** Another account of the recovery phrase, or one from elsewhere. */
export function AddAccount(props: PageProps) {
  return props.state.hasPhrase === false ? <NoPhrase /> : <FromPhrase {...props} />
}

function FromPhrase({ state, onChanged }: PageProps) {
  const [kind, setKind] = useState<AddressType | 'paired'>('p2tr')
  const [phraseId, setPhraseId] = useState(() => choosePhraseId(state) ?? '')
  const name = useRef<HTMLInputElement>(null)
  const { add, busy, failure } = useNewAccount(onChanged)
  /** The kind of address that a seed of Electrum is for; null where there is a choice. */
  const fixed = electrumTypeOf(state.phrases.find(({ id }) => id === phraseId))
  const describe = ({ value, note }: { value: AddressType; note: WordKey }) => ({
    value,
    name: ADDRESS_TYPE_NAMES[value],
    note: words(note, { start: STARTS[value][state.network] }),
  })
  const submit = () =>
    add(() =>
      call('addAccount', {
        addressType: fixed ?? (kind === 'paired' ? 'p2wpkh' : kind),
        ordinals: fixed === null && kind === 'paired',
        name: name.current?.value.trim() ?? '',
        ...(phraseId !== '' && { phraseId }),
      }),
    )
  return (
    <FormScreen
      title={words('addTitle')}
      action={words('addAction')}
      onBack={goBack}
      onSubmit={submit}
      busy={busy}
      failure={failure}
    >
      {state.phrases.length > 1 ? (
        <SelectField
          label={words('walletWhich')}
          value={phraseId}
          options={state.phrases.map(({ id, name }) => ({ value: id, name: sayName(name) }))}
          onChoose={setPhraseId}
        />
      ) : null}
      {fixed === null ? (
        <ChoiceGroup
          label={words('addKind')}
          value={kind}
          options={[
            ...COMMON_TYPES.map(describe),
            {
              value: 'paired' as const,
              name: words('addAccountPaired'),
              note: words('addAccountPairedNote'),
            },
            ...OLDER_TYPES.map(describe),
          ]}
          onChoose={setKind}
        />
      ) : (
        <Notice tone="info">{words('addElectrum', { type: ADDRESS_TYPE_NAMES[fixed] })}</Notice>
      )}
      <TextField
        ref={name}
        label={words('addName')}
        maxLength={40}
        placeholder={words('addNamePlaceholder')}
      />
      <Elsewhere />
    </FormScreen>
  )
}

function electrumTypeOf(phrase: PhraseView | undefined): AddressType | null {
  if (!phrase || phrase.kind === 'bip39') return null
  return phrase.kind === 'electrum-segwit' ? 'p2wpkh' : 'p2pkh'
}

/** A wallet of one private key has no words that further accounts could come from. */
function NoPhrase() {
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('addTitle')}</Title>
      <p className={textStyles.muted}>{words('addNoPhrase')}</p>
      <Elsewhere noPhrase />
    </Screen>
  )
}

function Elsewhere({ noPhrase = false }) {
  return (
    <>
      <h2>{words('addElsewhere')}</h2>
      <Rows label={words('addElsewhere')}>
        {noPhrase ? null : (
          <LinkRow
            to="/accounts/restore"
            icon={<ScanSearch size={18} aria-hidden />}
            title={words('restoreTitle')}
            note={words('restoreNote')}
          />
        )}
        <LinkRow
          to="/accounts/add-wallet"
          icon={<WalletCards size={18} aria-hidden />}
          title={words('walletAdd')}
          note={words('walletAddNote')}
        />
        <LinkRow
          to="/accounts/key"
          icon={<KeyRound size={18} aria-hidden />}
          title={words('importKeyTitle')}
          note={words('addKeyNote')}
        />
        <LinkRow
          to="/accounts/device"
          icon={<Smartphone size={18} aria-hidden />}
          title={words('addDeviceTitle')}
          note={words('addDeviceNote')}
        />
        <LinkRow
          to="/accounts/watch"
          icon={<Eye size={18} aria-hidden />}
          title={words('watchTitle')}
          note={words('watchNote')}
        />
      </Rows>
    </>
  )
}

const STARTS: { [type in AddressType]: { [network in Network]: string } } = {
  p2tr: { mainnet: 'bc1p', testnet4: 'tb1p', signet: 'tb1p', regtest: 'bcrt1p' },
  p2wpkh: { mainnet: 'bc1q', testnet4: 'tb1q', signet: 'tb1q', regtest: 'bcrt1q' },
  'p2sh-p2wpkh': { mainnet: '3', testnet4: '2', signet: '2', regtest: '2' },
  p2pkh: { mainnet: '1', testnet4: 'm, n', signet: 'm, n', regtest: 'm, n' },
}

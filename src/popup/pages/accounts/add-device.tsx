import { useMemo, useRef, useState } from 'react'
import { listDescriptorKeys, parseDescriptor } from '../../../bitcoin/descriptors/descriptor.ts'
import {
  InvalidKeyFileError,
  type KeyCandidate,
} from '../../../bitcoin/descriptors/key-candidates.ts'
import { parseKeyFile } from '../../../bitcoin/descriptors/key-files.ts'
import { formatKeyPath } from '../../../bitcoin/key-origin.ts'
import { keySpaceOf, type Network } from '../../../bitcoin/network.ts'
import type { ReadResult } from '../../../bitcoin/qr/part-reader.ts'
import { ScanPanel } from '../../forms/scan/scan-panel.tsx'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { type WordKey, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { ADDRESS_TYPE_NAMES, nameAddressType, nameMultisig } from '../../ui/text/account-kinds.ts'
import { AddressText } from '../../ui/text/address-text.tsx'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import styles from './accounts.module.css'
import { CosignerKeys } from './cosigner-keys.tsx'
import { type KeyChoice, listFirstAddresses, listKeyChoices, readCodeKeys } from './key-choices.ts'
import { useNewAccount } from './use-new-account.ts'

/** First addresses that are shown beside those of the device. */
const SHOWN = 3

/** An account whose key is on a device or in another wallet. */
export function AddDevice(props: PageProps) {
  const [candidates, setCandidates] = useState<readonly KeyCandidate[] | null>(null)
  const { network, hasPhrase } = props.state
  if (candidates === null)
    return <ReadKeys network={network} hasPhrase={hasPhrase === true} onRead={setCandidates} />
  return <Choose {...props} candidates={candidates} onBack={() => setCandidates(null)} />
}

type ReadKeysProps = {
  network: Network
  hasPhrase: boolean
  onRead: (candidates: readonly KeyCandidate[]) => void
}

function ReadKeys({ network, hasPhrase, onRead }: ReadKeysProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const take = (result: ReadResult) => {
    try {
      onRead(listUsable(readCandidates(result), network))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
      // A panel reads once.
      setTries(tries + 1)
    }
  }
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('addDeviceTitle')}</Title>
      <p className={textStyles.muted}>{words('addDeviceLead')}</p>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
      <ScanPanel key={tries} onRead={take} />
      <p className={textStyles.note}>{words('addDeviceNeverWords')}</p>
      {hasPhrase ? <CosignerKeys /> : null}
    </Screen>
  )
}

/** The accounts of the keys in what was read; throws an Error in words for a person. */
function readCandidates(result: ReadResult): readonly KeyCandidate[] {
  try {
    if (result.kind === 'text') return parseKeyFile(result.text).candidates
    if (result.kind === 'keys') return readCodeKeys(result.keys)
  } catch (error) {
    if (!(error instanceof InvalidKeyFileError)) throw error
    throw new Error(words(PROBLEM_WORDS[error.problem]))
  }
  throw new Error(words('addDeviceUnknown'))
}

type ChooseProps = PageProps & { candidates: readonly KeyCandidate[]; onBack: () => void }

function Choose({ state, onChanged, candidates, onBack }: ChooseProps) {
  const choices = useMemo(() => listKeyChoices(candidates), [candidates])
  const [first] = choices
  const [chosen, setChosen] = useState(first?.id ?? '')
  const name = useRef<HTMLInputElement>(null)
  const { add, busy, failure } = useNewAccount(onChanged)
  const choice = choices.find(({ id }) => id === chosen) ?? first
  if (!choice) return null
  const { candidate, ordinals } = choice
  const pair = choices.find(one => one.ordinals && one.candidate === candidate) ?? null
  const { descriptor } = candidate
  const submit = () =>
    add(() =>
      call('addDevice', {
        ...{ descriptor, name: name.current?.value.trim() ?? '' },
        ...(ordinals && { ordinals: ordinals.descriptor }),
      }),
    )
  return (
    <FormScreen
      title={words(candidate.policy ? 'multisigConnectTitle' : 'addDeviceTitle')}
      action={words('addDeviceAction')}
      onBack={onBack}
      onSubmit={submit}
      busy={busy}
      failure={failure}
    >
      {choices.length > 1 ? (
        <ChoiceGroup
          label={words('addDeviceWhich')}
          value={choice.id}
          options={choices.map(choice => ({
            value: choice.id,
            name: nameChoice(choice),
            note: describeChoice(choice),
          }))}
          onChoose={setChosen}
        />
      ) : null}
      {pair ? <PairNotes pair={pair} isChosen={ordinals !== null} /> : null}
      <section className={styles.firstAddresses}>
        <h2>{words('addDeviceCompare')}</h2>
        {choices.length > 1 ? null : (
          <p className={textStyles.note}>
            {nameChoice(choice)}{' '}
            {candidate.policy ? null : (
              <span className={textStyles.mono}>{originOf(descriptor)}</span>
            )}
          </p>
        )}
        <p className={textStyles.note}>
          {words(candidate.policy ? 'multisigCompareNote' : 'addDeviceCompareNote')}
        </p>
        {ordinals ? <p className={textStyles.note}>{words('accountPaymentAddress')}</p> : null}
        <Addresses addresses={listFirstAddresses(descriptor, state.network, SHOWN)} />
        {ordinals ? (
          <>
            <p className={textStyles.note}>{words('accountOrdinalsAddress')}</p>
            <Addresses addresses={listFirstAddresses(ordinals.descriptor, state.network, 1)} />
          </>
        ) : null}
      </section>
      {candidate.policy ? <Signers descriptor={descriptor} /> : null}
      {candidate.policy === null && candidate.fingerprint === null ? (
        <Notice tone="caution">{words('addDeviceNoFingerprint')}</Notice>
      ) : null}
      {pair === null && isSegwit(candidate) ? (
        <p className={textStyles.note}>{words('addDeviceNoTaproot')}</p>
      ) : null}
      <TextField
        ref={name}
        label={words('addName')}
        maxLength={40}
        placeholder={candidate.name ?? words('addNamePlaceholder')}
      />
    </FormScreen>
  )
}

function Addresses({ addresses }: { addresses: readonly string[] }) {
  return (
    <ol className={factsStyles.facts}>
      {addresses.map(address => (
        <li key={address}>
          <AddressText address={address} />
        </li>
      ))}
    </ol>
  )
}

/** What the chain tells of two keys as one account, and what not every device can do with them. */
function PairNotes({ pair, isChosen }: { pair: KeyChoice; isChosen: boolean }) {
  const { descriptor } = pair.candidate
  const ordinals = pair.ordinals?.descriptor ?? ''
  const ask = () => call('scanDevicePair', { descriptor, ordinals })
  // Without an answer nothing is said: the account works all the same.
  const { answer } = useQuery(ask, pair.id, [])
  const hasOthers = answer !== null && answer.others > 0
  if (isChosen)
    return (
      <>
        {hasOthers ? <Notice tone="caution">{words('addDevicePairOthers')}</Notice> : null}
        <Notice tone="info">{words('addDevicePairSigns')}</Notice>
      </>
    )
  return answer?.payment && answer.ordinals && !hasOthers ? (
    <Notice tone="info">{words('addDevicePairUsed', { name: nameChoice(pair) })}</Notice>
  ) : null
}

function nameChoice({ candidate: { policy, addressType }, ordinals }: KeyChoice): string {
  if (policy) return nameMultisig(policy)
  const name = nameAddressType(addressType)
  return ordinals ? `${name} + ${ADDRESS_TYPE_NAMES.p2tr}` : name
}

function describeChoice({ candidate, ordinals }: KeyChoice): string {
  if (candidate.policy) return candidate.name ?? ''
  return ordinals ? words('addAccountPairedNote') : originOf(candidate.descriptor)
}

function isSegwit({ addressType }: KeyCandidate): boolean {
  return addressType === 'p2wpkh' || addressType === 'p2sh-p2wpkh'
}

/** Who signs, as the descriptor says. */
function Signers({ descriptor }: { descriptor: string }) {
  const keys = listDescriptorKeys(parseDescriptor(descriptor)).filter(
    key => key.type === 'extended' && key.origin,
  )
  return (
    <section className={styles.firstAddresses}>
      <h2>{words('multisigSigners')}</h2>
      <dl className={factsStyles.facts}>
        {keys.map(({ origin }, at) => (
          <div key={`${origin?.fingerprint} ${origin?.path.join()}`}>
            <dt>{words('multisigSigner', { at: at + 1 })}</dt>
            <dd className={textStyles.mono}>
              {origin?.fingerprint}{' '}
              <span className={factsStyles.sub}>{formatKeyPath(origin?.path ?? [])}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Those on this network; throws an Error in words for a person. */
function listUsable(
  candidates: readonly KeyCandidate[],
  network: Network,
): readonly KeyCandidate[] {
  const usable = candidates.filter(({ policy }) => policy?.script !== 'p2sh')
  if (usable.length === 0) throw new Error(words('multisigTooOld'))
  const here = usable.filter(({ space }) => space === keySpaceOf(network))
  if (here.length === 0)
    throw new Error(words('addDeviceOtherNetwork', { network: NETWORK_NAMES[network] }))
  return here.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The usual kinds of addresses first. */
function placeOf({ addressType }: KeyCandidate): number {
  return addressType === null ? 0 : ['p2wpkh', 'p2tr', 'p2sh-p2wpkh', 'p2pkh'].indexOf(addressType)
}

const PROBLEM_WORDS: { [problem in InvalidKeyFileError['problem']]: WordKey } = {
  'too-large': 'addDeviceTooLarge',
  encrypted: 'addDeviceEncrypted',
  private: 'addDevicePrivate',
  unsupported: 'addDeviceUnsupported',
  malformed: 'addDeviceMalformed',
  unknown: 'addDeviceUnknown',
}

/** The key's origin as the descriptor writes it, `d34db33f/84h/0h/0h`. */
function originOf(descriptor: string): string {
  return /\[([^\]]*)\]/.exec(descriptor)?.[1] ?? ''
}

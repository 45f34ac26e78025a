import { type ReactNode, useState } from 'react'
import type { KeyAccountView } from '../../../background/views/account-views.ts'
import type { MessageProofDraft, TextToSign } from '../../../background/views/message-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { joinList } from '../../platform/join-words.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ChoiceGroup } from '../../ui/fields/choice.tsx'
import { SelectField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import factsStyles from '../../ui/styles/facts.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { AddressText, shortenAddress } from '../../ui/text/address-text.tsx'
import { sayName } from '../../ui/text/names.ts'
import { splitVisible } from '../../ui/text/visible-parts.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import styles from './messages.module.css'
import { TextArea } from './text-area.tsx'

type SignTextProps = {
  tabs: ReactNode
  state: WalletState
  onVerify: (proof: MessageProofDraft) => void
}

type Signer = { accountId: string; address: string; name: string }

/** Types a text, shows what will be signed, and then the signature. */
export function SignText({ tabs, state, onVerify }: SignTextProps) {
  const signers = state.accounts.filter(hasKey).flatMap(listSigners)
  const inUse = signers.find(({ accountId }) => accountId === state.accountId) ?? signers[0]
  const [chosen, setChosen] = useState(inUse?.address ?? '')
  const [message, setMessage] = useState('')
  const [type, setType] = useState<TextToSign['type']>('bip322')
  const [reviewed, setReviewed] = useState<TextToSign | null>(null)
  const [signed, setSigned] = useState<(TextToSign & { signature: string }) | null>(null)
  const task = useTask()
  // On another network, the accounts have other addresses.
  const signer = signers.find(({ address }) => address === chosen) ?? inUse

  if (signed) {
    const { address, signature } = signed
    return (
      <Screen
        head={<BackButton onBack={goBack} />}
        foot={
          <>
            <CopyButton variant="primary" text={signature} label={words('messagesCopySignature')} />
            <Button
              variant="secondary"
              onClick={() => onVerify({ message: signed.message, address, signature })}
            >
              {words('messagesVerifyIt')}
            </Button>
          </>
        }
      >
        <Title>{words('messagesSigned')}</Title>
        <Shown {...signed} />
        <h2 className={textStyles.muted}>{words('messagesSignature')}</h2>
        <p className={classNames(styles.text, textStyles.mono)} data-testid="signature">
          {signature}
        </p>
      </Screen>
    )
  }
  if (!signer)
    return (
      <Screen head={<BackButton onBack={goBack} />}>
        <Title>{words('messagesTitle')}</Title>
        {tabs}
        <Notice tone="info" title={words('messagesSignNone')}>
          {words('messagesSignNoneNote')}
        </Notice>
      </Screen>
    )
  if (reviewed && signers.some(({ address }) => address === reviewed.address)) {
    const sign = () =>
      task.run(async () => setSigned({ ...reviewed, ...(await call('signText', reviewed)) }))
    return (
      <FormScreen
        title={words('messagesReview')}
        lead={words('messagesReviewNote')}
        action={words('messagesSign')}
        onBack={() => {
          task.forget()
          setReviewed(null)
        }}
        onSubmit={() => void sign()}
        busy={task.busy}
        failure={task.failure}
      >
        <Shown {...reviewed} />
        {splitVisible(reviewed.message).some(part => part.kind === 'hidden') ? (
          <Notice tone="caution" title={words('signHidden')}>
            {words('signHiddenNote')}
          </Notice>
        ) : null}
      </FormScreen>
    )
  }
  const { accountId, address } = signer
  return (
    <FormScreen
      title={words('messagesTitle')}
      onBack={goBack}
      onSubmit={() => setReviewed({ accountId, message, address, type })}
      disabled={message === ''}
    >
      {tabs}
      <TextArea label={words('messagesText')} value={message} rows={5} onType={setMessage} />
      <SelectField
        label={words('messagesSignWith')}
        value={address}
        options={signers.map(one => ({
          value: one.address,
          name: joinList([one.name, shortenAddress(one.address)]),
        }))}
        onChoose={setChosen}
      />
      <ChoiceGroup
        label={words('messagesForm')}
        value={type}
        options={[
          { value: 'bip322', name: 'BIP-322', note: words('messagesFormNew') },
          { value: 'ecdsa', name: words('messagesFormLegacy'), note: words('messagesFormOld') },
        ]}
        onChoose={setType}
      />
    </FormScreen>
  )
}

/** What is signed, with every character that cannot be seen spelled out. */
function Shown({ message, address, type }: Pick<TextToSign, 'message' | 'address' | 'type'>) {
  return (
    <>
      <section
        className={styles.text}
        aria-label={words('messagesText')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box has to be reachable by keyboard
        tabIndex={0}
      >
        <VisibleText text={message} />
      </section>
      <dl className={factsStyles.facts}>
        <div>
          <dt>{words('messagesAddress')}</dt>
          <dd>
            <AddressText address={address} />
          </dd>
        </div>
        <div>
          <dt>{words('messagesForm')}</dt>
          <dd>{type === 'ecdsa' ? words('messagesFormLegacy') : 'BIP-322'}</dd>
        </div>
      </dl>
    </>
  )
}

function hasKey(account: WalletState['accounts'][number]): account is KeyAccountView {
  return (account.source === 'seed' || account.source === 'key') && !account.hidden
}

function listSigners({ id, name, address, ordinals }: KeyAccountView): Signer[] {
  const own = { accountId: id, name: sayName(name) }
  return [{ ...own, address }, ...(ordinals ? [{ ...own, address: ordinals.address }] : [])]
}

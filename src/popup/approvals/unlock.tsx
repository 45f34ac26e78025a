import { useEffect, useState } from 'react'
import type { PasskeyView } from '../../background/views/account-views.ts'
import type { UnlockReview } from '../../background/views/approval-views.ts'
import { UnlockForm } from '../forms/secrets/unlock-form.tsx'
import { call } from '../platform/rpc.ts'
import { richWords, type WordKey, words } from '../platform/words.ts'
import { WholeText } from '../review/whole-text.tsx'
import { Notice } from '../ui/notice.tsx'
import { Title } from '../ui/screen.tsx'
import textStyles from '../ui/styles/text.module.css'
import { describeOrigin } from '../ui/text/site-origin.ts'
import { spellVisible } from '../ui/text/visible-parts.ts'
import { ApprovalHead, type ApprovalScreenProps, AskedBy, RejectButton } from './approval-frame.tsx'
import { useDecision } from './use-decision.ts'

export type UnlockApprovalProps = ApprovalScreenProps & {
  review: UnlockReview
  /** Runs a try, and goes on to what waits where it was right. */
  onUnlock: <T extends { unlocked: boolean }>(attempt: () => Promise<T>) => Promise<T>
}

/** What waits behind the lock, by method. */
const EFFECTS: { [method: string]: WordKey } = {
  connect: 'unlockEffectConnect',
  requestAccounts: 'unlockEffectConnect',
  getPublicKey: 'unlockEffectPublicKey',
  getBalance: 'unlockEffectBalance',
  signMessage: 'unlockEffectSign',
  signMessages: 'unlockEffectSignMessages',
  sendBitcoin: 'unlockEffectSend',
  send: 'unlockEffectSend',
  sendTransfer: 'unlockEffectSend',
  sendInscription: 'unlockEffectInscription',
  transferNft: 'unlockEffectInscription',
  sendRunes: 'unlockEffectRunes',
  mintRune: 'unlockEffectMintRune',
  etchRune: 'unlockEffectEtchRune',
  splitUtxo: 'unlockEffectSplit',
  inscribe: 'unlockEffectBrc20',
  mint: 'unlockEffectInscribe',
  signPsbt: 'unlockEffectSignPsbt',
  signPsbts: 'unlockEffectSignPsbts',
  pushTx: 'unlockEffectPush',
  pushPsbt: 'unlockEffectPush',
  sendPsbt: 'unlockEffectPushMany',
  switchNetwork: 'unlockEffectNetwork',
  deriveContextHash: 'unlockEffectSecret',
}

/** The wallet is locked while a site waits; once it is open, the request itself comes up. */
export function UnlockApproval({ view, review, onDecide, onUnlock }: UnlockApprovalProps) {
  const { sent, failure, decide } = useDecision(onDecide)
  const [passkey, setPasskey] = useState<PasskeyView | null>(null)
  useEffect(() => {
    // Where the state cannot be had, there is the password.
    call('getState', null).then(
      state => setPasskey(state.passkey),
      () => {},
    )
  }, [])
  return (
    <UnlockForm
      delayMs={0}
      passkey={passkey}
      onPassword={password => onUnlock(() => call('unlock', { password }))}
      onPasskey={prf => onUnlock(() => call('unlockWithPasskey', { prf }))}
      head={<ApprovalHead view={view} />}
      beside={<RejectButton disabled={sent !== null} onReject={() => void decide('reject')} />}
    >
      <Title focus={false}>
        {richWords(EFFECTS[review.method] ?? 'unlockEffectOther', {
          site: <WholeText text={describeOrigin(view.origin).host} />,
          method: spellVisible(review.method).slice(0, 40),
        })}
      </Title>
      <AskedBy view={view} disabled={sent !== null} onBlock={() => void decide('block')} />
      <p className={textStyles.muted}>{words('unlockNotYet')}</p>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </UnlockForm>
  )
}

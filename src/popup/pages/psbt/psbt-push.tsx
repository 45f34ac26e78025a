import { CircleCheck, CircleHelp } from 'lucide-react'
import type { AccountView } from '../../../background/views/account-views.ts'
import type { PaymentResult } from '../../../background/views/payment-views.ts'
import type { LoadedPsbtPush } from '../../../background/views/psbt-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import resultStyles from '../../forms/payment-result.module.css'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { tellAssets } from '../../review/asset-words.tsx'
import { CoinProofs } from '../../review/coins/coin-proofs.tsx'
import { useConsents } from '../../review/consents.tsx'
import { describePush, PushBody } from '../../review/push-body.tsx'
import { ReviewScreen } from '../../review/review-screen.tsx'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyIconButton } from '../../ui/copy-button.tsx'
import { Screen, Title } from '../../ui/screen.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'

type PsbtPushReviewProps = {
  push: LoadedPsbtPush
  account: AccountView | undefined
  network: Network
  onBack: () => void
  onPushed: (result: PaymentResult) => void
}

/** What broadcasting does, before it is sent. */
export function PsbtPushReview({ push, ...props }: PsbtPushReviewProps) {
  const { id, digest, review } = push
  const { warnings, assets, netCost } = review
  const fee = review.fee === null ? null : BigInt(review.fee)
  const consents = useConsents([{ warnings, fee, assets }])
  const pushing = useTask()
  return (
    <ReviewScreen
      title={tellAssets(assets, describePush(BigInt(netCost), fee !== null))}
      account={props.account}
      network={props.network}
      digest={digest}
      verb={words('pushVerb')}
      back={words('commonCancel')}
      consents={consents}
      task={pushing}
      failed={words('psbtFileNotSent')}
      onBack={props.onBack}
      onApprove={() =>
        void pushing.run(async () => props.onPushed(await call('pushPsbt', { id, digest })))
      }
    >
      <p className={textStyles.muted}>{words('pushFinal')}</p>
      <PushBody transaction={review}>
        <CoinProofs transactions={[review]} />
      </PushBody>
    </ReviewScreen>
  )
}

/** What became of it: sent, or not known because no server answered. */
export function PsbtPushed({ result, onClose }: { result: PaymentResult; onClose: () => void }) {
  const { txid, outcome } = result
  const isSent = outcome === 'sent'
  const Icon = isSent ? CircleCheck : CircleHelp
  const leave = (path: string) => {
    onClose()
    navigate(path, { replace: true })
  }
  return (
    <Screen
      foot={
        <div className={layoutStyles.answers}>
          <Button variant="secondary" onClick={() => leave(`/activity/${txid}`)}>
            {words('sendSee')}
          </Button>
          <Button variant="primary" onClick={() => leave('/')}>
            {words('commonDone')}
          </Button>
        </div>
      }
    >
      <div
        className={classNames(resultStyles.outcome, isSent ? resultStyles.good : resultStyles.open)}
      >
        <Icon size={56} strokeWidth={1.5} aria-hidden />
        <Title>{words(isSent ? 'sendSent' : 'sendUnknown')}</Title>
        <p className={textStyles.muted}>{words(isSent ? 'sendSentNote' : 'sendUnknownNote')}</p>
        <div className={resultStyles.txid}>
          <span>
            <span className={textStyles.note}>{words('sendTxid')}</span>
            <span className={classNames(textStyles.mono, textStyles.small, textStyles.breakable)}>
              {txid}
            </span>
          </span>
          <CopyIconButton text={txid} label={words('sendCopyTxid')} />
        </div>
      </div>
    </Screen>
  )
}

import type { AccountView } from '../../../background/views/account-views.ts'
import type {
  LoadedPsbtReview,
  LoadedPsbtView,
  PsbtView,
} from '../../../background/views/psbt-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { CosignerProgress } from '../../forms/cosigner-progress.tsx'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { CoinProofs } from '../../review/coins/coin-proofs.tsx'
import { useConsents } from '../../review/consents.tsx'
import { PsbtBody } from '../../review/psbt/psbt-body.tsx'
import { describePsbt } from '../../review/psbt/psbt-words.tsx'
import { ReviewScreen } from '../../review/review-screen.tsx'
import { Dangers } from '../../review/warnings.tsx'
import { useTask } from '../../state/use-task.ts'

type PsbtReviewProps = {
  reviewed: LoadedPsbtReview
  account: AccountView | undefined
  network: Network
  onBack: () => void
  onSigned: (loaded: LoadedPsbtView) => void
}

/** What signing does, before it is signed. */
export function PsbtReview({ reviewed, ...props }: PsbtReviewProps) {
  const [psbt] = reviewed.review.items
  return psbt ? <ReviewOne {...props} reviewed={reviewed} psbt={psbt} /> : null
}

function ReviewOne({ reviewed, psbt, ...props }: PsbtReviewProps & { psbt: PsbtView }) {
  const { id, digest, review } = reviewed
  const fee = psbt.fee === null ? null : BigInt(psbt.fee.sats)
  const { warnings, assets } = psbt
  const consents = useConsents([{ warnings, fee, assets }], review.warnings)
  const signing = useTask()
  const isOnDevice = props.account?.source === 'device'
  return (
    <ReviewScreen
      title={describePsbt(psbt)}
      account={props.account}
      network={props.network}
      digest={digest}
      verb={words(isOnDevice ? 'deviceContinue' : 'signVerb')}
      back={words('commonCancel')}
      consents={consents}
      task={signing}
      failed={words('psbtFileNotSigned')}
      onBack={props.onBack}
      onApprove={() => {
        if (isOnDevice) return navigate(`/device/${id}.${digest}.psbt`)
        void signing.run(async () => props.onSigned(await call('signPsbt', { id, digest })))
      }}
    >
      <Dangers warnings={review.warnings} fee={fee} assets={assets} />
      <PsbtBody view={psbt}>
        <CoinProofs transactions={[psbt]} />
      </PsbtBody>
      {reviewed.cosigners ? <CosignerProgress cosigners={reviewed.cosigners} /> : null}
    </ReviewScreen>
  )
}

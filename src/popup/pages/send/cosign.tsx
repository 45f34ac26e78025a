import { Signature } from 'lucide-react'
import { useState } from 'react'
import type { CosigningView } from '../../../background/views/cosigning-views.ts'
import type { PaymentResult } from '../../../background/views/payment-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { toHex } from '../../../bitcoin/bytes.ts'
import type { ReadResult } from '../../../bitcoin/qr/part-reader.ts'
import { CosignerProgress } from '../../forms/cosigner-progress.tsx'
import { HandOver, Shown } from '../../forms/device/sign-on-device.tsx'
import { nameInWords } from '../../forms/name-words.ts'
import { PaymentResultScreen } from '../../forms/payment-result.tsx'
import { ScanPanel } from '../../forms/scan/scan-panel.tsx'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call, saveDraft } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useConsents } from '../../review/consents.tsx'
import { PaymentBody } from '../../review/payment-body.tsx'
import { ReviewScreen } from '../../review/review-screen.tsx'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { showToast } from '../../ui/toast.tsx'

/**
 * A payment on its way round the signers of the account. It has a path of its own, so that it goes on in a tab, where the camera
 * is, and days later.
 */
export function Cosign({ state }: PageProps) {
  const [, plan = ''] = useRoute()
  const [planId = '', digest = ''] = plan.split('.')
  // Each account has payments of its own.
  const subject = `${state.accountId} ${state.network} ${plan}`
  const { answer, problem, busy, retry } = useQuery(
    () => nameInWords(call('getCosigning', { planId, digest })),
    subject,
    ['cosignedPlans'],
  )
  const [result, setResult] = useState<PaymentResult | null>(null)
  const [sent, setSent] = useState<CosigningView | null>(null)
  if (sent && result) return <PaymentResultScreen review={sent.review} result={result} />
  if (answer)
    return (
      <Round
        key={subject}
        state={state}
        cosigning={answer}
        onSent={result => {
          setSent(answer)
          setResult(result)
        }}
      />
    )
  if (problem === null) return <ScreenSkeleton />
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('cosignTitle')}</Title>
      <RetryNotice
        tone="caution"
        problem={isShared(state) ? problem : words('deviceGone')}
        busy={busy}
        onRetry={retry}
      />
    </Screen>
  )
}

/** Whether the account in use has several signers. */
function isShared({ accounts, accountId }: WalletState): boolean {
  return accounts.find(({ id }) => id === accountId)?.source === 'multisig'
}

type RoundProps = {
  state: WalletState
  cosigning: CosigningView
  onSent: (result: PaymentResult) => void
}

function Round({ state, cosigning, onSent }: RoundProps) {
  const [added, setAdded] = useState(cosigning)
  // What was added here is told by the background too, a moment later; so is what another window has added.
  const current = added.signed > cosigning.signed ? added : cosigning
  const [isDropping, setDropping] = useState(false)
  const sending = useTask()
  const dropping = useTask()
  const consents = useConsents([])
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const { planId, digest, review, required, signed } = current
  const isReady = signed >= required
  const send = () =>
    sending.run(async () => {
      const result = await call('sendCosigned', { planId, digest })
      if (review.purpose === 'send') void saveDraft('draft', null)
      onSent(result)
    })
  const drop = () =>
    dropping.run(async () => {
      await call('dropCosigning', { planId })
      showToast(words('cosignDropped'))
      navigate('/', { replace: true })
    })
  return (
    <>
      <ReviewScreen
        title={words('cosignTitle')}
        account={account}
        network={state.network}
        digest={`${digest} ${isReady ? 'signed' : 'open'}`}
        verb={words(sending.busy ? 'sendSending' : 'reviewSend')}
        consents={{ ...consents, blocked: !isReady }}
        task={sending}
        failed={words('sendFailed')}
        back={words('commonBack')}
        onBack={goBack}
        onApprove={() => void send()}
      >
        <CosignerProgress cosigners={current} />
        {isReady ? (
          <>
            <Notice tone="info">{words('cosignEnough')}</Notice>
            <PaymentBody review={review} />
          </>
        ) : (
          <>
            {canSignHere(current) ? (
              <>
                <PaymentBody review={review} />
                <SignHere cosigning={current} onSigned={setAdded} />
                <p className={textStyles.muted}>{words('cosignLead')}</p>
              </>
            ) : (
              <>
                <p className={textStyles.muted}>{words('cosignLead')}</p>
                <Shown
                  task={{ pays: paysOf(current), fee: review.fee }}
                  title={words('cosignCompare')}
                />
              </>
            )}
            <HandOver
              key={`out ${signed}`}
              psbt={current.psbt}
              name={`satchel-${planId.slice(0, 8)}-${signed}-of-${required}`}
            />
            <BringBack cosigning={current} onSigned={setAdded} />
            <p className={textStyles.note}>{words('cosignKept')}</p>
          </>
        )}
        <Button variant="quiet" disabled={sending.busy} onClick={() => setDropping(true)}>
          {words('cosignDrop')}
        </Button>
      </ReviewScreen>
      {isDropping ? (
        <ConfirmDialog
          title={words('cosignDropTitle')}
          action={words('cosignDropDo')}
          busy={dropping.busy}
          failure={dropping.failure}
          onConfirm={() => void drop()}
          onClose={() => setDropping(false)}
        >
          <p>{words('cosignDropNote')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** Whether a key of this wallet's phrase can sign it, and has not. */
function canSignHere({ signers }: CosigningView): boolean {
  return signers.some(({ isOwn, hasSigned }) => isOwn && !hasSigned)
}

/** This wallet as one of the signers. */
function SignHere({ cosigning, onSigned }: BringBackProps) {
  const { planId, digest } = cosigning
  const signing = useTask()
  if (!canSignHere(cosigning)) return null
  const sign = () =>
    signing.run(async () => {
      onSigned(await call('signCosigning', { planId, digest }))
      showToast(words('cosignThere'))
    })
  return (
    <section className={layoutStyles.stack}>
      <p className={textStyles.muted}>{words('cosignOwnNote')}</p>
      {signing.failure ? (
        <Notice tone="danger" live>
          {signing.failure}
        </Notice>
      ) : null}
      <Button variant="secondary" busy={signing.busy} onClick={() => void sign()}>
        <Signature size={18} aria-hidden />
        {words('cosignOwnDo')}
      </Button>
    </section>
  )
}

type BringBackProps = {
  cosigning: CosigningView
  onSigned: (cosigning: CosigningView) => void
}

function BringBack({ cosigning: { planId, digest }, onSigned }: BringBackProps) {
  const [tries, setTries] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const adding = useTask()
  const take = async (result: ReadResult) => {
    // A panel reads once.
    setTries(tries + 1)
    const isSigned = result.kind === 'psbt' || result.kind === 'transaction'
    setFailure(isSigned ? null : words('deviceErrorMalformed'))
    if (!isSigned) return
    await adding.run(async () => {
      const returned = toHex(result.bytes)
      onSigned(await call('addCosignature', { planId, digest, returned }))
      showToast(words('cosignThere'))
    })
  }
  const problem = failure ?? adding.failure
  return (
    <section className={layoutStyles.stack}>
      <h2>{words('cosignBringBack')}</h2>
      <ScanPanel key={tries} onRead={result => void take(result)} />
      {problem ? (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      ) : null}
    </section>
  )
}

/** The outputs that are not the account's. */
function paysOf({ review }: CosigningView) {
  return review.outputs.flatMap(({ address, script, sats, own }) =>
    own ? [] : [{ address, script, sats }],
  )
}

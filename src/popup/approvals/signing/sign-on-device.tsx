import { useState } from 'react'
import type { SignOnDeviceReview } from '../../../background/views/device-views.ts'
import { joinReturned, nothingReturned, SignOnDevice } from '../../forms/device/sign-on-device.tsx'
import { words } from '../../platform/words.ts'
import { ApprovalFrame, type ApprovalScreenProps } from '../approval-frame.tsx'

type SignOnDeviceApprovalProps = ApprovalScreenProps & { review: SignOnDeviceReview }

/** What a site's request asks of the device that has the account's key; the person has approved it before. */
export function SignOnDeviceApproval({ view, review, onDecide }: SignOnDeviceApprovalProps) {
  const [returned, setReturned] = useState<readonly (string | null)[]>(nothingReturned(review))
  const input = joinReturned(returned)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('commonContinue')}
      effect={words('deviceTitle')}
      blocked={input === undefined}
      {...(input !== undefined && { input })}
    >
      <SignOnDevice review={review} returned={returned} onReturned={setReturned} />
    </ApprovalFrame>
  )
}

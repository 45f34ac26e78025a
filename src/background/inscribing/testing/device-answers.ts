import type { Review } from '../../views/approval-views.ts'
import type { SignOnDeviceReview } from '../../views/device-views.ts'

/** The review of what a device is to sign. */
export function readShown(review: Review): SignOnDeviceReview {
  if (review.kind !== 'sign-on-device') throw new Error(`expected sign-on-device: ${review.kind}`)
  return review
}

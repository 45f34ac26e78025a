import { invalidParams } from '../../provider/errors.ts'
import { scanAddresses as scan } from '../accounts/address-scan.ts'
import { checkPlace } from './checked-params.ts'
import type { UiMethod } from './ui-context.ts'

const MAX_COUNT = 40

export const scanAddresses: UiMethod<'scanAddresses'> = async ({ wallet }, range) => {
  const { count, from } = range
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT)
    throw invalidParams('count', count, `1 to ${MAX_COUNT}`)
  const { addressType, line } = checkPlace({ ...range, index: from + count - 1 })
  const first = checkPlace({ ...range, index: from })
  return scan(wallet, { addressType, line, from: first.index, count })
}

import { invalidParams } from '../../provider/errors.ts'
import { fetchActivityPage } from '../activity-page.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

const MAX_LIMIT = 200

export const getActivity: UiMethod<'getActivity'> = async ({ wallet }, { offset, limit }) => {
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw invalidParams('offset', offset, 'a whole number from 0')
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalidParams('limit', limit, `a whole number from 1 to ${MAX_LIMIT}`)
  const { network, account } = await loadSelected(wallet)
  return fetchActivityPage(wallet, network, account, { offset, limit })
}

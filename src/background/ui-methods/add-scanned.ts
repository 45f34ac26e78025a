import { invalidParams } from '../../provider/errors.ts'
import { checkPlace } from './params.ts'
import type { UiMethod } from './ui-context.ts'

const MAX_FOUND = 500

export const addScanned: UiMethod<'addScanned'> = async ({ wallet }, { found }) => {
  if (!Array.isArray(found) || found.length > MAX_FOUND)
    throw invalidParams('found', found, `at most ${MAX_FOUND} places`)
  return wallet.accounts.addPlaces(found.map(checkPlace))
}

import { parseAtomicalId } from '../../ordinals/atomical-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import { fetchAtomicalDetail } from '../collectibles/atomicals.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getAtomical: UiMethod<'getAtomical'> = async ({ wallet }, params) => {
  const id = parseAtomicalIdParam(params.id)
  const { network, account } = await loadSelected(wallet)
  return fetchAtomicalDetail(wallet, account, network, id)
}

/** The id of an Atomical from a page of ours. Throws -32602. */
export function parseAtomicalIdParam(value: unknown): string {
  if (typeof value === 'string' && parseAtomicalId(value)) return value
  throw invalidParams('id', value, 'the id of an Atomical')
}

import { invalidParams } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

export const saveContact: UiMethod<'saveContact'> = async ({ wallet }, { id, name, address }) => {
  if (id !== null && typeof id !== 'string') throw invalidParams('id', id, 'a string or null')
  if (typeof name !== 'string') throw invalidParams('name', name, 'a string')
  if (typeof address !== 'string') throw invalidParams('address', address, 'a string')
  return wallet.contacts.save(id, name, address)
}

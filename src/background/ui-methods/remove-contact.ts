import { invalidParams } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

export const removeContact: UiMethod<'removeContact'> = async ({ wallet }, { id }) => {
  if (typeof id !== 'string') throw invalidParams('id', id, 'a string')
  await wallet.contacts.remove(id)
  return null
}

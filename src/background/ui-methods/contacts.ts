import { invalidParams } from '../../provider/errors.ts'
import type { Contacts } from '../accounts/contacts.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type ContactMethodParts = { contacts: Contacts }

/** The address book. What a name and an address may be is checked by the store. Nothing here asks a server. */
export const contactMethods = {
  getContacts: ({ wallet }) => wallet.contacts.list(),

  async saveContact({ wallet }, { id, name, address }) {
    if (id !== null && typeof id !== 'string') throw invalidParams('id', id, 'a string or null')
    if (typeof name !== 'string') throw invalidParams('name', name, 'a string')
    if (typeof address !== 'string') throw invalidParams('address', address, 'a string')
    return wallet.contacts.save(id, name, address)
  },

  async removeContact({ wallet }, { id }) {
    if (typeof id !== 'string') throw invalidParams('id', id, 'a string')
    await wallet.contacts.remove(id)
    return null
  },
} satisfies UiMethodsOf<ContactMethodParts>

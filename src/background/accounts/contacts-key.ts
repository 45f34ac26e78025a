/** Where the address book is stored; the worker starts with this, and not with what reads and writes it. */
export const CONTACTS_KEY = 'contacts'

import type { UiMethod } from './ui-context.ts'

export const getContacts: UiMethod<'getContacts'> = ({ wallet }) => wallet.contacts.list()

import type { ProviderEvent } from '../../src/provider/envelope.ts'
import type { Schema } from './json-schema.ts'
import { Account, Accounts, NetworkName } from './result-schemas.ts'

export type EventDescription = {
  readonly summary: string
  /** What a handler is called with. */
  readonly args: readonly { readonly name: string; readonly schema: Schema }[]
  readonly specified: boolean
}

/** Only connected sites get events. */
export const EVENTS: { [Event in ProviderEvent]: EventDescription } = {
  accountChanged: {
    summary: 'The site is connected to another account now, or to one again.',
    args: [{ name: 'account', schema: Account }],
    specified: true,
  },
  accountsChanged: {
    summary:
      'The exposed address changed; an empty list when the site is not connected any more or the wallet is locked.',
    args: [{ name: 'accounts', schema: Accounts }],
    specified: true,
  },
  networkChanged: {
    summary: 'The person changed the network; the account of it follows.',
    args: [{ name: 'network', schema: NetworkName }],
    specified: false,
  },
  connect: {
    summary: 'The site is connected to an account now, before which it was to none.',
    args: [{ name: 'account', schema: Account }],
    specified: false,
  },
  disconnect: {
    summary: 'The site is not connected any more, or the wallet is locked.',
    args: [],
    specified: false,
  },
}

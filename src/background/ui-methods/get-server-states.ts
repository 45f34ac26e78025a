import type { UiMethod } from './ui-context.ts'

export const getServerStates: UiMethod<'getServerStates'> = async ({ wallet }) =>
  wallet.servers.states(await wallet.accounts.network())

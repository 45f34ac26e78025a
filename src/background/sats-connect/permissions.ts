import { parseList } from '../../provider/params.ts'
import type { SatsConnectRequest } from './request.ts'

export const MAX_PERMISSIONS = 100

/** There is one leave to give, and it holds all that a page can ask for: the connection. */
export const requestPermissions: SatsConnectRequest = async ({ call }, params) => {
  parseList('params', params, MAX_PERMISSIONS)
  await call('connect')
  return true
}

/** None for a page that is not connected. */
export const getCurrentPermissions: SatsConnectRequest = async ({ call, origin: clientId }) => {
  const addresses = await call('getAccounts')
  return addresses.flatMap(address => [
    { type: 'account', resourceId: `account-${address}`, clientId, actions: { read: true } },
    { type: 'wallet', resourceId: 'wallet', clientId, actions: { readNetwork: true } },
  ])
}

/** Ends the connection; `wallet_disconnect` means the same. */
export const renouncePermissions: SatsConnectRequest = ({ call }) => call('disconnect')

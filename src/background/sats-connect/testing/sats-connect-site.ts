import * as newest from '@sats-connect/core'
import * as current from 'sats-connect'
import { expect } from 'vitest'
import type { Response } from '../../../provider/envelope.ts'
import type { SatsConnectName } from '../../../provider/sats-connect-names.ts'
import type { openPage } from '../../testing/test-wallet.ts'

export type Page = Pick<ReturnType<typeof openPage>, 'call' | 'send'>

/** The library has types alone of what these resolve. */
type Unchecked = 'runes_estimateMint' | 'runes_estimateEtch'

/** The names of the library's own schemas of results; the older version lacks one. */
const SCHEMAS: { [name in Exclude<SatsConnectName, Unchecked>]: string } = {
  getInfo: 'getInfoResultSchema',
  getAddresses: 'getAddressesResultSchema',
  getAccounts: 'getAccountsResultSchema',
  getBalance: 'getBalanceResultSchema',
  signMessage: 'signMessageResultSchema',
  signMultipleMessages: 'signMultipleMessagesResultSchema',
  signPsbt: 'signPsbtResultSchema',
  sendTransfer: 'sendTransferResultSchema',
  wallet_connect: 'connectResultSchema',
  wallet_disconnect: 'disconnectResultSchema',
  wallet_getAccount: 'getAccountResultSchema',
  wallet_getNetwork: 'getNetworkResultSchema',
  wallet_changeNetwork: 'changeNetworkResultSchema',
  wallet_getWalletType: 'getWalletTypeResultSchema',
  wallet_requestPermissions: 'requestPermissionsResultSchema',
  wallet_getCurrentPermissions: 'getCurrentPermissionsResultSchema',
  wallet_renouncePermissions: 'renouncePermissionsResultSchema',
  ord_getInscriptions: 'getInscriptionsResultSchema',
  ord_sendInscriptions: 'sendInscriptionsResultSchema',
  runes_getBalance: 'runesGetBalanceResultSchema',
  runes_transfer: 'runesTransferResultSchema',
  runes_mint: 'runesMintResultSchema',
  runes_etch: 'runesEtchResultSchema',
}

const ONLY_NEWEST: SatsConnectName[] = ['signMultipleMessages']

type Schema = { '~standard': { validate(value: unknown): { issues?: unknown } } }

/** Sends a request as the in-page script does. */
export function ask(page: Page, name: string, params: unknown = null): Promise<Response> {
  return page.call(`satsConnect.${name}`, params)
}

/** The result of an answer, which must be one that both versions of the library take. */
export function readResult<T = unknown>(name: keyof typeof SCHEMAS, response: Response): T {
  if (!('result' in response)) throw new Error(`${name}: ${JSON.stringify(response)}`)
  const versions = ONLY_NEWEST.includes(name) ? [newest] : [newest, current]
  for (const library of versions) {
    const schema = (library as unknown as Record<string, Schema>)[SCHEMAS[name]]
    if (!schema) throw new Error(`No schema of ${name}`)
    expect(schema['~standard'].validate(response.result).issues, name).toBeUndefined()
  }
  return response.result as T
}

/** For requests that ask nobody. */
export async function askResult<T = unknown>(
  page: Page,
  name: keyof typeof SCHEMAS,
  params: unknown = null,
): Promise<T> {
  return readResult<T>(name, await ask(page, name, params))
}

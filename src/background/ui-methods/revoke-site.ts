import { isNetwork } from '../../bitcoin/network.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'

/** The site's pages hear of it at once, and its requests that wait end with 4100. */
export const revokeSite: UiMethod<'revokeSite'> = async ({ wallet }, { origin, grant }) => {
  if (typeof origin !== 'string') throw invalidParams('origin', origin, 'an origin')
  if (grant === null) await wallet.sites.revokeAll(origin)
  else {
    const { accountId, network } = Object(grant)
    if (typeof accountId !== 'string') throw invalidParams('accountId', accountId, 'an id')
    if (!isNetwork(network)) throw invalidParams('network', network, 'a network')
    await wallet.sites.revoke(origin, accountId, network)
  }
  wallet.announce()
  return null
}

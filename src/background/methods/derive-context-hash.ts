import type { Signer } from '../keys/signer.ts'
import { assertKeyHere } from '../keys/signing-device.ts'
import { askAlways, type Method } from '../requests/method.ts'

/** Makes a secret for the site that the connected account can make again at any time. */
export const deriveContextHash: Method<
  'deriveContextHash',
  { signer: Pick<Signer, 'deriveContextHash'> }
> = {
  access: 'connected',
  isSecret: true,
  answer: askAlways,
  ask: async (context, params) => {
    const { wallet, account, network, origin } = context
    assertKeyHere(account, 'a secret for a site')
    const isNameInHost = isInHost(params.appName, origin)
    await context.approve({ kind: 'derive-context-hash', ...params, isNameInHost })
    return wallet.signer.deriveContextHash({ accountId: account.id, network, ...params })
  },
}

/**
 * Whether the first word of a name stands in the host of an origin. A hint for the person and no proof: any site may give
 * any name, and gets the same secret for it.
 */
function isInHost(appName: string, origin: string): boolean {
  const word = appName.split('-').find(({ length }) => length >= 3)
  return word !== undefined && new URL(origin).hostname.includes(word)
}

import type { Signer } from '../keys/signer.ts'
import { askAlways, assertConnected, type Method } from '../requests/method.ts'

/** Signs a text with the connected account; `from`, where given, must be its address. */
export const signMessage: Method<'signMessage', { signer: Pick<Signer, 'signMessage'> }> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { message, type, from }) => {
    const { wallet, account, network } = context
    if (from !== null) assertConnected(context, from)
    await context.approve({ kind: 'sign-message', message, type })
    return wallet.signer.signMessage({ accountId: account.id, network, message, type })
  },
}

import { unauthorized } from '../../provider/errors.ts'
import { askAlways, type Method } from '../method.ts'

/** Signs a text with the connected account; `from`, where given, must be its address. */
export const signMessage: Method<'signMessage'> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, { message, type, from }) => {
    const { wallet, account, network } = context
    if (from !== null && from !== account.address) {
      throw unauthorized(`from: ${from} is not the connected address.`)
    }
    await context.approve({ kind: 'sign-message', message, type })
    return wallet.signer.signMessage({ accountId: account.id, network, message, type })
  },
}

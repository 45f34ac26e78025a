import Wallet, {
  addListener,
  getProviders,
  isProviderInstalled,
  request,
  setDefaultProvider,
} from 'sats-connect'
import { expose } from './expose.ts'

const PROVIDER = 'satchel.satsConnect'

/** By what the library resolves, which never throws for an answer of the wallet. */
export type SatsConnectAnswer =
  | { status: 'success'; result: unknown }
  | { status: 'error'; error: { code: number; message: string; data?: unknown } }

const events: unknown[] = []
const unsubscribe: (() => void)[] = []
const note = (event: unknown) => {
  events.push(event)
}

export const satsConnect = expose({
  isInstalled: () => isProviderInstalled(PROVIDER),
  listProviders: () =>
    getProviders().map(({ id, name, icon, methods }) => ({ id, name, icon, methods })),
  request: async (method: string, params: unknown): Promise<SatsConnectAnswer> =>
    (await request(method as 'getBalance', params as null, PROVIDER)) as SatsConnectAnswer,
  /** The same of the library's wallet of its own, which has been pointed here. */
  async requestOfWallet(method: string, params: unknown): Promise<SatsConnectAnswer> {
    setDefaultProvider(PROVIDER)
    return (await Wallet.request(method as 'getBalance', params as null)) as SatsConnectAnswer
  },
  disconnectWallet: () => Wallet.disconnect(),
  /** In both forms that the library has. */
  listen() {
    unsubscribe.push(
      addListener({ eventName: 'accountChange', cb: note }, PROVIDER),
      addListener('networkChange', note, PROVIDER),
      addListener('disconnect', note, PROVIDER),
    )
  },
  unlisten() {
    for (const end of unsubscribe) end()
  },
  readEvents: () => events,
})

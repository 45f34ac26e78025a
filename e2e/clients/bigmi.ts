import {
  type Config,
  connect,
  createConfig,
  disconnect,
  getAccount,
  getConnectorClient,
  okx,
  reconnect,
  watchAccount,
} from '@bigmi/client'
import { bitcoin, ChainId, defineChain, http, signPsbt } from '@bigmi/core'
import { expose } from './expose.ts'

/** The library takes addresses of regtest for Signet's. */
const regtest = defineChain({ ...bitcoin, id: ChainId.BITCOIN_SIGNET, name: 'Regtest' })
// Its own functions take a less exact type than the one that they are given.
const config = createConfig({
  chains: [regtest],
  transports: { [ChainId.BITCOIN_SIGNET]: http() },
  connectors: [okx()],
}) as unknown as Config
const [connector] = config.connectors
if (!connector) throw new Error('There is no connector')

const changes: { status: string; address: string | null }[] = []
watchAccount(config, {
  onChange: ({ status, account }) => {
    changes.push({ status, address: account?.address ?? null })
  },
})

/** The account in use as the library tells its page. */
const readState = () => {
  const { status, account } = getAccount(config)
  return { status, address: account?.address ?? null, publicKey: account?.publicKey ?? null }
}

export const bigmi = expose({
  connect: async () => (await connect(config, { connector })).accounts,
  /** What a page does when it is opened: it may not ask anybody. */
  reconnect: async () => (await reconnect(config)).map(({ accounts }) => accounts),
  readState,
  /** Each account that the library told of, and why. */
  readChanges: () => changes,
  async signPsbt(psbt: string, inputsToSign: { address: string; signingIndexes: number[] }[]) {
    const client = await getConnectorClient(config)
    return signPsbt(client, { psbt, inputsToSign, finalize: false })
  },
  disconnect: () => disconnect(config),
})

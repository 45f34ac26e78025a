import { versions } from '@rango-dev/provider-okx'
import { createStore } from '@rango-dev/wallets-core/store'
import { TransactionType, type Transfer } from 'rango-types'
import { expose } from './expose.ts'

const built = versions().find(([version]) => version === '1.0.0')
if (built?.[0] !== '1.0.0') throw new Error('There is no provider')
const [, provider] = built
provider.store(createStore())
const utxo = provider.get('utxo')
if (!utxo) throw new Error('There is no namespace of Bitcoin')

export const rango = expose({
  /** Looks for the wallet, as an application does when it starts. */
  init() {
    provider.init()
    return provider.state()[0]().installed
  },
  canEagerConnect: () => utxo.canEagerConnect(),
  connect: () => utxo.connect(),
  readState() {
    const [getState] = utxo.state()
    return { accounts: getState('accounts'), isConnected: getState('connected') }
  },
  /** Signs with the signer that the provider hands to an application, which also broadcasts. */
  async signAndSend(unsignedPsbtBase64: string, address: string, signingIndexes: number[]) {
    const metadata = provider.info()?.metadata
    const signers = metadata?.properties?.find(({ name }) => name === 'signers')
    if (signers?.name !== 'signers') throw new Error('There are no signers')
    const signer = (await signers.value.getSigners()).getSigner(TransactionType.TRANSFER)
    const transfer = {
      asset: { blockchain: 'BTC' },
      psbt: { unsignedPsbtBase64, inputsToSign: [{ address, signingIndexes }] },
    } as unknown as Transfer
    return (await signer.signAndSendTx(transfer, address, null)).hash
  },
  disconnect: () => utxo.disconnect(),
})

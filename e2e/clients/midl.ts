import { okxConnector } from '@midl/connectors'
import {
  AddressPurpose,
  connect,
  createConfig,
  disconnect,
  MempoolSpaceProvider,
  regtest,
  SignMessageProtocol,
  signMessage,
  signPSBT,
  transferBTC,
} from '@midl/core'
import { expose } from './expose.ts'

/** Of devnet, which serves what mempool.space does. */
const server = new URLSearchParams(location.search).get('server') ?? ''
const provider = new MempoolSpaceProvider(
  { mainnet: '', testnet: '', testnet4: '', signet: '', regtest: server },
  { mainnet: '', testnet: '', testnet4: '', signet: '', regtest: '' },
)
const config = createConfig({ networks: [regtest], connectors: [okxConnector()], provider })

export const midl = expose({
  connect: () => connect(config, { purposes: [AddressPurpose.Ordinals, AddressPurpose.Payment] }),
  signMessage: (address: string, message: string, protocol: 'ECDSA' | 'BIP322') =>
    signMessage(config, {
      address,
      message,
      protocol: protocol === 'ECDSA' ? SignMessageProtocol.Ecdsa : SignMessageProtocol.Bip322,
    }),
  signPsbt: (psbt: string, signInputs: { [address: string]: number[] }) =>
    signPSBT(config, { psbt, signInputs }),
  /** Chooses coins by the server, has the PSBT signed, finalizes and broadcasts it itself. */
  transfer: async (receiver: string, amount: number) =>
    (
      await transferBTC(config, {
        transfers: [{ receiver, amount }],
        feeRate: 2,
        publish: true,
      })
    ).tx,
  readAccounts: () => config.getState().accounts ?? [],
  disconnect: () => disconnect(config),
})

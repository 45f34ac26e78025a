import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { expose } from './expose.ts'

/** The features of the standard's Bitcoin part, of which no package has the types. */
type Features = {
  'bitcoin:connect': {
    connect(input: { purposes: readonly string[] }): Promise<{ accounts: readonly WalletAccount[] }>
  }
  'bitcoin:signMessage': {
    signMessage(
      ...inputs: { account: WalletAccount; message: Uint8Array }[]
    ): Promise<{ signedMessage: Uint8Array; signature: Uint8Array }[]>
  }
  'bitcoin:signTransaction': {
    signTransaction(...inputs: Signing[]): Promise<{ signedPsbt: Uint8Array }[]>
  }
  'bitcoin:signAndSendTransaction': {
    signAndSendTransaction(...inputs: (Signing & { chain: string })[]): Promise<{ txId: string }[]>
  }
  'standard:events': {
    on(event: 'change', listener: (change: Partial<Wallet>) => void): () => void
  }
  'standard:disconnect': { disconnect(): Promise<void> }
}
type Signing = {
  psbt: Uint8Array
  inputsToSign: { account: WalletAccount; signingIndexes: number[] }[]
}

const CHAIN = 'bitcoin:regtest'
const { get, on } = getWallets()
const late: string[] = []
on('register', (...wallets) => {
  for (const { name } of wallets) late.push(name)
})
const changes: string[][] = []
let forget = () => {}

/** As an app finds it that knows the names of no wallets. */
function findWallet(): Wallet & { features: Features } {
  const wallet = get().find(({ features }) => 'bitcoin:connect' in features)
  if (!wallet) throw new Error('There is no wallet for Bitcoin')
  return wallet as Wallet & { features: Features }
}

function account(): WalletAccount {
  const [first] = findWallet().accounts
  if (!first) throw new Error('The wallet tells of no account')
  return first
}

function describe({ address, publicKey, chains, ...rest }: WalletAccount) {
  const purpose = 'purpose' in rest ? rest.purpose : null
  return { address, publicKey: Buffer.from(publicKey).toString('hex'), chains, purpose }
}

const signingOf = (psbt: string): Signing => ({
  psbt: Buffer.from(psbt, 'hex'),
  inputsToSign: [{ account: account(), signingIndexes: [0] }],
})

export const walletStandard = expose({
  describe() {
    const { name, version, icon, chains, features } = findWallet()
    return { name, version, icon, chains, features: Object.keys(features) }
  },
  /** Names of all wallets that there were at the start, and of those that came later. */
  listNames: () => ({ all: get().map(({ name }) => name), late }),
  readAccounts: () => findWallet().accounts.map(describe),
  connect: async (purposes: string[]) =>
    (await findWallet().features['bitcoin:connect'].connect({ purposes })).accounts.map(describe),
  async signMessage(message: string) {
    const bytes = new TextEncoder().encode(message)
    const { signMessage } = findWallet().features['bitcoin:signMessage']
    const [signed] = await signMessage({ account: account(), message: bytes })
    if (!signed) throw new Error('There is no signature')
    return {
      signedMessage: new TextDecoder().decode(signed.signedMessage),
      signature: Buffer.from(signed.signature).toString('base64'),
    }
  },
  /** PSBTs in hex, of each the first input. */
  async signTransaction(...psbts: string[]) {
    const { signTransaction } = findWallet().features['bitcoin:signTransaction']
    const signed = await signTransaction(...psbts.map(signingOf))
    return signed.map(({ signedPsbt }) => Buffer.from(signedPsbt).toString('hex'))
  },
  async signAndSend(...psbts: string[]) {
    const { signAndSendTransaction } = findWallet().features['bitcoin:signAndSendTransaction']
    const inputs = psbts.map(psbt => ({ ...signingOf(psbt), chain: CHAIN }))
    return (await signAndSendTransaction(...inputs)).map(({ txId }) => txId)
  },
  watch() {
    forget = findWallet().features['standard:events'].on('change', ({ accounts }) => {
      changes.push((accounts ?? []).map(({ address }) => address))
    })
  },
  unwatch: () => forget(),
  /** The addresses of each change that was told. */
  readChanges: () => changes,
  disconnect: () => findWallet().features['standard:disconnect'].disconnect(),
})

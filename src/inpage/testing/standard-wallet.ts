import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { AccountInfo } from '../../provider/envelope.ts'
import { createStandardWallet } from '../wallet-standard.ts'
import { type Answer, openTestChannel } from './test-channel.ts'

export const KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
export const TAPROOT = 'bcrt1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqzyyhvf'
export const SEGWIT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
export const psbt = Uint8Array.from([0x70, 0x73, 0x62, 0x74, 0xff, 0x01])

export const describeAccount = (address: string): AccountInfo => ({
  address,
  publicKey: KEY,
  compressedPublicKey: KEY,
})
export const taproot = { state: { account: describeAccount(TAPROOT), network: 'regtest' } }
export const segwit = { state: { account: describeAccount(SEGWIT), network: 'regtest' } }
export const nobody = { state: { account: null, network: 'regtest' } }

type Method = (...inputs: unknown[]) => Promise<never>
export type Features = { [feature: string]: { [method: string]: Method } & { version: string } }
export type Purposeful = WalletAccount & { purpose?: string }

export function openWallet(answer?: Answer) {
  const wallet = openTestChannel(answer)
  const standard: Wallet = createStandardWallet(wallet.channel)
  const use = (name: string, ...inputs: unknown[]): Promise<never> => {
    const [, method = ''] = name.split(':')
    return (standard.features as Features)[name]?.[method]?.(...inputs) as Promise<never>
  }
  const onChange = (
    name: string,
    listener: (change: { accounts: readonly Purposeful[] }) => void,
  ) => {
    const events = (standard.features as Features)[name]
    return events?.on?.('change', listener) as unknown as () => void
  }
  return { ...wallet, standard, use, onChange }
}

/** A wallet that a page is connected to, which answers what it is asked. */
export function openConnected(answer: Answer, state = taproot) {
  const wallet = openWallet(answer)
  wallet.tell(state)
  return { ...wallet, account: wallet.standard.accounts[0] as WalletAccount }
}

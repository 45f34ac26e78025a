import type { Dapp, Wallet } from '../driver.ts'
import { connectPage, resultOf } from '../world.ts'
import { type Coin, fetchCoins, type Owner } from './coins.ts'

/** A connected page of a wallet, and the account that it sees. */
export type Trader = {
  wallet: Wallet
  dapp: Dapp
  owner: Owner
  /** Of the account, the largest first. */
  coins(): Promise<Coin[]>
  /** Confirmed and waiting sats as the page is told. */
  balance(): Promise<number>
  /** What signPsbt gives for these parameters once the person has approved, and what stood on the screen. */
  sign(params: readonly unknown[], consent?: string): Promise<{ psbt: string; screen: string }>
}

/** Chooses an account, such as `Account 1 Taproot`, and connects a page of the site to it. */
export async function seatTrader(
  wallet: Wallet,
  account: string,
  { site, esploraUrl }: { site: string; esploraUrl: string },
): Promise<Trader> {
  await wallet.chooseAccount(account)
  const dapp = await connectPage(wallet, site)
  const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
  const owner = { address, publicKey: await resultOf<string>(dapp.request('getPublicKey')) }
  return {
    wallet,
    dapp,
    owner,
    coins: () => fetchCoins(esploraUrl, owner),
    balance: async () => (await resultOf<{ total: number }>(dapp.request('getBalance'))).total,
    async sign(params, consent) {
      const signing = dapp.request('signPsbt', ...params)
      const screen = await approve(wallet, consent)
      return { psbt: await resultOf<string>(signing), screen }
    },
  }
}

/**
 * Approves the request that waits, ticking the box of one danger where it is named, once it shows what comes later than
 * itself where that is named; gives what the screen said.
 */
export async function approve(wallet: Wallet, consent?: string, awaited?: string): Promise<string> {
  const approval = await wallet.nextApproval()
  if (awaited !== undefined) await approval.waitForText(awaited)
  const screen = `${approval.title}\n${await approval.text()}`
  if (consent !== undefined) await approval.clickTestId(`confirm-${consent}`)
  await approval.approve()
  await wallet.waitForNoApproval()
  return screen
}

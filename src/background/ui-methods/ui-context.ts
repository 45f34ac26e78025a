import type { Network } from '../../bitcoin/network.ts'
import { unauthorized } from '../../provider/errors.ts'
import type { AccountView } from '../views/account-views.ts'
import type { UiMethodName, UiMethods } from '../views/ui-methods.ts'
import type { Wallet } from '../wallet.ts'

/** What a method of our own pages works with; `Parts` are the parts of the wallet that it uses. */
export type UiContext<Parts = Wallet> = {
  wallet: Parts
  /** `n` bytes from crypto.getRandomValues. */
  random(n: number): Uint8Array
}

/** Parts of the wallet by their names. */
export type WalletParts<Name extends keyof Wallet> = Pick<Wallet, Name>

/** The parts of the wallet that a function of another room takes as its first argument. */
export type PartsOf<F extends (wallet: never, ...rest: never[]) => unknown> = Parameters<F>[0]

/** The handler of one method: parameters come as our page sent them, unchecked. */
export type UiMethod<M extends UiMethodName, Parts = Wallet> = (
  context: UiContext<Parts>,
  params: Parameters<UiMethods[M]>[0],
) => Promise<ReturnType<UiMethods[M]>>

/** Some of the methods, for a file that holds those of one noun. */
export type UiMethodsOf<Parts> = { [M in UiMethodName]?: UiMethod<M, Parts> }

/** All of the methods. */
export type UiMethodTable = { [M in UiMethodName]: UiMethod<M> }

/** The network and the account in use. Throws 4100 while the wallet is locked. */
export async function loadSelected({
  accounts,
}: WalletParts<'accounts'>): Promise<{ network: Network; account: AccountView }> {
  const network = await accounts.network()
  const account = await accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked.')
  return { network, account }
}

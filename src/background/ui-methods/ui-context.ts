import type { Network } from '../../bitcoin/network.ts'
import { unauthorized } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { AccountView } from '../views/account-views.ts'
import type { UiMethodName, UiMethods } from '../views/ui-methods.ts'
import { parseText } from './params.ts'

/** What a method of our own pages works with: the parts of the wallet that it uses, and random bytes. */
export type UiContext<Parts> = { wallet: Parts; random: RandomSource }

/** The handler of one method. Parameters come as our page sent them, unchecked. */
export type UiMethod<M extends UiMethodName, Parts> = (
  context: UiContext<Parts>,
  params: Parameters<UiMethods[M]>[0],
) => Promise<ReturnType<UiMethods[M]>>

/** All methods. */
export type UiMethodTable<Parts> = { [M in UiMethodName]: UiMethod<M, Parts> }

/** Some of the methods, for a file that holds those of one noun. */
export type UiMethodsOf<Parts> = Partial<UiMethodTable<Parts>>

/** The part of the wallet that knows the account in use. */
export type SelectionParts = { accounts: Pick<Accounts, 'network' | 'selected'> }

/** Which phrase is meant: the one that is named, or that of the account in use; null for the first one. */
export async function choosePhrase(
  { accounts }: { accounts: Pick<Accounts, 'phraseInUse'> },
  phraseId: unknown,
): Promise<string | null> {
  return phraseId === undefined ? accounts.phraseInUse() : parseText('phraseId', phraseId)
}

/** The network and the account in use. Throws 4100 while the wallet is locked. */
export async function loadSelected({
  accounts,
}: SelectionParts): Promise<{ network: Network; account: AccountView }> {
  const network = await accounts.network()
  const account = await accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked.')
  return { network, account }
}

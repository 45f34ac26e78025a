import type { Network } from '../../bitcoin/network.ts'
import { ProviderError, unauthorized, userRejected, wrongNetwork } from '../../provider/errors.ts'
import type { MethodName } from '../../provider/method-names.ts'
import { type Accounts, canSign } from '../accounts/accounts.ts'
import { accountChanged, notForSites } from '../keys/account-errors.ts'
import type { Vault } from '../keys/vault.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { Approvals } from './approvals.ts'
import type { ChoiceContext, Method } from './method.ts'
import { isAgreed } from './questions.ts'
import type { Requests, StoredRequest } from './requests.ts'
import type { Sites } from './sites.ts'

/** The parts of the wallet that say who may ask, and where the person is asked. */
export type AuthorisationParts = {
  vault: Pick<Vault, 'status'>
  accounts: Pick<Accounts, 'network' | 'selected'>
  sites: Pick<Sites, 'isGranted' | 'isKnown'>
  requests: Pick<Requests, 'load' | 'require' | 'update'>
  approvals: Pick<Approvals, 'ask' | 'settle'>
}

/** Whether an operation needs a grant, and whether it needs an account that sites can be connected to. */
export type FindAccess = (
  method: MethodName,
) => Promise<{ method: Pick<Method<MethodName>, 'access'> & { askToChoose?: unknown } }>

/** What a method works with; `account` is null where it has the person choose one. */
type Authorised<Parts> = ChoiceContext<Parts> & { account: SigningAccountView | null }

/**
 * Pins a stored request to the account and network in use, after the person has unlocked the wallet if need be, and
 * gives the method what it works with; `isAttached` says whether a page waits for it. Throws 4100 when the origin may not ask this account, or no longer may; 4200 when
 * the request is for another network than the person chose meanwhile.
 */
export async function authorise<Parts extends AuthorisationParts>(
  wallet: Parts,
  find: FindAccess,
  key: string,
  isAttached: () => boolean,
): Promise<Authorised<Parts>> {
  const record = await wallet.requests.require(key)
  while ((await wallet.vault.status()) === 'locked') {
    await wallet.approvals.ask(key, { kind: 'unlock', method: record.purpose })
  }
  const inUse = await wallet.accounts.network()
  const network = record.network ?? inUse
  if (record.accountId === null && network !== inUse) throw wrongNetwork(inUse, network)
  const { method } = await find(record.method)
  const { accountId, account } = await requireAccount(wallet, method, record, network)
  if (record.accountId === null) {
    const ordinals = account?.ordinals?.address ?? null
    await wallet.requests.update(key, { accountId, network, ordinals })
  }
  await assertStill(wallet, find, key)
  return {
    wallet,
    key,
    origin: record.origin,
    network,
    account,
    once: (step, run) => once(wallet, key, step, run),
    assertOpen: async () => void (await requireOpen(wallet, key)),
    async approve(review) {
      // What follows an approval, such as a device's signature, is asked for no page that has left since.
      if (!isAttached()) throw userRejected()
      const input = await wallet.approvals.ask(key, review)
      await assertStill(wallet, find, key)
      return input
    },
  }
}

/** Checks that account, network and grant are what they were when the request was pinned. */
async function assertStill(
  wallet: AuthorisationParts,
  find: FindAccess,
  key: string,
): Promise<void> {
  const record = await wallet.requests.require(key)
  const { method } = await find(record.method)
  const current = await wallet.accounts.network()
  const { accountId } = await requireAccount(wallet, method, record, current)
  const needsGrant = method.access === 'connected'
  if (needsGrant && !(await wallet.sites.isGranted(record.origin, accountId, current))) {
    throw unauthorized()
  }
}

/** Ends requests whose account, network or grant is no longer what it was; a locked wallet says nothing about that. */
export async function dropStale(wallet: AuthorisationParts, find: FindAccess): Promise<void> {
  if ((await wallet.vault.status()) !== 'unlocked') return
  for (const record of await wallet.requests.load()) {
    if (record.outcome || isAgreed(record) || record.accountId === null) continue
    try {
      await assertStill(wallet, find, record.key)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if ((await wallet.vault.status()) !== 'unlocked') return
      await wallet.approvals.settle(({ key }) => key === record.key, error)
    }
  }
}

/**
 * The account in use, if it is the one that the request was pinned to, and if sites can be connected to it. Null, with an
 * empty id, where the method has the person choose one: then any may be in use, until the network is another.
 */
async function requireAccount(
  wallet: AuthorisationParts,
  { askToChoose }: { askToChoose?: unknown },
  { origin, accountId, network: pinned, ordinals = null }: StoredRequest,
  network: Network,
): Promise<{ accountId: string; account: SigningAccountView | null }> {
  const account = await wallet.accounts.selected(network)
  if (!account && (await wallet.vault.status()) !== 'unlocked')
    throw unauthorized('The wallet is locked.')
  // Before all that is said of the other account.
  if (accountId !== null && network !== pinned) throw accountChanged()
  if (accountId && account?.id !== accountId) throw accountChanged()
  const fit = account && canSign(account) ? account : null
  if (accountId === '' || (!fit && askToChoose)) return { accountId: '', account: null }
  if (!account) throw unauthorized(`No account on ${network}.`)
  if (!fit) throw notForSites(account, await wallet.sites.isKnown(origin))
  // The person has not been shown an address that came meanwhile.
  if (accountId && (fit.ordinals?.address ?? null) !== ordinals) throw accountChanged()
  return { accountId: fit.id, account: fit }
}

async function once<T>(
  wallet: AuthorisationParts,
  key: string,
  step: string,
  run: () => Promise<T>,
): Promise<T> {
  // It may have ended while it waited for its turn.
  const before = await requireOpen(wallet, key)
  if (Object.hasOwn(before.journal, step)) return before.journal[step] as T
  const result = await run()
  const record = await wallet.requests.require(key)
  const journal = { ...record.journal, [step]: result }
  // What ended meanwhile does not go on.
  if ((await wallet.requests.update(key, { journal })).outcome) throw userRejected()
  return result
}

/** Throws 4001 where it has ended. */
async function requireOpen({ requests }: AuthorisationParts, key: string): Promise<StoredRequest> {
  const record = await requests.require(key)
  if (record.outcome) throw userRejected()
  return record
}

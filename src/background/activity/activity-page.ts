import type { Network } from '../../bitcoin/network.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import type { Contacts } from '../accounts/contacts.ts'
import type { Sources } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { ActivityEntry, ActivityPage } from '../views/activity-views.ts'
import type { ServerProblem } from '../views/settings-views.ts'
import type { Activity } from './activity.ts'
import { type ActivitySource, listKnown, toEntry } from './activity-entries.ts'

/** The parts of a wallet that tell what an account did, and who is who. */
export type ActivityParts = Pick<Sources, 'chain'> & {
  activity: Pick<Activity, 'load' | 'refresh' | 'extend'>
  addresses: Pick<Addresses, 'listUsed' | 'find'>
  accounts: Pick<Accounts, 'list'>
  contacts: Pick<Contacts, 'list'>
}

/** Older pages of the server that an export goes through: 10,000 transactions of Esplora's 25 a page. */
const MAX_EXPORT_PAGES = 400

/**
 * A page of an account's activity. The first page asks the server for news; later ones ask it for what is older than what
 * is stored. Without a server it is what is stored, with `problem`.
 */
export async function fetchActivityPage(
  wallet: ActivityParts,
  network: Network,
  account: AccountView,
  { offset, limit }: { offset: number; limit: number },
): Promise<ActivityPage> {
  const end = offset + limit
  const problem = await problemOf(async () => {
    const chain = await wallet.chain(network)
    const addresses = await wallet.addresses.listUsed(chain, account)
    if (offset === 0) await wallet.activity.refresh(chain, account, addresses)
    while (true) {
      const stored = await wallet.activity.load(network, account.id)
      if (stored.ledger.next === null || listKnown(stored, false).length >= end) return
      await wallet.activity.extend(chain, account, addresses)
    }
  })
  const source = await loadActivity(wallet, network, account)
  const known = listKnown(source, problem !== null)
  return {
    entries: known.slice(offset, end).map(one => toEntry(source, one)),
    more: known.length > end || (problem === null && source.ledger.next !== null),
    problem,
  }
}

/** All of an account's activity, as far as the server gives it. */
export async function fetchAllActivity(
  wallet: ActivityParts,
  network: Network,
  account: AccountView,
): Promise<{ entries: ActivityEntry[]; complete: boolean }> {
  const problem = await problemOf(async () => {
    const chain = await wallet.chain(network)
    const addresses = await wallet.addresses.listUsed(chain, account)
    await wallet.activity.refresh(chain, account, addresses)
    for (let count = 0; count < MAX_EXPORT_PAGES; count++) {
      if (!(await wallet.activity.extend(chain, account, addresses))) return
    }
  })
  const source = await loadActivity(wallet, network, account)
  const entries = listKnown(source, true).map(one => toEntry(source, one))
  return { entries, complete: problem === null && source.ledger.next === null }
}

/** What is stored, with the names of the address book and of the wallet's own accounts. */
export async function loadActivity(
  wallet: ActivityParts,
  network: Network,
  account: AccountView,
): Promise<ActivitySource> {
  const [stored, accounts, contacts] = await Promise.all([
    wallet.activity.load(network, account.id),
    wallet.accounts.list(network),
    wallet.contacts.list(),
  ])
  const names = new Map([...accounts, ...contacts].map(({ address, name }) => [address, name]))
  return { ...stored, network, accountId: account.id, names }
}

async function problemOf(work: () => Promise<void>): Promise<ServerProblem | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof BackendUnavailableError) return error.problem
    throw error
  }
}

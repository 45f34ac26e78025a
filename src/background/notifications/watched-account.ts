import { parseAddress } from '../../bitcoin/address.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { ChainSource } from '../../chain/chain-source.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import { listFixedAddresses } from '../accounts/fixed-addresses.ts'
import type { OwnAddress } from '../activity/account-history.ts'
import type { AccountView, WatchedAccountView } from '../views/account-views.ts'

/** Session storage: in memory, and gone with the browser. */
const WATCHED_KEY = 'notifications.watched'

/** Addresses that are asked about at a time, one small request each; the others have their turn the next times. */
const MOST_ASKED = 2

type StoredAddress = { branch: number; index: number; address: string }

/** What stays of the account in use when the wallet locks: its addresses, as somebody who watches them knows them, and no key. */
type Stored = {
  network: Network
  accountId: string
  /** Those of its history, and further ones that were given out. */
  used: StoredAddress[]
  given: StoredAddress[]
  /** Those of which there may be news. */
  awaited: string[]
  /** What the server said of them when the history was last fetched, by address. */
  said: { [address: string]: string }
  turn: number
}

/** The account that is looked at, and how to fetch its history. */
export type WatchedAccount = {
  network: Network
  accountId: string
  /**
   * Asks about some of its addresses, and fetches the history where one has changed, or `isWanted`. Resolves whether it was
   * fetched. Throws BackendUnavailableError.
   */
  refresh(chain: ChainSource, isWanted: boolean): Promise<boolean>
}

/** The account in use, also while the wallet is locked. */
export function createWatchedAccount({
  session,
  accounts,
  addresses,
  refreshHistory,
}: {
  session: StorageArea
  accounts: Pick<Accounts, 'network' | 'selected'>
  addresses: Pick<Addresses, 'list' | 'listAwaited' | 'listUsed'>
  refreshHistory(
    chain: ChainSource,
    account: AccountView,
    own: readonly OwnAddress[],
  ): Promise<void>
}) {
  return {
    /** Null while the wallet is locked and was not open since the browser started. */
    async find(): Promise<WatchedAccount | null> {
      const network = await accounts.network()
      const account = await accounts.selected(network)
      const before = await load()
      if (!account) return before && describe(before, null)
      const isSame = before?.network === network && before.accountId === account.id
      const known = isSame ? before : { used: [], said: {}, turn: 0 }
      const isFixed = account.descriptor === null
      const fixed = listFixedAddresses(account, network)
      const now: Stored = {
        ...{ network, accountId: account.id, said: known.said, turn: known.turn },
        used: isFixed ? fixed.map(strip) : known.used,
        given: isFixed ? [] : (await addresses.list(network, account)).map(strip),
        awaited: await addresses.listAwaited(network, account),
      }
      await save(now, before)
      return describe(now, account)
    },
    forget: () => session.remove(WATCHED_KEY),
  }

  function describe(stored: Stored, account: AccountView | null): WatchedAccount {
    const { network, accountId, awaited } = stored
    return {
      ...{ network, accountId },
      async refresh(chain, isWanted) {
        const asked = awaited.map((_, at) => awaited[(stored.turn + at) % awaited.length] ?? '')
        const said = { ...stored.said }
        for (const address of asked.slice(0, MOST_ASKED)) {
          const { confirmed, unconfirmed, transactions } = await chain.fetchBalance(address)
          said[address] = `${confirmed} ${unconfirmed} ${transactions}`
        }
        const changed = Object.keys(said).filter(address => said[address] !== stored.said[address])
        const turn = (stored.turn + MOST_ASKED) % Math.max(awaited.length, 1)
        const next = { ...stored, turn }
        if (!isWanted && changed.length === 0) {
          await save(next, stored)
          return false
        }
        const used = account
          ? (await addresses.listUsed(chain, account)).map(strip)
          : withGiven(stored, changed)
        // An account whose addresses were not asked for before it locked is looked at once it is open.
        if (used.length === 0) return false
        await refreshHistory(chain, account ?? watchOnly(stored), used.map(toOwn(network)))
        await save({ ...next, used, said }, stored)
        return true
      },
    }
  }

  /** Only this module writes it. */
  async function load(): Promise<Stored | null> {
    return ((await session.get(WATCHED_KEY)) as Stored | undefined) ?? null
  }

  async function save(next: Stored, before: Stored | null): Promise<void> {
    if (JSON.stringify(next) !== JSON.stringify(before)) await session.set({ [WATCHED_KEY]: next })
  }
}

function strip({ branch, index, address }: OwnAddress): StoredAddress {
  return { branch, index, address }
}

function toOwn(network: Network) {
  return (stored: StoredAddress): OwnAddress => ({
    ...stored,
    scriptPubKey: parseAddress(stored.address, network).scriptPubKey,
  })
}

/** The addresses of the history, and those that were given out and have been paid since. */
function withGiven({ used, given }: Stored, changed: readonly string[]): StoredAddress[] {
  if (used.length === 0) return used
  const known = new Set(used.map(({ address }) => address))
  const paid = given.filter(({ address }) => changed.includes(address) && !known.has(address))
  return [...used, ...paid]
}

/** The account as somebody has it who watches its first address. */
function watchOnly({ accountId, used }: Stored): WatchedAccountView {
  const keyless = { publicKey: null, descriptor: null, ordinals: null, derivationPath: null }
  const address = used[0]?.address ?? ''
  return {
    ...{ id: accountId, name: '', hidden: false, address, addressType: null },
    ...{ source: 'watch', ...keyless },
  }
}

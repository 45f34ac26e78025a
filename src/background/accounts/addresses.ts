import { addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import {
  countDescriptorBranches,
  type Descriptor,
  parseDescriptor,
} from '../../bitcoin/descriptors/descriptor.ts'
import { type DescriptorPlace, deriveOutput } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { Network } from '../../bitcoin/network.ts'
import { MAX_TRACKED } from '../../chain/access/live-feed.ts'
import type { ChainSource } from '../../chain/chain-source.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { VaultLockedError } from '../keys/vault-session.ts'
import { isYounger } from '../primitives/clock.ts'
import type { AccountView, ReceiveAddress } from '../views/account-views.ts'
import {
  type AddressFinding,
  GAP_LIMIT,
  isFunded,
  lookAtAddresses,
  nameFunded,
} from './address-discovery.ts'
import {
  type AddressUse,
  advance,
  countUsed,
  hasNext,
  indexToShow,
  listFreeForChange,
} from './address-use.ts'
import { createAddressUses, keyOfAddresses } from './address-uses.ts'
import { chooseForChange, createChangePlans, listUnplanned } from './change-plans.ts'
import type { HasEnded } from './ended-accounts.ts'
import {
  type AccountAddress,
  firstAddress,
  listFixedAddresses,
  listOrdinals,
} from './fixed-addresses.ts'

type Look = { wholeAt: number; found: AddressFinding[] }

/** What several parts of a page ask for at once is asked of the server once. */
const TOGETHER_MS = 50
/** How long the addresses that nobody was given are left alone. */
const WHOLE_LOOK_TTL_MS = 10 * 60_000

export type Addresses = ReturnType<typeof createAddresses>

/**
 * The addresses of accounts that have many (BIP-44): which are used, which is given out next, and where change goes. An account of
 * one address has that one for everything. How far they are used is kept in local storage: numbers, no addresses.
 */
export function createAddresses(deps: {
  local: StorageArea
  session: StorageArea
  now(): number
  /** Called when {@link Addresses.listAwaited} may tell others. */
  onChange?(): void
  hasEnded?: HasEnded
}) {
  const { local, session, now, onChange = () => {}, hasEnded = () => false } = deps
  const uses = createAddressUses({ local, onChange })
  const { load: loadUse, change: changeUse, hold: inTurn, entriesUsed } = uses
  const changePlans = createChangePlans({ session, now })
  const parsed = new Map<string, Descriptor>()
  const derived = new Map<string, AccountAddress>()
  const looking = new Map<string, { at: number; look: Promise<Look> }>()

  function descriptorOf(text: string): Descriptor {
    const descriptor = parsed.get(text) ?? parseDescriptor(text)
    parsed.set(text, descriptor)
    return descriptor
  }

  function addressAt(
    network: Network,
    account: AccountView,
    descriptor: string,
    place: DescriptorPlace,
  ): AccountAddress {
    const name = `${network} ${descriptor} ${place.branch} ${place.index}`
    const known = derived.get(name)
    if (known) return known
    const parsed = descriptorOf(descriptor)
    const { scriptPubKey, keys } = deriveOutput(parsed, place)
    const address = addressOfScript(scriptPubKey, network)
    const [key] = keys
    if (address === null || !key) throw new Error(`account ${account.id}: no address at ${name}`)
    const isShared = parsed.type === 'multisig'
    const { publicKey, origin } = isShared ? { publicKey: null, origin: null } : key
    const { addressType } = account
    const found = { ...place, address, addressType, scriptPubKey, publicKey, origin }
    derived.set(name, found)
    return found
  }

  /** A descriptor without a branch for change has one for everything. */
  function changeBranch(descriptor: string): 0 | 1 {
    return countDescriptorBranches(descriptorOf(descriptor)) > 1 ? 1 : 0
  }

  /** As far as the server's last word goes; before the first, as far as the addresses are used. */
  async function listFree(network: Network, accountId: string, branch: 0 | 1): Promise<number[]> {
    const looked = (await session.get(keyOfAddresses(network, accountId))) as Look | undefined
    const paid = looked?.found.filter(({ transactions }) => transactions > 0)
    return listFreeForChange(
      await loadUse(network, accountId),
      branch,
      paid && countUsed(paid, branch),
    )
  }

  function placesUpTo(descriptor: string, { used, shown }: AddressUse): DescriptorPlace[] {
    const branches = countDescriptorBranches(descriptorOf(descriptor))
    const counts = [Math.max(used[0], shown + 1, 1), used[1]].slice(0, branches)
    return counts.flatMap((count, branch) =>
      Array.from({ length: count }, (_, index) => ({ branch, index })),
    )
  }

  /** All that the account has used or given out, the first one first. Asks nobody. */
  async function list(network: Network, account: AccountView): Promise<readonly AccountAddress[]> {
    const { descriptor } = account
    if (descriptor === null) return listFixedAddresses(account, network)
    const places = placesUpTo(descriptor, await loadUse(network, account.id))
    const derived = places.map(place => addressAt(network, account, descriptor, place))
    return [...derived, ...listOrdinals(account)]
  }

  function look(chain: ChainSource, account: AccountView, descriptor: string): Promise<Look> {
    const key = keyOfAddresses(chain.network, account.id)
    const running = looking.get(key)
    // What began earlier may not have seen what the caller knows of, such as a payment of ours.
    if (running && now() - running.at < TOGETHER_MS) return running.look
    const begun = { at: now(), look: lookAnew(chain, account, descriptor) }
    looking.set(key, begun)
    const forget = () => {
      if (looking.get(key) === begun) looking.delete(key)
    }
    return begun.look.finally(forget)
  }

  async function lookAnew(
    chain: ChainSource,
    account: AccountView,
    descriptor: string,
  ): Promise<Look> {
    const { network } = chain
    const key = keyOfAddresses(network, account.id)
    const at = now()
    const last = (await session.get(key)) as Look | undefined
    const isWhole = !last || !isYounger(last.wholeAt, WHOLE_LOOK_TTL_MS, at)
    const use = await loadUse(network, account.id)
    const { found, used } = await lookAtAddresses({
      ask: place => chain.fetchBalance(addressAt(network, account, descriptor, place).address),
      branches: countDescriptorBranches(descriptorOf(descriptor)),
      used: use.used,
      shown: use.shown,
      known: isWhole ? [] : last.found,
    })
    await changeUse(network, account.id, before =>
      hasEnded(account.id) ? before : advance(before, used),
    )
    if (hasEnded(account.id)) throw new VaultLockedError()
    const looked = { wholeAt: isWhole ? at : last.wholeAt, found }
    await session.set({ [key]: looked })
    if (nameFunded(found) !== nameFunded(last?.found ?? [])) onChange()
    return looked
  }

  return {
    list,
    hold: inTurn,
    entriesUsed,

    /** Those of which there may be news: the first, which sites see, those with coins, and the last that were given out. */
    async listAwaited(network: Network, account: AccountView): Promise<string[]> {
      const { descriptor } = account
      const fixed = listFixedAddresses(account, network).map(({ address }) => address)
      if (descriptor === null) return fixed
      const shown = indexToShow(await loadUse(network, account.id))
      const looked = (await session.get(keyOfAddresses(network, account.id))) as Look | undefined
      const funded = (looked?.found ?? []).filter(isFunded).reverse()
      const given = Array.from({ length: MAX_TRACKED }, (_, at) => ({
        branch: 0,
        index: shown - at,
      }))
      const places = [...given.slice(0, 2), ...funded, ...given.slice(2)]
      const awaited = places
        .filter(({ index }) => index >= 0)
        .map(
          ({ branch, index }) => addressAt(network, account, descriptor, { branch, index }).address,
        )
      return [...new Set([...fixed, ...awaited])].slice(0, MAX_TRACKED)
    },

    /** Those with coins in blocks or waiting, by the server's word. Throws BackendUnavailableError. */
    async listFunded(chain: ChainSource, account: AccountView): Promise<readonly AccountAddress[]> {
      const { descriptor } = account
      if (descriptor === null) return listFixedAddresses(account, chain.network)
      const { found } = await look(chain, account, descriptor)
      const funded = found
        .filter(isFunded)
        .map(({ branch, index }) =>
          addressAt(chain.network, account, descriptor, { branch, index }),
        )
      return [...funded, ...listOrdinals(account)]
    },

    /** Those that a transaction names, by the server's word. Throws BackendUnavailableError. */
    async listUsed(chain: ChainSource, account: AccountView): Promise<readonly AccountAddress[]> {
      const { descriptor } = account
      if (descriptor === null) return listFixedAddresses(account, chain.network)
      const { found } = await look(chain, account, descriptor)
      const used = found
        .filter(({ transactions, index, branch }) => transactions > 0 || index + branch === 0)
        .map(({ branch, index }) =>
          addressAt(chain.network, account, descriptor, { branch, index }),
        )
      return [...used, ...listOrdinals(account)]
    },

    /** Sats of all addresses. Throws BackendUnavailableError. */
    async fetchBalance(
      chain: ChainSource,
      account: AccountView,
    ): Promise<{ confirmed: bigint; unconfirmed: bigint }> {
      const { descriptor, ordinals } = account
      const apart = ordinals ? [chain.fetchBalance(ordinals.address)] : []
      const parts =
        descriptor === null
          ? [chain.fetchBalance(account.address)]
          : (await look(chain, account, descriptor)).found
      return (await Promise.all([...parts, ...apart])).reduce(
        (sum, { confirmed, unconfirmed }) => ({
          confirmed: sum.confirmed + BigInt(confirmed),
          unconfirmed: sum.unconfirmed + BigInt(unconfirmed),
        }),
        { confirmed: 0n, unconfirmed: 0n },
      )
    },

    /** The address to give out: the first that nobody used, or a later one where the person asked for it. */
    async describeReceive(network: Network, account: AccountView): Promise<ReceiveAddress> {
      const { descriptor } = account
      if (descriptor === null) return { address: account.address, index: null, hasNext: false }
      const use = await loadUse(network, account.id)
      const index = indexToShow(use)
      const { address } = addressAt(network, account, descriptor, { branch: 0, index })
      return { address, index, hasNext: hasNext(use) }
    },

    /** Gives out a further address than the one of this index, where there is one; one that is further already stays. */
    async nextToReceive(network: Network, account: AccountView, after: number): Promise<void> {
      if (account.descriptor === null) return
      await changeUse(network, account.id, use =>
        hasNext(use) && indexToShow(use) === after ? { ...use, shown: after + 1 } : use,
      )
    },

    /**
     * Where the change of `count` outputs goes: to the first addresses that nothing was, and is about to be, paid to. A request of a
     * site keeps the addresses that it got, by its key; without one nothing is kept.
     */
    async nextChanges(
      network: Network,
      account: AccountView,
      key: string | null,
      count: number,
    ): Promise<AccountAddress[]> {
      const { descriptor } = account
      if (descriptor === null) return Array(count).fill(firstAddress(account, network))
      const branch = changeBranch(descriptor)
      const indexes = await inTurn(async () => {
        const free = await listFree(network, account.id, branch)
        const plans = await changePlans.load(network, account.id)
        const chosen = chooseForChange(free, plans, key, count)
        if (key !== null) await changePlans.put(network, account.id, key, [...new Set(chosen)])
        return chosen.slice(0, count)
      })
      return indexes.map(index => addressAt(network, account, descriptor, { branch, index }))
    },

    /** Whether change still may go to an address that was chosen for it earlier: nothing was paid to it since, and nothing else will. */
    async isFreeForChange(
      network: Network,
      account: AccountView,
      scriptPubKey: Uint8Array,
      key: string | null,
    ): Promise<boolean> {
      const { descriptor } = account
      if (descriptor === null) return true
      const branch = changeBranch(descriptor)
      const free = await listFree(network, account.id, branch)
      const plans = await changePlans.load(network, account.id)
      const script = toHex(scriptPubKey)
      // A later address may be used by now, and this one is the request's all the same.
      const own = plans.flatMap(plan => (plan.key === key ? plan.index : []))
      return [...own, ...listUnplanned(free, plans, key)].some(index => {
        const address = addressAt(network, account, descriptor, { branch, index })
        return toHex(address.scriptPubKey) === script
      })
    },

    /**
     * The account's addresses among scripts, the first one before all others and that for ordinals last, both always: those that are used or given out, and a few beyond, such as
     * where the change of a payment under way goes.
     */
    async find(
      network: Network,
      account: AccountView,
      scripts: readonly Uint8Array[],
    ): Promise<readonly AccountAddress[]> {
      const { descriptor } = account
      const fixed = listFixedAddresses(account, network)
      if (descriptor === null) return fixed
      const { used, shown } = await loadUse(network, account.id)
      const wide: AddressUse = {
        used: [used[0] + GAP_LIMIT, used[1] + GAP_LIMIT],
        shown: shown + GAP_LIMIT,
      }
      const wanted = new Set(scripts.map(toHex))
      const near = placesUpTo(descriptor, { used, shown })
      const ordinals = listOrdinals(account)
      for (const { scriptPubKey } of ordinals) wanted.delete(toHex(scriptPubKey))
      const found: AccountAddress[] = []
      const seen = new Set<string>()
      for (const place of [...near, ...placesUpTo(descriptor, wide)]) {
        const name = `${place.branch}/${place.index}`
        if (seen.has(name)) continue
        seen.add(name)
        const address = addressAt(network, account, descriptor, place)
        const isWanted = wanted.delete(toHex(address.scriptPubKey))
        if (isWanted || place.branch + place.index === 0) found.push(address)
        if (wanted.size === 0) break
      }
      return [...found, ...ordinals]
    },

    /** Addresses of a transaction that was signed: none of them is given out, or gets change, again. */
    async markUsed(
      network: Network,
      account: AccountView,
      addresses: readonly DescriptorPlace[],
    ): Promise<void> {
      if (account.descriptor === null) return
      await changeUse(network, account.id, use =>
        hasEnded(account.id)
          ? use
          : advance(use, [countUsed(addresses, 0), countUsed(addresses, 1)]),
      )
    },

    /** For a lock: what was derived is forgotten. */
    async clear(): Promise<void> {
      parsed.clear()
      derived.clear()
      looking.clear()
    },

    /** Looks at all addresses up to the gap the next time. */
    async lookAgain(network: Network, accountId: string): Promise<void> {
      await session.remove(keyOfAddresses(network, accountId))
    },

    async forgetAccount(accountId: string, networks: readonly Network[]): Promise<void> {
      const keys = networks.map(network => keyOfAddresses(network, accountId))
      await local.remove(keys)
      await session.remove(keys)
      await changePlans.forget(accountId, networks)
    },
  }
}

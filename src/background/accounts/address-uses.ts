import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import { type AddressUse, advance, countUsed, parseUse } from './address-use.ts'

/** Where addresses of an account are that signed transactions pay. */
export type PaidPlaces = {
  network: Network
  accountId: string
  places: readonly DescriptorPlace[]
}

/** How far the addresses of accounts are used, in local storage: numbers, no addresses. */
export function createAddressUses({
  local,
  onChange,
}: {
  local: StorageArea
  /** Called when one has changed. */
  onChange(): void
}) {
  const inTurn = createMutex()

  async function load(network: Network, accountId: string): Promise<AddressUse> {
    return parseUse(await local.get(keyOfAddresses(network, accountId)))
  }

  return {
    load,
    /** Runs a task while none is changed. */
    hold: inTurn,

    change(
      network: Network,
      accountId: string,
      change: (use: AddressUse) => AddressUse,
    ): Promise<AddressUse> {
      return inTurn(async () => {
        const before = await load(network, accountId)
        const after = change(before)
        if (JSON.stringify(after) !== JSON.stringify(before)) {
          await local.set({ [keyOfAddresses(network, accountId)]: after })
          onChange()
        }
        return after
      })
    },

    /** What storage holds once these count as used, which another wallet with the same keys has signed for. */
    async entriesUsed(paid: readonly PaidPlaces[]): Promise<{ [key: string]: AddressUse }> {
      const entries: { [key: string]: AddressUse } = {}
      for (const { network, accountId, places } of paid) {
        if (places.length === 0) continue
        const key = keyOfAddresses(network, accountId)
        const use = entries[key] ?? (await load(network, accountId))
        entries[key] = advance(use, [countUsed(places, 0), countUsed(places, 1)])
      }
      return entries
    },
  }
}

/** Under which local storage has how far an account's addresses are used, and session storage what the server said of them. */
export function keyOfAddresses(network: Network, accountId: string): string {
  return `addresses.${network}.${accountId}`
}

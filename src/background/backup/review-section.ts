import type { Network } from '../../bitcoin/network.ts'
import { fold } from '../accounts/contacts.ts'
import type { BackupItem, BackupPart, BackupSection } from '../views/backup-views.ts'
import type { Contact } from '../views/payment-views.ts'

/** Things of each list of a section that are shown; the others are counted. */
const MOST_SHOWN = 300

/** A section of a review that is being filled. */
export type Tally = {
  add(item: BackupItem): void
  differ(item: BackupItem): void
  same(): void
  leaveOut(): void
  finish(suggested: boolean): BackupSection
}

export function createTally(part: BackupPart): Tally {
  const added: BackupItem[] = []
  const differing: BackupItem[] = []
  const counts = { addedCount: 0, differingCount: 0, sameCount: 0, leftOut: 0 }
  return {
    add(item) {
      if (++counts.addedCount <= MOST_SHOWN) added.push(item)
    },
    differ(item) {
      if (++counts.differingCount <= MOST_SHOWN) differing.push(item)
    },
    same() {
      counts.sameCount++
    },
    leaveOut() {
      counts.leftOut++
    },
    finish: suggested => ({ part, added, differing, ...counts, suggested }),
  }
}

/** The contacts that are new: neither their name nor their address is there. */
export function compareContacts(
  own: readonly Contact[],
  told: readonly Omit<Contact, 'id'>[],
  tally: Tally,
): Omit<Contact, 'id'>[] {
  const known = [...own] as Omit<Contact, 'id'>[]
  const added: Omit<Contact, 'id'>[] = []
  for (const { name, address } of told) {
    const item = { kind: 'contact', name, detail: address, network: null } as const
    const other = known.find(one => one.address === address || fold(one.name) === fold(name))
    if (!other) {
      known.push({ name, address })
      added.push({ name, address })
      tally.add({ ...item, own: null })
    } else if (other.name === name && other.address === address) tally.same()
    else tally.differ({ ...item, own: other.address === address ? other.name : other.address })
  }
  return added
}

/** The labels of a network's transactions that have none. */
export function compareLabels(
  network: Network,
  own: { readonly [txid: string]: string },
  told: { readonly [txid: string]: string },
  tally: Tally,
): { [txid: string]: string } {
  const added: [string, string][] = []
  for (const [txid, name] of Object.entries(told)) {
    const item = { kind: 'label', name, detail: txid, network } as const
    const before = Object.hasOwn(own, txid) ? own[txid] : undefined
    if (before === undefined) {
      added.push([txid, name])
      tally.add({ ...item, own: null })
    } else if (before === name) tally.same()
    else tally.differ({ ...item, own: before })
  }
  return Object.fromEntries(added)
}

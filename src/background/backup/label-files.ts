import type { Network } from '../../bitcoin/network.ts'
import { parsePayee } from '../../bitcoin/silent-payments/payee.ts'
import { formatLabels, type ParsedLabels, parseLabels } from '../../bitcoin/wallet-labels.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import type { Records } from '../../storage/records.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { parseLabel } from '../activity/labels.ts'
import { checkName } from '../primitives/check-name.ts'
import { digestOf } from '../primitives/digest.ts'
import type { LabelsReview } from '../views/backup-views.ts'
import type { BackupParts } from './collect-contents.ts'
import { compareContacts, compareLabels, createTally } from './review-section.ts'

type LabelFileParts = Pick<BackupParts, 'activity' | 'contacts' | 'coinChoices'> & {
  accounts: Pick<Accounts, 'network' | 'list' | 'selected'>
}

/** Labels as other wallets write and read them (BIP-329): of the network in use; coins are the account's. */
export type LabelFiles = {
  /** Notes on transactions, contacts and coins that are locked; `count` lines. */
  format(): Promise<{ text: string; count: number }>
  /** What a text would add; nothing is written. Throws -32602 for one that is too long. */
  review(text: string): Promise<LabelsReview>
  /** Adds what was shown, all or nothing; the same again does nothing. Throws PLAN_OUTDATED where it would do something else by now. */
  add(text: string, digest: string): Promise<void>
}

const DONE_KEY = 'importedLabels'

/** What the wallet's own fields hold. */
const LONGEST_LABEL = 140
const LONGEST_NAME = 40

export function createLabelFiles({
  local,
  records,
  ...parts
}: LabelFileParts & {
  local: StorageArea
  records: Pick<Records, 'write'>
}): LabelFiles {
  const { accounts, activity, contacts, coinChoices } = parts

  return {
    async format() {
      const network = await accounts.network()
      const rest = { origin: null, spendable: null }
      const labels = [
        ...Object.entries(await activity.loadLabels(network)).map(([ref, label]) => {
          return { type: 'tx' as const, ref, label, ...rest }
        }),
        ...(await contacts.list())
          .filter(({ address }) => isAddress(address, network))
          .map(({ name, address }) => {
            return { type: 'addr' as const, ref: address, label: name, ...rest }
          }),
        ...(await coinChoices.listLocked(network)).map(({ outpoint }) => {
          return { type: 'output' as const, ref: outpoint, ...rest, label: null, spendable: false }
        }),
      ]
      return { text: formatLabels(labels), count: labels.length }
    },
    review: async text => (await compare(text)).review,
    async add(text, digest) {
      if ((await local.get(DONE_KEY)) === digest) return
      await activity.holdLabels(() =>
        coinChoices.hold(() =>
          contacts.hold(async () => {
            const { review, network, added } = await compare(text)
            if (review.digest !== digest)
              throw failure('PLAN_OUTDATED', 'The wallet has changed since this was shown.')
            await records.write({
              ...(await activity.entriesWithLabels({ [network]: added.labels })),
              ...(await coinChoices.entriesWithLocked(added.coins)),
              ...(await contacts.entriesWith(added.contacts)),
              [DONE_KEY]: digest,
            })
          }),
        ),
      )
    },
  }

  async function compare(text: string) {
    const parsed = parse(text)
    const network = await accounts.network()
    const account = await accounts.selected(network)
    if (!account) throw failure('NOT_OURS', 'The wallet is locked.')
    const own = new Set((await accounts.list(network)).map(({ address }) => address))
    const { told, skipped, malformed } = sort(parsed, network, own)
    const [labels, addresses, coins] = [
      ...[createTally('labels'), createTally('contacts'), createTally('coins')],
    ] as const
    const before = await activity.loadLabels(network)
    const addedLabels = compareLabels(network, before, told.labels, labels)
    const addedContacts = compareContacts(await contacts.list(), told.contacts, addresses)
    const choices = await coinChoices.load(network)
    const addedCoins = told.coins.filter(outpoint => {
      const choice = choices.get(outpoint)?.choice
      const item = { kind: 'locked', name: outpoint, detail: account.name, network } as const
      if (choice === 'locked') coins.same()
      else if (choice) coins.differ({ ...item, own: choice })
      else coins.add({ ...item, own: null })
      return choice === undefined
    })
    const sections = [labels, addresses, coins]
      .map(tally => tally.finish(true))
      .filter(
        ({ addedCount, differingCount, sameCount }) => addedCount + differingCount + sameCount,
      )
    const after = (await local.get(DONE_KEY)) ?? null
    const digest = digestOf({ sections, told, network, account: account.id, after })
    return {
      review: { digest, sections, skipped, malformed },
      network,
      added: {
        labels: addedLabels,
        contacts: addedContacts,
        coins: addedCoins.map(outpoint => ({ network, accountId: account.id, outpoint })),
      },
    }
  }
}

/** What the wallet has a place for: the last word on a transaction, names of others' addresses, coins that are not to be spent. */
function sort(parsed: ParsedLabels, network: Network, own: ReadonlySet<string>) {
  const labels = new Map<string, string>()
  const contacts = new Map<string, { name: string; address: string }>()
  const coins = new Set<string>()
  let skipped = parsed.unknown
  let { malformed } = parsed
  for (const { type, ref, label, spendable } of parsed.labels) {
    try {
      const text = (label ?? '').trim()
      if (type === 'tx' && text !== '') labels.set(ref, parseLabel(shorten(text, LONGEST_LABEL)))
      else if (type === 'addr' && text !== '' && isAddress(ref, network) && !own.has(ref))
        contacts.set(ref, { name: checkName(shorten(text, LONGEST_NAME)), address: ref })
      else if (type === 'output' && spendable === false) coins.add(ref)
      else skipped++
    } catch {
      // A text that no field of the wallet takes, such as one with characters that are not seen.
      malformed++
    }
  }
  const told = {
    labels: Object.fromEntries(labels),
    contacts: [...contacts.values()],
    coins: [...coins],
  }
  return { told, skipped, malformed }
}

function shorten(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

function parse(text: string): ParsedLabels {
  try {
    return parseLabels(text)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw Object.assign(invalidParams('text', text, 'labels of a wallet'), { cause })
  }
}

/** In the spelling that the wallet has of it. */
function isAddress(text: string, network: Network): boolean {
  try {
    return parsePayee(text, network).address === text
  } catch {
    return false
  }
}

import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { InscriptionChoice } from '../views/asset-views.ts'

/** What a choice is about: an inscription by its id, or all children of one, by `collection:` and the id of that. */
export type ChoiceSubject = InscriptionId | `collection:${InscriptionId}`

/** A choice and whose it is. */
export type OwnChoice = {
  network: Network
  accountId: string
  subject: ChoiceSubject
  choice: InscriptionChoice
}

export type InscriptionChoiceMap = ReadonlyMap<ChoiceSubject, InscriptionChoice>

export const CHOICES: readonly InscriptionChoice[] = ['hidden', 'kept']

/** By subject, in the order in which they were made. */
type Entries = { [subject in ChoiceSubject]?: InscriptionChoice }

const KEY = 'inscriptionChoices'
const COLLECTION = /^collection:/

/** Choices of one account on one network; beyond it the oldest are dropped, which shows what they hid. */
const MAX_CHOICES = 10_000

/** Which inscriptions and collections the person hid, or wants to see whatever a rule says; in local storage, by account and network. */
export function createInscriptionChoices({ local }: { local: StorageArea }) {
  const inTurn = createMutex()
  return {
    async load(network: Network, accountId: string): Promise<InscriptionChoiceMap> {
      const own: Entries = (await loadAll(network))[accountId] ?? {}
      return new Map(Object.entries(own) as [ChoiceSubject, InscriptionChoice][])
    },
    /** Null removes a choice. */
    put(
      network: Network,
      accountId: string,
      choices: ReadonlyMap<ChoiceSubject, InscriptionChoice | null>,
    ): Promise<void> {
      return change(network, all => ({ ...all, [accountId]: withChoices(all[accountId], choices) }))
    },
    /** Runs a task while no choice is written. */
    hold: inTurn,
    async listOf(network: Network): Promise<OwnChoice[]> {
      return Object.entries(await loadAll(network)).flatMap(([accountId, entries]) =>
        (Object.entries(entries) as [ChoiceSubject, InscriptionChoice][]).map(
          ([subject, choice]) => ({ network, accountId, subject, choice }),
        ),
      )
    },
    /** What storage holds with these choices too; those that are there stay. */
    async entriesWith(added: readonly OwnChoice[]): Promise<{ [key: string]: unknown }> {
      const next: { [network: string]: unknown } = { ...Object(await local.get(KEY)) }
      for (const network of NETWORKS) {
        const all = { ...(await loadAll(network)) }
        const own = added.filter(one => one.network === network)
        for (const { accountId, subject, choice } of own)
          all[accountId] = { ...withChoices({}, new Map([[subject, choice]])), ...all[accountId] }
        if (own.length > 0) next[network] = all
      }
      return { [KEY]: next }
    },
    /** What storage holds once the inscriptions of one account are another's. */
    async entriesJoined(from: string, to: string): Promise<{ [key: string]: unknown }> {
      const next: { [network: string]: unknown } = { ...Object(await local.get(KEY)) }
      for (const network of NETWORKS) {
        const { [from]: moved, ...others } = await loadAll(network)
        if (moved) next[network] = { ...others, [to]: { ...moved, ...others[to] } }
      }
      return { [KEY]: next }
    },
    async forgetAccount(accountId: string): Promise<void> {
      for (const network of NETWORKS)
        await change(network, ({ [accountId]: _, ...others }) => others)
    },
  }

  /** Only this module writes it. */
  async function loadAll(network: Network): Promise<{ [accountId: string]: Entries }> {
    return Object(Object(await local.get(KEY))[network])
  }

  function change(
    network: Network,
    next: (all: { [accountId: string]: Entries }) => { [accountId: string]: Entries },
  ): Promise<void> {
    return inTurn(async () => {
      const all = await loadAll(network)
      const changed = next(all)
      if (JSON.stringify(changed) === JSON.stringify(all)) return
      await local.set({ [KEY]: { ...Object(await local.get(KEY)), [network]: changed } })
    })
  }
}

function withChoices(
  entries: Entries | undefined,
  choices: ReadonlyMap<ChoiceSubject, InscriptionChoice | null>,
): Entries {
  const next = new Map(Object.entries(entries ?? {}))
  for (const [subject, choice] of choices) {
    next.delete(subject)
    if (choice !== null) next.set(subject, choice)
  }
  return Object.fromEntries([...next].slice(-MAX_CHOICES))
}

/** Whether a text is what a choice can be about. */
export function isChoiceSubject(text: string): text is ChoiceSubject {
  return parseInscriptionId(text.replace(COLLECTION, '')) !== null
}

/** Which inscriptions choices are about, and whose children. */
export function subjectsOf(choices: readonly { subject: ChoiceSubject }[]): {
  ids: InscriptionId[]
  parents: InscriptionId[]
} {
  const about = choices.map(({ subject }) => ({
    id: subject.replace(COLLECTION, '') as InscriptionId,
    isOfAll: COLLECTION.test(subject),
  }))
  const pick = (isOfAll: boolean) =>
    about.filter(one => one.isOfAll === isOfAll).map(({ id }) => id)
  return { ids: pick(false), parents: pick(true) }
}

/** The subject that stands for all children of an inscription. */
export function collectionOf(parent: InscriptionId): ChoiceSubject {
  return `collection:${parent}`
}

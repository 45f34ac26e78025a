import { atomicalOfKey } from '../../ordinals/asset-key.ts'
import { invalidParams } from '../../provider/errors.ts'
import { fetchAtomicalContent, type MintParts } from '../collectibles/atomical-mint.ts'
import { fetchAtomicalDetail, listAtomicals } from '../collectibles/atomicals.ts'
import { type HidingParts, holdHidden } from '../collectibles/hidden-coins.ts'
import { collectionOf } from '../collectibles/inscription-choices.ts'
import { type ContentParts, fetchContentView } from '../collectibles/inscription-content.ts'
import type { ProofParts } from '../collectibles/inscription-proofs.ts'
import type { InscriptionSortingStore } from '../collectibles/inscription-sorting.ts'
import {
  fetchInscriptionDetail,
  type InscriptionListParts,
  listInscriptions,
} from '../collectibles/inscriptions.ts'
import { fetchRuneDetail, listRunes } from '../collectibles/runes.ts'
import { digestOf } from '../primitives/digest.ts'
import type { Servers } from '../settings/servers.ts'
import type { InscriptionGroup } from '../views/asset-views.ts'
import {
  parseAtomicalIdParam,
  parseInscriptionIdParam,
  parsePage,
  parseRuneParam,
} from './params.ts'
import { loadSelected, type SelectionParts, type UiMethodsOf } from './ui-context.ts'

export type CollectibleMethodParts = InscriptionListParts &
  ProofParts &
  ContentParts &
  MintParts &
  SelectionParts &
  HidingParts & {
    servers: Pick<Servers, 'urls'>
    inscriptionSorting: Pick<InscriptionSortingStore, 'put' | 'noteContent'>
  }

/** Inscriptions that are hidden or shown at once; more than a person chooses by hand. */
const MAX_SORTED = 1_000

/**
 * Inscriptions, Atomicals and runes of the account in use: lists, details and what a picture of them shows. Each says how far the
 * wallet checked it on the chain itself. Content comes as data and is never run; nothing is moved here.
 */
export const collectibleMethods = {
  async getInscriptions({ wallet }, params) {
    const page = { ...parsePage(params), group: parseGroup(params.group) }
    const { network, account } = await loadSelected(wallet)
    return listInscriptions(wallet, account, network, page)
  },

  async sortInscriptions({ wallet }, { ids, children, choice }) {
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > MAX_SORTED)
      throw invalidParams('ids', ids, `1 to ${MAX_SORTED} inscription ids`)
    if (choice !== 'hidden' && choice !== 'kept' && choice !== null)
      throw invalidParams('choice', choice, 'hidden, kept or nothing')
    const parsed = ids.map(parseInscriptionIdParam)
    const { network, account } = await loadSelected(wallet)
    const hold = () => holdHidden(wallet, account, network, { ids: parsed, children })
    if (choice === 'hidden') await hold()
    const subjects = parsed.map(id => (children === true ? collectionOf(id) : id))
    const choices = new Map(subjects.map(subject => [subject, choice]))
    await wallet.inscriptionSorting.put(network, account.id, choices)
    // Another page may have let payments spend one of them meanwhile.
    if (choice === 'hidden') await hold()
    await wallet.inscriptionListings.forget()
    return null
  },

  async getInscription({ wallet }, params) {
    const id = parseInscriptionIdParam(params.id)
    const { network, account } = await loadSelected(wallet)
    return fetchInscriptionDetail(wallet, account, network, id)
  },

  async getInscriptionContent({ wallet }, params) {
    const { network } = await loadSelected(wallet)
    const size = { preview: params.preview === true }
    const atomical = atomicalOfKey(String(params.id))
    if (atomical !== null)
      return fetchAtomicalContent(wallet, network, parseAtomicalIdParam(atomical), size)
    const id = parseInscriptionIdParam(params.id)
    const view = await fetchContentView(wallet, network, id, size)
    // Token operations are alike by their nature.
    const isTelling = view.kind === 'text' || view.kind === 'image'
    if (size.preview && isTelling)
      await wallet.inscriptionSorting.noteContent(network, id, digestOf(view))
    return view
  },

  async getAtomicals({ wallet }, params) {
    const page = parsePage(params)
    const { network, account } = await loadSelected(wallet)
    return listAtomicals(wallet, account, network, page)
  },

  async getAtomical({ wallet }, params) {
    const id = parseAtomicalIdParam(params.id)
    const { network, account } = await loadSelected(wallet)
    return fetchAtomicalDetail(wallet, account, network, id)
  },

  async getRunes({ wallet }, params) {
    const page = parsePage(params)
    const { network, account } = await loadSelected(wallet)
    return listRunes(wallet, account, network, page)
  },

  async getRune({ wallet }, params) {
    const name = parseRuneParam('name', params.name)
    const { network, account } = await loadSelected(wallet)
    return fetchRuneDetail(wallet, account, network, name)
  },
} satisfies UiMethodsOf<CollectibleMethodParts>

function parseGroup(group: unknown): InscriptionGroup {
  if (group === undefined || group === 'shown') return 'shown'
  if (group === 'hidden' || group === 'spam') return group
  throw invalidParams('group', group, 'shown, hidden or spam')
}

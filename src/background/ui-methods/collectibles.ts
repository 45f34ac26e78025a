import { atomicalOfKey } from '../../ordinals/asset-key.ts'
import { fetchAtomicalContent, type MintParts } from '../collectibles/atomical-mint.ts'
import { fetchAtomicalDetail, listAtomicals } from '../collectibles/atomicals.ts'
import { type ContentParts, fetchContentView } from '../collectibles/inscription-content.ts'
import type { ProofParts } from '../collectibles/inscription-proofs.ts'
import {
  fetchInscriptionDetail,
  type InscriptionListParts,
  listInscriptions,
} from '../collectibles/inscriptions.ts'
import { fetchRuneDetail, listRunes } from '../collectibles/runes.ts'
import type { Servers } from '../settings/servers.ts'
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
  SelectionParts & { servers: Pick<Servers, 'urls'> }

/**
 * Inscriptions, Atomicals and runes of the account in use: lists, details and what a picture of them shows. Each says how far the
 * wallet checked it on the chain itself. Content comes as data and is never run; nothing is moved here.
 */
export const collectibleMethods = {
  async getInscriptions({ wallet }, params) {
    const page = parsePage(params)
    const { network, account } = await loadSelected(wallet)
    return listInscriptions(wallet, account, network, page)
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
    return fetchContentView(wallet, network, parseInscriptionIdParam(params.id), size)
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

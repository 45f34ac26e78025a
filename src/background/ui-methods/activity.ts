import type { ChainSource } from '../../chain/chain-source.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Activity } from '../activity/activity.ts'
import { formatActivityCsv } from '../activity/activity-csv.ts'
import { fetchActivityDetails } from '../activity/activity-details.ts'
import {
  type ActivityParts,
  fetchActivityPage,
  fetchAllActivity,
} from '../activity/activity-page.ts'
import { parseLabel } from '../activity/labels.ts'
import { listUnprovenPayments } from '../activity/unproven-payments.ts'
import type { ConfirmationProofs } from '../headers/confirmation-proofs.ts'
import type { Clock } from '../primitives/clock.ts'
import { listPendingParents } from '../sending/outgoing.ts'
import {
  listUnsharedPayments,
  shareTransaction,
  type UnsharedPaymentParts,
} from '../sending/unshared-payments.ts'
import type { Servers } from '../settings/servers.ts'
import { parsePage, parseText, parseTxid, parseTxids } from './params.ts'
import { loadSelected, type SelectionParts, type UiMethodsOf } from './ui-context.ts'

export type ActivityMethodParts = ActivityParts &
  UnsharedPaymentParts &
  SelectionParts &
  Clock & {
    activity: Pick<Activity, 'setLabel' | 'setStatus' | 'listOpenOfAll'>
    servers: Pick<Servers, 'urls'>
    confirmationProofs: ConfirmationProofs
  }

/** Of what a review or an inscription rests on, at a time; three requests each, or four where one is older than the headers. */
const MOST_ASKED = 5

/**
 * What the account in use sent and received, and the person's notes on it. Without a server, what is stored is shown and the
 * answer says why it may be old. Nothing is signed here, and nothing leaves but what was sent before.
 */
export const activityMethods = {
  async getActivity({ wallet }, params) {
    const page = parsePage(params)
    const { network, account } = await loadSelected(wallet)
    return fetchActivityPage(wallet, network, account, page)
  },

  async getActivityDetails({ wallet }, { txid }) {
    const { network, account } = await loadSelected(wallet)
    return fetchActivityDetails(wallet, network, account, parseTxid(txid))
  },

  async getConfirmationProof({ wallet }, { txid }) {
    return wallet.confirmationProofs.prove(await chainOf(wallet), parseTxid(txid))
  },

  async getCoinProofs({ wallet }, { txids }) {
    const coins = parseTxids('txids', txids).map(txid => ({ txid }))
    return wallet.confirmationProofs.proveEach(await chainOf(wallet), coins, MOST_ASKED)
  },

  async getUnprovenPayments({ wallet }) {
    const { network, account } = await loadSelected(wallet)
    return listUnprovenPayments(wallet, network, account.id)
  },

  async getUnsharedPayments({ wallet }) {
    const { network, account } = await loadSelected(wallet)
    return listUnsharedPayments(wallet, network, account.id)
  },

  async shareTransaction({ wallet }, { txid }) {
    const { network, account } = await loadSelected(wallet)
    await shareTransaction(wallet, network, account.id, parseTxid(txid))
    return null
  },

  async setLabel({ wallet }, { txid, label }) {
    const { network } = await loadSelected(wallet)
    await wallet.activity.setLabel(network, parseTxid(txid), parseLabel(label))
    return null
  },

  async dropUnsent({ wallet }, params) {
    const { network } = await loadSelected(wallet)
    const txid = parseTxid(params.txid)
    const parents = await listPendingParents(wallet, network)
    if (parents.get(txid)?.status !== 'unsent')
      throw invalidParams('txid', txid, 'a transaction that is kept back')
    await wallet.activity.setStatus(txid, 'failed')
    return null
  },

  async exportActivity({ wallet }, { unnamed }) {
    const { network, account } = await loadSelected(wallet)
    const { entries, complete } = await fetchAllActivity(wallet, network, account)
    return { csv: formatActivityCsv(entries, parseText('unnamed', unnamed)), complete }
  },
} satisfies UiMethodsOf<ActivityMethodParts>

async function chainOf(wallet: ActivityMethodParts): Promise<ChainSource> {
  return wallet.chain(await wallet.accounts.network())
}

import { invalidParams } from '../../provider/errors.ts'
import type { Activity } from '../activity/activity.ts'
import { formatActivityCsv } from '../activity/activity-csv.ts'
import { fetchActivityDetails } from '../activity/activity-details.ts'
import {
  type ActivityParts,
  fetchActivityPage,
  fetchAllActivity,
} from '../activity/activity-page.ts'
import { proveCoins } from '../activity/coin-proofs.ts'
import { parseLabel } from '../activity/labels.ts'
import { listUnprovenPayments } from '../activity/unproven-payments.ts'
import type { ConfirmationProofs } from '../headers/confirmation-proofs.ts'
import type { Clock } from '../primitives/clock.ts'
import { listPendingParents } from '../sending/outgoing.ts'
import type { Servers } from '../settings/servers.ts'
import { parsePage, parseTxid } from './params.ts'
import { loadSelected, type SelectionParts, type UiMethodsOf } from './ui-context.ts'

export type ActivityMethodParts = ActivityParts &
  SelectionParts &
  Clock & {
    activity: Pick<Activity, 'setLabel' | 'setStatus' | 'listOpenOfAll'>
    servers: Pick<Servers, 'urls'>
    confirmationProofs: ConfirmationProofs
  }

/**
 * What the account in use sent and received, and the person's notes on it. Without a server, what is stored is shown and the
 * answer says why it may be old. Nothing is signed or broadcast here.
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
    const network = await wallet.accounts.network()
    return wallet.confirmationProofs.prove(await wallet.chain(network), parseTxid(txid))
  },

  async getCoinProofs({ wallet }, params) {
    const txids = parseCoinTxids(params.txids)
    return proveCoins(wallet, await wallet.accounts.network(), txids)
  },

  async getUnprovenPayments({ wallet }) {
    const { network, account } = await loadSelected(wallet)
    return listUnprovenPayments(wallet, network, account.id)
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

  async exportActivity({ wallet }) {
    const { network, account } = await loadSelected(wallet)
    const { entries, complete } = await fetchAllActivity(wallet, network, account)
    return { csv: formatActivityCsv(entries), complete }
  },
} satisfies UiMethodsOf<ActivityMethodParts>

/** More coins are in no payment that a person looks through. */
const MOST_COINS = 500

function parseCoinTxids(value: unknown): string[] {
  if (Array.isArray(value) && value.length <= MOST_COINS) return value.map(parseTxid)
  throw invalidParams('txids', typeof value, `a list of at most ${MOST_COINS} transaction ids`)
}

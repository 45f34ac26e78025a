import { unauthorized } from '../../provider/errors.ts'
import { type Accounts, canSign } from '../accounts/accounts.ts'
import type { Vault } from '../keys/vault.ts'
import type { Approvals } from '../requests/approvals.ts'
import type { DeclineStore } from '../requests/declines.ts'
import { loadReviewDigest } from '../requests/questions.ts'
import type { Requests } from '../requests/requests.ts'
import type { Sites } from '../requests/sites.ts'
import type { Review } from '../views/approval-views.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type ApprovalMethodParts = {
  approvals: Pick<Approvals, 'queue' | 'approve' | 'reject' | 'show' | 'close' | 'unasked'>
  accounts: Pick<Accounts, 'network' | 'list' | 'selected' | 'phrases'>
  vault: Pick<Vault, 'status' | 'touch'>
  sites: Pick<Sites, 'list'>
  declines: Pick<DeclineStore, 'isDeclined'>
  requests: Pick<Requests, 'find'>
}

/**
 * The approval window: which question of a site is shown, and the person's answer. An answer counts only for the review whose
 * digest it names, and while the wallet is unlocked. Nothing is signed here: the method that asked does that.
 */
export const approvalMethods = {
  async getApproval({ wallet }, params) {
    const queue = await wallet.approvals.queue(params?.panel ?? null)
    const record = queue[0]
    if (!record?.review || record.digest === null) return null
    const network = record.network ?? (await wallet.accounts.network())
    const accounts = await wallet.accounts.list(network)
    // A wallet that was locked meanwhile is unlocked first; then the question is there again.
    const locked = (await wallet.vault.status()) === 'locked'
    const review: Review = locked ? { kind: 'unlock', method: record.purpose } : record.review
    const used = (await wallet.sites.list()).map(({ origin }) => origin)
    const looksLike = async () => {
      const { findLookAlike } = await import('../requests/site-likeness.ts')
      return findLookAlike(hostOf(record.origin), used.map(hostOf))
    }
    return {
      key: record.key,
      // Screens know by it what was answered: the unlock is another question than the one behind it.
      digest: locked ? (await loadReviewDigest())(record, review) : record.digest,
      origin: record.origin,
      position: 1,
      total: queue.length,
      network,
      account: accounts.filter(canSign).find(({ id }) => id === record.accountId) ?? null,
      wasDeclined: await wallet.declines.isDeclined(record.origin),
      review,
      ...(review.kind === 'choose-account' && {
        choice: {
          inUse: await wallet.accounts.selected(network),
          accounts: accounts.filter(canSign).filter(({ hidden }) => !hidden),
          phrases: (await wallet.accounts.phrases()) ?? [],
        },
      }),
      ...(used.includes(record.origin) ? {} : { unfamiliar: { looksLike: await looksLike() } }),
    }
  },

  /** Anything but `approve` rejects. Approving counts as a sign that the person is there, for auto-lock. */
  async decide({ wallet }, { key, decision, digest, input }) {
    if (decision !== 'approve') {
      await wallet.approvals.reject(key)
      return true
    }
    return wallet.approvals.approve({ key, digest, input }, async () => {
      if ((await wallet.vault.status()) !== 'unlocked') throw unauthorized('The wallet is locked.')
      await wallet.vault.touch()
    })
  },

  async getEndedRequest({ wallet }, { key }) {
    const asked = key ?? wallet.approvals.unasked()
    const { outcome } = (asked && (await wallet.requests.find(asked))) || {}
    return outcome && 'error' in outcome ? outcome.error : null
  },

  async showApprovals({ wallet }) {
    await wallet.approvals.show()
    return null
  },

  async closeApprovals({ wallet }) {
    return wallet.approvals.close()
  },
} satisfies UiMethodsOf<ApprovalMethodParts>

function hostOf(origin: string): string {
  return new URL(origin).hostname
}

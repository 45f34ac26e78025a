import { addAccount } from '../ui-methods/add-account.ts'
import { addScanned } from '../ui-methods/add-scanned.ts'
import { changePassword } from '../ui-methods/change-password.ts'
import { changeSettings } from '../ui-methods/change-settings.ts'
import { checkMnemonic } from '../ui-methods/check-mnemonic.ts'
import { checkServer } from '../ui-methods/check-server.ts'
import { checkWif } from '../ui-methods/check-wif.ts'
import { confirmInscribe } from '../ui-methods/confirm-inscribe.ts'
import { confirmPayment } from '../ui-methods/confirm-payment.ts'
import { createVault } from '../ui-methods/create-vault.ts'
import { decide } from '../ui-methods/decide.ts'
import { discardJob } from '../ui-methods/discard-job.ts'
import { dropUnsent } from '../ui-methods/drop-unsent.ts'
import { exportActivity } from '../ui-methods/export-activity.ts'
import { followBrc20 } from '../ui-methods/follow-brc20.ts'
import { forgetSeenAssets } from '../ui-methods/forget-seen-assets.ts'
import { generateMnemonic } from '../ui-methods/generate-mnemonic.ts'
import { getActivity } from '../ui-methods/get-activity.ts'
import { getActivityDetails } from '../ui-methods/get-activity-details.ts'
import { getApproval } from '../ui-methods/get-approval.ts'
import { getAtomical } from '../ui-methods/get-atomical.ts'
import { getAtomicals } from '../ui-methods/get-atomicals.ts'
import { getBrc20 } from '../ui-methods/get-brc20.ts'
import { getBrc20Token } from '../ui-methods/get-brc20-token.ts'
import { getBumpOptions } from '../ui-methods/get-bump-options.ts'
import { getCoins } from '../ui-methods/get-coins.ts'
import { getContacts } from '../ui-methods/get-contacts.ts'
import { getFeeRates } from '../ui-methods/get-fee-rates.ts'
import { getInscription } from '../ui-methods/get-inscription.ts'
import { getInscriptionContent } from '../ui-methods/get-inscription-content.ts'
import { getInscriptions } from '../ui-methods/get-inscriptions.ts'
import { getJob } from '../ui-methods/get-job.ts'
import { getJobContent } from '../ui-methods/get-job-content.ts'
import { getJobs } from '../ui-methods/get-jobs.ts'
import { getOkxAlias } from '../ui-methods/get-okx-alias.ts'
import { getOverview } from '../ui-methods/get-overview.ts'
import { getServerStates } from '../ui-methods/get-server-states.ts'
import { getServers } from '../ui-methods/get-servers.ts'
import { getSites } from '../ui-methods/get-sites.ts'
import { getState } from '../ui-methods/get-state.ts'
import { importWif } from '../ui-methods/import-wif.ts'
import { lock } from '../ui-methods/lock.ts'
import { planBump } from '../ui-methods/plan-bump.ts'
import { planInscribe } from '../ui-methods/plan-inscribe.ts'
import { planJobBump } from '../ui-methods/plan-job-bump.ts'
import { planJobRefund } from '../ui-methods/plan-job-refund.ts'
import { planPayment } from '../ui-methods/plan-payment.ts'
import { planSplit } from '../ui-methods/plan-split.ts'
import { planTokenTransfer } from '../ui-methods/plan-token-transfer.ts'
import { planTransfer } from '../ui-methods/plan-transfer.ts'
import { removeAccount } from '../ui-methods/remove-account.ts'
import { removeContact } from '../ui-methods/remove-contact.ts'
import { renameAccount } from '../ui-methods/rename-account.ts'
import { resetWallet } from '../ui-methods/reset-wallet.ts'
import { resumeJob } from '../ui-methods/resume-job.ts'
import { revealKey } from '../ui-methods/reveal-key.ts'
import { revealPhrase } from '../ui-methods/reveal-phrase.ts'
import { revokeSite } from '../ui-methods/revoke-site.ts'
import { saveContact } from '../ui-methods/save-contact.ts'
import { scanAddresses } from '../ui-methods/scan-addresses.ts'
import { selectAccount } from '../ui-methods/select-account.ts'
import { selectNetwork } from '../ui-methods/select-network.ts'
import { setAccountHidden } from '../ui-methods/set-account-hidden.ts'
import { setCoinChoice } from '../ui-methods/set-coin-choice.ts'
import { setLabel } from '../ui-methods/set-label.ts'
import { setOkxAlias } from '../ui-methods/set-okx-alias.ts'
import { setServer } from '../ui-methods/set-server.ts'
import { showApprovals } from '../ui-methods/show-approvals.ts'
import { touch } from '../ui-methods/touch.ts'
import type { UiMethodTable } from '../ui-methods/ui-context.ts'
import { unlock } from '../ui-methods/unlock.ts'
import { watchAddress } from '../ui-methods/watch-address.ts'

/** One file a method of our own pages. */
export const uiMethods: UiMethodTable = {
  getState,
  generateMnemonic,
  checkMnemonic,
  checkWif,
  createVault,
  unlock,
  lock,
  touch,
  changePassword,
  revealPhrase,
  revealKey,
  resetWallet,
  selectAccount,
  addAccount,
  importWif,
  watchAddress,
  renameAccount,
  setAccountHidden,
  removeAccount,
  scanAddresses,
  addScanned,
  selectNetwork,
  getServers,
  checkServer,
  setServer,
  getServerStates,
  getOverview,
  getActivity,
  getActivityDetails,
  setLabel,
  dropUnsent,
  exportActivity,
  getCoins,
  setCoinChoice,
  forgetSeenAssets,
  getInscriptions,
  getInscription,
  getInscriptionContent,
  getAtomicals,
  getAtomical,
  getBrc20,
  getBrc20Token,
  followBrc20,
  planJobBump,
  planJobRefund,
  confirmInscribe,
  getJobs,
  getJob,
  getJobContent,
  resumeJob,
  discardJob,
  getFeeRates,
  planInscribe,
  planPayment,
  planTransfer,
  planTokenTransfer,
  planSplit,
  getBumpOptions,
  planBump,
  confirmPayment,
  getContacts,
  saveContact,
  removeContact,
  getSites,
  revokeSite,
  changeSettings,
  getOkxAlias,
  setOkxAlias,
  getApproval,
  decide,
  showApprovals,
}

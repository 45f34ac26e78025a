import { addAccount } from './add-account.ts'
import { addScanned } from './add-scanned.ts'
import { changePassword } from './change-password.ts'
import { changeSettings } from './change-settings.ts'
import { checkMnemonic } from './check-mnemonic.ts'
import { checkServer } from './check-server.ts'
import { checkWif } from './check-wif.ts'
import { confirmInscribe } from './confirm-inscribe.ts'
import { confirmPayment } from './confirm-payment.ts'
import { createVault } from './create-vault.ts'
import { decide } from './decide.ts'
import { discardJob } from './discard-job.ts'
import { dropUnsent } from './drop-unsent.ts'
import { exportActivity } from './export-activity.ts'
import { followBrc20 } from './follow-brc20.ts'
import { forgetSeenAssets } from './forget-seen-assets.ts'
import { generateMnemonic } from './generate-mnemonic.ts'
import { getActivity } from './get-activity.ts'
import { getActivityDetails } from './get-activity-details.ts'
import { getApproval } from './get-approval.ts'
import { getAtomical } from './get-atomical.ts'
import { getAtomicals } from './get-atomicals.ts'
import { getBrc20 } from './get-brc20.ts'
import { getBrc20Token } from './get-brc20-token.ts'
import { getBumpOptions } from './get-bump-options.ts'
import { getCoins } from './get-coins.ts'
import { getContacts } from './get-contacts.ts'
import { getFeeRates } from './get-fee-rates.ts'
import { getInscription } from './get-inscription.ts'
import { getInscriptionContent } from './get-inscription-content.ts'
import { getInscriptions } from './get-inscriptions.ts'
import { getJob } from './get-job.ts'
import { getJobContent } from './get-job-content.ts'
import { getJobs } from './get-jobs.ts'
import { getOkxAlias } from './get-okx-alias.ts'
import { getOverview } from './get-overview.ts'
import { getServerStates } from './get-server-states.ts'
import { getServers } from './get-servers.ts'
import { getSites } from './get-sites.ts'
import { getState } from './get-state.ts'
import { importWif } from './import-wif.ts'
import { lock } from './lock.ts'
import { planBump } from './plan-bump.ts'
import { planInscribe } from './plan-inscribe.ts'
import { planJobBump } from './plan-job-bump.ts'
import { planJobRefund } from './plan-job-refund.ts'
import { planPayment } from './plan-payment.ts'
import { planSplit } from './plan-split.ts'
import { planTokenTransfer } from './plan-token-transfer.ts'
import { planTransfer } from './plan-transfer.ts'
import { removeAccount } from './remove-account.ts'
import { removeContact } from './remove-contact.ts'
import { renameAccount } from './rename-account.ts'
import { resetWallet } from './reset-wallet.ts'
import { resumeJob } from './resume-job.ts'
import { revealKey } from './reveal-key.ts'
import { revealPhrase } from './reveal-phrase.ts'
import { revokeSite } from './revoke-site.ts'
import { saveContact } from './save-contact.ts'
import { scanAddresses } from './scan-addresses.ts'
import { selectAccount } from './select-account.ts'
import { selectNetwork } from './select-network.ts'
import { setAccountHidden } from './set-account-hidden.ts'
import { setCoinChoice } from './set-coin-choice.ts'
import { setLabel } from './set-label.ts'
import { setOkxAlias } from './set-okx-alias.ts'
import { setServer } from './set-server.ts'
import { showApprovals } from './show-approvals.ts'
import { touch } from './touch.ts'
import type { UiMethodTable } from './ui-context.ts'
import { unlock } from './unlock.ts'
import { watchAddress } from './watch-address.ts'

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

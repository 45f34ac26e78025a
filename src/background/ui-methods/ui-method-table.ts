import { removeAccount } from './accounts.ts'
import { dropUnsent } from './activity.ts'
import { addAccount } from './add-account.ts'
import { addScanned } from './add-scanned.ts'
import { getApproval } from './approvals.ts'
import { getBrc20Token } from './brc20.ts'
import { changePassword } from './change-password.ts'
import { checkMnemonic } from './check-mnemonic.ts'
import { checkServer } from './check-server.ts'
import { checkWif } from './check-wif.ts'
import { setCoinChoice } from './coins.ts'
import { getInscriptionContent } from './collectibles.ts'
import { confirmInscribe } from './confirm-inscribe.ts'
import { confirmPayment } from './confirm-payment.ts'
import { saveContact } from './contacts.ts'
import { decide } from './decide.ts'
import { discardJob } from './discard-job.ts'
import { exportActivity } from './export-activity.ts'
import { followBrc20 } from './follow-brc20.ts'
import { forgetSeenAssets } from './forget-seen-assets.ts'
import { generateMnemonic } from './generate-mnemonic.ts'
import { getActivity } from './get-activity.ts'
import { getActivityDetails } from './get-activity-details.ts'
import { getAtomical } from './get-atomical.ts'
import { getAtomicals } from './get-atomicals.ts'
import { getBrc20 } from './get-brc20.ts'
import { getBumpOptions } from './get-bump-options.ts'
import { getCoins } from './get-coins.ts'
import { getContacts } from './get-contacts.ts'
import { getFeeRates } from './get-fee-rates.ts'
import { getInscription } from './get-inscription.ts'
import { getInscriptions } from './get-inscriptions.ts'
import { getJob } from './get-job.ts'
import { getJobContent } from './get-job-content.ts'
import { getJobs } from './get-jobs.ts'
import { getOkxAlias } from './get-okx-alias.ts'
import { getServerStates } from './get-server-states.ts'
import { getServers } from './get-servers.ts'
import { getState } from './get-state.ts'
import { importWif } from './import-wif.ts'
import { planInscribe } from './inscribing.ts'
import { lock } from './lock.ts'
import { getOverview } from './overview.ts'
import { planPayment } from './payments.ts'
import { planBump } from './plan-bump.ts'
import { planJobBump } from './plan-job-bump.ts'
import { planJobRefund } from './plan-job-refund.ts'
import { planSplit } from './plan-split.ts'
import { planTokenTransfer } from './plan-token-transfer.ts'
import { planTransfer } from './plan-transfer.ts'
import { removeContact } from './remove-contact.ts'
import { renameAccount } from './rename-account.ts'
import { resetWallet } from './reset-wallet.ts'
import { resumeJob } from './resume-job.ts'
import { revealKey } from './reveal-key.ts'
import { revealPhrase } from './reveal-phrase.ts'
import { revokeSite } from './revoke-site.ts'
import { scanAddresses } from './scan-addresses.ts'
import { selectAccount } from './select-account.ts'
import { selectNetwork } from './select-network.ts'
import { setServer } from './servers.ts'
import { setAccountHidden } from './set-account-hidden.ts'
import { setLabel } from './set-label.ts'
import { setOkxAlias } from './set-okx-alias.ts'
import { changeSettings } from './settings.ts'
import { showApprovals } from './show-approvals.ts'
import { getSites } from './sites.ts'
import { touch } from './touch.ts'
import type { UiMethodTable } from './ui-context.ts'
import { unlock } from './unlock.ts'
import { createVault } from './vault.ts'
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

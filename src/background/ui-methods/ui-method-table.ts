import { checkMnemonic } from './check-mnemonic.ts'
import { createVault } from './create-vault.ts'
import { decide } from './decide.ts'
import { generateMnemonic } from './generate-mnemonic.ts'
import { getApproval } from './get-approval.ts'
import { getOverview } from './get-overview.ts'
import { getState } from './get-state.ts'
import { lock } from './lock.ts'
import { selectAccount } from './select-account.ts'
import { selectNetwork } from './select-network.ts'
import { setServer } from './set-server.ts'
import { showApprovals } from './show-approvals.ts'
import { touch } from './touch.ts'
import type { UiMethodTable } from './ui-context.ts'
import { unlock } from './unlock.ts'

/** One file a method of our own pages. */
export const uiMethods: UiMethodTable = {
  getState,
  generateMnemonic,
  checkMnemonic,
  createVault,
  unlock,
  lock,
  touch,
  selectAccount,
  selectNetwork,
  setServer,
  getOverview,
  getApproval,
  decide,
  showApprovals,
}

import type { CommitRefundParts } from '../inscribing/commit-refund.ts'
import type { LoadedPsbtParts } from '../psbts/loaded-psbt.ts'
import { type AccountMethodParts, accountMethods } from './accounts.ts'
import { type ActivityMethodParts, activityMethods } from './activity.ts'
import { type ApprovalHistoryMethodParts, approvalHistoryMethods } from './approval-history.ts'
import { type ApprovalMethodParts, approvalMethods } from './approvals.ts'
import { type BackupMethodParts, backupMethods } from './backups.ts'
import { type Brc20MethodParts, brc20Methods } from './brc20.ts'
import { type CoinMethodParts, coinMethods } from './coins.ts'
import { type CollectibleMethodParts, collectibleMethods } from './collectibles.ts'
import { commitRefundMethods } from './commit-refunds.ts'
import { type ContactMethodParts, contactMethods } from './contacts.ts'
import { type CosigningMethodParts, cosigningMethods } from './cosigning.ts'
import { type InscribingMethodParts, inscribingMethods } from './inscribing.ts'
import { type MessageMethodParts, messageMethods } from './messages.ts'
import { type MintingMethodParts, mintingMethods } from './minting.ts'
import { type OverviewMethodParts, overviewMethods } from './overview.ts'
import { type PaymentMethodParts, paymentMethods } from './payments.ts'
import { type PhraseMethodParts, phraseMethods } from './phrases.ts'
import { type PriceChartMethodParts, priceChartMethods } from './price-chart.ts'
import { psbtMethods } from './psbts.ts'
import { type RecordMethodParts, recordMethods } from './records.ts'
import { type ServerMethodParts, serverMethods } from './servers.ts'
import { type SettingsMethodParts, settingsMethods } from './settings.ts'
import { type SiteMethodParts, siteMethods } from './sites.ts'
import { type StateMethodParts, stateMethods } from './state.ts'
import type { UiMethodTable } from './ui-context.ts'
import { type VaultMethodParts, vaultMethods } from './vault.ts'

/** The parts of the wallet that these methods use, each file its own few. */
export type UiParts = StateMethodParts &
  OverviewMethodParts &
  PriceChartMethodParts &
  VaultMethodParts &
  AccountMethodParts &
  PhraseMethodParts &
  ServerMethodParts &
  ActivityMethodParts &
  CoinMethodParts &
  CollectibleMethodParts &
  InscribingMethodParts &
  CommitRefundParts &
  MessageMethodParts &
  MintingMethodParts &
  Brc20MethodParts &
  PaymentMethodParts &
  CosigningMethodParts &
  LoadedPsbtParts &
  ContactMethodParts &
  SiteMethodParts &
  ApprovalHistoryMethodParts &
  SettingsMethodParts &
  BackupMethodParts &
  RecordMethodParts &
  ApprovalMethodParts

/**
 * The handlers of what our own pages may ask of the background, one file a noun; `views/ui-methods.ts` says what each takes and
 * gives. A handler checks its parameters, calls a room of the wallet, and puts the result into JSON. It holds no rule about
 * money, keys or coins itself, and no other room imports it.
 */
export const uiMethods: UiMethodTable<UiParts> = {
  ...stateMethods,
  ...overviewMethods,
  ...priceChartMethods,
  ...vaultMethods,
  ...accountMethods,
  ...phraseMethods,
  ...serverMethods,
  ...activityMethods,
  ...coinMethods,
  ...collectibleMethods,
  ...inscribingMethods,
  ...commitRefundMethods,
  ...messageMethods,
  ...mintingMethods,
  ...brc20Methods,
  ...paymentMethods,
  ...cosigningMethods,
  ...psbtMethods,
  ...contactMethods,
  ...siteMethods,
  ...approvalHistoryMethods,
  ...settingsMethods,
  ...backupMethods,
  ...recordMethods,
  ...approvalMethods,
}

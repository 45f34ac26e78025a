import { accountMethods } from './accounts.ts'
import { activityMethods } from './activity.ts'
import { approvalMethods } from './approvals.ts'
import { brc20Methods } from './brc20.ts'
import { coinMethods } from './coins.ts'
import { collectibleMethods } from './collectibles.ts'
import { contactMethods } from './contacts.ts'
import { inscribingMethods } from './inscribing.ts'
import { overviewMethods } from './overview.ts'
import { paymentMethods } from './payments.ts'
import { serverMethods } from './servers.ts'
import { settingsMethods } from './settings.ts'
import { siteMethods } from './sites.ts'
import type { UiMethodTable } from './ui-context.ts'
import { vaultMethods } from './vault.ts'

/**
 * The handlers of what our own pages may ask of the background, one file a noun; `views/ui-methods.ts` says what each takes and
 * gives. A handler checks its parameters, calls a room of the wallet, and puts the result into JSON. It holds no rule about
 * money, keys or coins itself, and no other room imports it.
 */
export const uiMethods: UiMethodTable = {
  ...overviewMethods,
  ...vaultMethods,
  ...accountMethods,
  ...serverMethods,
  ...activityMethods,
  ...coinMethods,
  ...collectibleMethods,
  ...inscribingMethods,
  ...brc20Methods,
  ...paymentMethods,
  ...contactMethods,
  ...siteMethods,
  ...settingsMethods,
  ...approvalMethods,
}

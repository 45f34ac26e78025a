import type { Accounts } from '../accounts/accounts.ts'
import type { AuthenticRecords } from '../keys/authentic-records.ts'
import type { Vault } from '../keys/vault.ts'
import type { Approvals } from '../requests/approvals.ts'
import type { ChosenServers } from '../settings/chosen-servers.ts'
import type { OneTimeNoticeStore } from '../settings/one-time-notices.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type StateMethodParts = {
  vault: Pick<Vault, 'status' | 'unlockDelayMs' | 'passkey'>
  accounts: Pick<Accounts, 'network' | 'list' | 'selected' | 'phrases'>
  approvals: Pick<Approvals, 'queue'>
  settings: Pick<SettingsStore, 'load'>
  records: Pick<AuthenticRecords, 'listChanged'>
  chosenServers: Pick<ChosenServers, 'chainServer'>
  oneTimeNotices: Pick<OneTimeNoticeStore, 'load'>
}

/** What the popup reads first, by which it knows what to show. No server is asked. */
export const stateMethods = {
  async getState({ wallet }) {
    const network = await wallet.accounts.network()
    const [
      vault,
      unlockDelayMs,
      passkey,
      server,
      accounts,
      selected,
      settings,
      changed,
      queue,
      phrases,
      oneTimeNotices,
    ] = await Promise.all([
      wallet.vault.status(),
      wallet.vault.unlockDelayMs(),
      wallet.vault.passkey(),
      wallet.chosenServers.chainServer(network),
      wallet.accounts.list(network),
      wallet.accounts.selected(network),
      wallet.settings.load(),
      wallet.records.listChanged(),
      wallet.approvals.queue(),
      wallet.accounts.phrases(),
      wallet.oneTimeNotices.load(),
    ])
    return {
      vault,
      unlockDelayMs,
      passkey,
      network,
      server,
      accounts,
      accountId: selected?.id ?? null,
      hasPhrase: phrases && phrases.length > 0,
      phrases: phrases ?? [],
      settings,
      hasChangedRecords: changed.length > 0,
      pendingApprovals: queue.length,
      oneTimeNotices,
    }
  },
} satisfies UiMethodsOf<StateMethodParts>

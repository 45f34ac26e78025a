import type { Accounts } from '../accounts/accounts.ts'
import type { AuthenticRecords } from '../keys/authentic-records.ts'
import type { Vault } from '../keys/vault.ts'
import type { Approvals } from '../requests/approvals.ts'
import type { Servers } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type StateMethodParts = {
  vault: Pick<Vault, 'status' | 'unlockDelayMs' | 'passkey'>
  accounts: Pick<Accounts, 'network' | 'list' | 'selected' | 'hasPhrase'>
  approvals: Pick<Approvals, 'queue'>
  settings: Pick<SettingsStore, 'load'>
  records: Pick<AuthenticRecords, 'listChanged'>
  servers: Pick<Servers, 'chainServer'>
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
      hasPhrase,
    ] = await Promise.all([
      wallet.vault.status(),
      wallet.vault.unlockDelayMs(),
      wallet.vault.passkey(),
      wallet.servers.chainServer(network),
      wallet.accounts.list(network),
      wallet.accounts.selected(network),
      wallet.settings.load(),
      wallet.records.listChanged(),
      wallet.approvals.queue(),
      wallet.accounts.hasPhrase(),
    ])
    return {
      vault,
      unlockDelayMs,
      passkey,
      network,
      server,
      accounts,
      accountId: selected?.id ?? null,
      hasPhrase,
      settings,
      hasChangedRecords: changed.length > 0,
      pendingApprovals: queue.length,
    }
  },
} satisfies UiMethodsOf<StateMethodParts>

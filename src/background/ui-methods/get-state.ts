import type { UiMethod } from './ui-context.ts'

export const getState: UiMethod<'getState'> = async ({ wallet }) => {
  const network = await wallet.accounts.network()
  const [vault, unlockDelayMs, server, accounts, selected, queue] = await Promise.all([
    wallet.vault.status(),
    wallet.vault.unlockDelayMs(),
    wallet.servers.esplora(network),
    wallet.accounts.list(network),
    wallet.accounts.selected(network),
    wallet.approvals.queue(),
  ])
  return {
    vault,
    unlockDelayMs,
    network,
    server,
    accounts,
    accountId: selected?.id ?? null,
    pendingApprovals: queue.length,
  }
}

import type { UiMethod } from './ui-context.ts'

export const getState: UiMethod<'getState'> = async ({ wallet }) => {
  const network = await wallet.accounts.network()
  const [vault, unlockDelayMs, server, accounts, selected, settings, queue, hasPhrase] =
    await Promise.all([
      wallet.vault.status(),
      wallet.vault.unlockDelayMs(),
      wallet.servers.chainServer(network),
      wallet.accounts.list(network),
      wallet.accounts.selected(network),
      wallet.settings.load(),
      wallet.approvals.queue(),
      wallet.accounts.hasPhrase(),
    ])
  return {
    vault,
    unlockDelayMs,
    network,
    server,
    accounts,
    accountId: selected?.id ?? null,
    hasPhrase,
    settings,
    pendingApprovals: queue.length,
  }
}

import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { unauthorized } from '../../provider/errors.ts'
import type { UiMethod } from './ui-context.ts'
import type { ActivityEntry } from './ui-methods.ts'

export const getOverview: UiMethod<'getOverview'> = async ({ wallet }) => {
  const network = await wallet.accounts.network()
  const account = await wallet.accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked.')
  const list = async (): Promise<ActivityEntry[]> =>
    (await wallet.activity.list(network, account.id)).map(({ spends, creates, ...entry }) => entry)
  try {
    const chain = await wallet.chain(network)
    const balance = await chain.fetchBalance(account.address)
    await wallet.activity.refresh(chain, account.id)
    return {
      balance: { confirmed: String(balance.confirmed), unconfirmed: String(balance.unconfirmed) },
      problem: null,
      activity: await list(),
    }
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return { balance: null, problem: error.message, activity: await list() }
  }
}

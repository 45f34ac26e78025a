import { invalidParams } from '../../provider/errors.ts'
import { parseTicker } from './read-ticker.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const followBrc20: UiMethod<'followBrc20'> = async ({ wallet }, params) => {
  const { followed } = params
  if (typeof followed !== 'boolean') throw invalidParams('followed', followed, 'true or false')
  const { network } = await loadSelected(wallet)
  await wallet.brc20Tickers.follow(network, parseTicker(params.tick), followed)
  return null
}

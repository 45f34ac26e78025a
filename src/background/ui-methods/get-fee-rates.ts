import { loadFeeRates } from '../review/fee-rates.ts'
import type { UiMethod } from './ui-context.ts'

export const getFeeRates: UiMethod<'getFeeRates'> = async ({ wallet }) =>
  loadFeeRates(wallet, await wallet.accounts.network())

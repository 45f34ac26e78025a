import type { PayingAccountView } from '../../background/views/account-views.ts'
import type { CoinView, FeeRatesView } from '../../background/views/payment-views.ts'
import { parseAddress } from '../../bitcoin/address.ts'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import type { Network } from '../../bitcoin/network.ts'
import { transactionVsize } from '../../bitcoin/transaction-size.ts'
import { parseFeeRateText } from './fee-form.ts'
import { parsePayeeText, type SendForm, sumAmounts } from './send-form.ts'

type EstimateContext = {
  account: PayingAccountView
  network: Network
  coins: readonly CoinView[] | null
  rates: FeeRatesView | null
}

/**
 * About how many sats the payment costs, with the largest coins and one change; the review has the exact fee. Null while
 * coins or fee rate are not known.
 */
export function estimateFee(form: SendForm, context: EstimateContext): bigint | null {
  const { account, network, rates } = context
  const feeRate = parseFeeRateText(form, rates)
  if (feeRate === null || context.coins === null) return null
  const usable = context.coins.filter(({ outpoint, held }) =>
    form.coins === null ? held === null : form.coins.includes(outpoint),
  )
  const own = parseAddress(account.address, network).scriptPubKey
  const isMax = form.recipients.some(({ max }) => max)
  const scripts = [
    ...form.recipients.map(({ to }) => {
      const address = parsePayeeText(to, network)
      return 'error' in address ? own : address.scriptPubKey
    }),
    ...(form.memo === '' ? [] : [new Uint8Array(2 + toUtf8(form.memo.toWellFormed()).length)]),
    ...(isMax ? [] : [own]),
  ]
  const type = account.source === 'multisig' ? account.spendType : account.addressType
  const sizeOf = (count: number) => transactionVsize(type, count, scripts)
  const count =
    isMax || form.coins !== null
      ? usable.length
      : countNeeded(usable, count => sumAmounts(form) + feeForVsize(sizeOf(count), feeRate))
  return feeForVsize(sizeOf(Math.max(count, 1)), feeRate)
}

/** How many coins, taken in their order (largest first), reach `needed(count)` sats; all of them when they do not. */
export function countNeeded(coins: readonly CoinView[], needed: (count: number) => bigint): number {
  let sum = 0n
  const at = coins.findIndex(({ sats }, index) => {
    sum += BigInt(sats)
    return sum >= needed(index + 1)
  })
  return at === -1 ? coins.length : at + 1
}

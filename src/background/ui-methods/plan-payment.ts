import { invalidParams } from '../../provider/errors.ts'
import {
  parseFeeRateParam,
  parseIndex,
  parseMemo,
  parseSatsParam,
  parseString,
} from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { parseLabel } from '../activity/labels.ts'
import {
  type OrderedRecipient,
  type PaymentOrder,
  planPayment as plan,
} from '../payments/payment-plan.ts'
import { keepPlan } from '../payments/plans.ts'
import type { PaymentDraft } from '../views/payment-views.ts'
import { parseOutpointParam } from './read-outpoint.ts'
import type { UiMethod } from './ui-context.ts'

/** As many as a transaction that nodes relay can hold, and some. */
const MAX_RECIPIENTS = 3_000

export const planPayment: UiMethod<'planPayment'> = async ({ wallet, random }, draft) => {
  const label = parseLabel(draft.label)
  const order = readDraft(draft)
  const context = await payFromSelected(wallet)
  return keepPlan(context, random, await plan(context, order), label)
}

function readDraft({ recipients, memo, feeRate, coins }: PaymentDraft): PaymentOrder {
  return {
    recipients: readRecipients(recipients),
    memo: memo && {
      text: parseMemo('memo', memo.text),
      position: parseIndex('memo.position', memo.position, MAX_RECIPIENTS),
    },
    feeRate: parseFeeRateParam('feeRate', feeRate),
    coins: coins && readCoins(coins),
    // The same draft takes the same coins, whatever its fee rate.
    seed: JSON.stringify(recipients),
  }
}

function readRecipients(recipients: PaymentDraft['recipients']): OrderedRecipient[] {
  if (!Array.isArray(recipients) || recipients.length < 1 || recipients.length > MAX_RECIPIENTS)
    throw invalidParams('recipients', recipients, `1 to ${MAX_RECIPIENTS} recipients`)
  const read = recipients.map(({ to, sats }, index): OrderedRecipient => {
    const fields = { to: `recipients[${index}].to`, amount: `recipients[${index}].sats` }
    const amount = sats === 'max' ? sats : parseSatsParam(fields.amount, sats)
    return { to: parseString(fields.to, to, 100), amount, fields }
  })
  if (read.filter(({ amount }) => amount === 'max').length > 1)
    throw invalidParams('recipients', recipients, 'at most one that takes the rest')
  return read
}

function readCoins(coins: readonly string[]): string[] {
  if (!Array.isArray(coins) || coins.length === 0)
    throw invalidParams('coins', coins, 'at least one coin, or nothing')
  return [...new Set(coins.map(coin => parseOutpointParam('coins', coin)))]
}

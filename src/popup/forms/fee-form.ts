import type { FeeRatesView } from '../../background/views/payment-views.ts'
import { parseFeeRate } from '../../bitcoin/fee-rate.ts'
import { words } from '../platform/words.ts'
import { plainNumber } from '../ui/text/typed-number.ts'

/** One of the three rates that the server gives, or the person's own. */
export type FeeChoice = 'fastest' | 'halfHour' | 'hour' | 'custom'

/** The part of a form that says at which rate the fee is paid, as typed. */
export type FeeForm = { fee: FeeChoice; customRate: string }

/** What a form starts with. */
export const DEFAULT_FEE: FeeForm = { fee: 'halfHour', customRate: '' }

/** sat/vB that the form means; null while it is not known or not a fee rate. */
export function parseFeeRateText(form: FeeForm, rates: FeeRatesView | null): number | null {
  return form.fee === 'custom' ? parseRateText(form.customRate) : (rates?.[form.fee] ?? null)
}

/** sat/vB of what was typed; null when it is no fee rate. */
export function parseRateText(text: string): number | null {
  try {
    return parseFeeRate(plainNumber(text))
  } catch {
    return null
  }
}

/** What is wrong with the person's own rate, in words. */
export function explainCustomRate(form: FeeForm): string | null {
  const isWrong = form.fee === 'custom' && parseRateText(form.customRate) === null
  return isWrong ? words('sendRateInvalid') : null
}

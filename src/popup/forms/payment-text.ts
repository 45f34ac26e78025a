import { formatBtc } from '../../bitcoin/amount.ts'
import { InvalidPaymentLinkError, isPaymentLink, parsePaymentLink } from '../../bitcoin/bip21.ts'
import { type WordKey, words } from '../platform/words.ts'
import { cleanLabel } from './send-form.ts'

/** What a text from outside asks for; empty where it leaves something open. */
export type PaymentText = { to: string; amountBtc: string; label: string }

/** Reads what was pasted or what a QR code holds: a payment link or an address. Throws an Error in words for a person. */
export function parsePaymentText(text: string): PaymentText {
  const trimmed = text.trim()
  if (!isPaymentLink(trimmed)) return { to: trimmed, amountBtc: '', label: '' }
  try {
    const { address, amount, label, message } = parsePaymentLink(trimmed)
    return {
      to: address,
      amountBtc: amount === null ? '' : formatBtc(amount).replace(/\.?0+$/, ''),
      label: cleanLabel([label, message].filter(part => part).join(': ')),
    }
  } catch (error) {
    if (!(error instanceof InvalidPaymentLinkError)) throw error
    throw new Error(words(PROBLEMS[error.problem], { parameter: error.parameter }))
  }
}

const PROBLEMS: { [problem in InvalidPaymentLinkError['problem']]: WordKey } = {
  'no-address': 'sendLinkNoAddress',
  amount: 'sendLinkAmount',
  required: 'sendLinkRequired',
  duplicate: 'sendLinkDuplicate',
  encoding: 'sendLinkEncoding',
}

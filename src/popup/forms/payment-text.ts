import { formatBtc } from '../../bitcoin/amount.ts'
import {
  InvalidPaymentLinkError,
  isPaymentLink,
  type PaymentLink,
  parsePaymentLink,
} from '../../bitcoin/bip321.ts'
import type { Network } from '../../bitcoin/network.ts'
import { findPayableAddress } from '../../bitcoin/silent-payments/payee.ts'
import { type WordKey, words } from '../platform/words.ts'
import { cleanLabel } from '../ui/text/label.ts'
import { cleanPayee } from './send-form.ts'

/** What a text from outside asks for; empty where it leaves something open. */
export type PaymentText = { to: string; amountBtc: string; label: string }

/**
 * Reads what was pasted or what a QR code holds: an address, or a payment link, of which the first address of the network in use is
 * taken. Throws an Error in words for a person.
 */
export function parsePaymentText(text: string, network: Network): PaymentText {
  const trimmed = text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
  if (!isPaymentLink(trimmed)) return { to: cleanPayee(text), amountBtc: '', label: '' }
  try {
    const link = parsePaymentLink(trimmed)
    const { amount, label, message } = link
    return {
      to: cleanPayee(chooseAddress(link, network)),
      amountBtc: amount === null ? '' : formatBtc(amount).replace(/\.?0+$/, ''),
      label: cleanLabel([label, message].filter(part => part).join(': ')),
    }
  } catch (error) {
    if (!(error instanceof InvalidPaymentLinkError)) throw error
    throw new Error(words(PROBLEMS[error.problem], { parameter: error.parameter }))
  }
}

/** Where none is of this network, the first one: its field says which network it is of. Throws an Error in words. */
function chooseAddress(link: PaymentLink, network: Network): string {
  const [first] = [...link.addresses, ...link.silentPayments]
  if (first === undefined) throw new Error(words('sendLinkLightning'))
  return findPayableAddress(link, network) ?? first
}

const PROBLEMS: { [problem in InvalidPaymentLinkError['problem']]: WordKey } = {
  'no-address': 'sendLinkNoAddress',
  amount: 'sendLinkAmount',
  address: 'sendLinkAddress',
  required: 'sendLinkRequired',
  duplicate: 'sendLinkDuplicate',
  encoding: 'sendLinkEncoding',
}

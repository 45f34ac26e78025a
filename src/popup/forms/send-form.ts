/**
 * Parts of forms that several screens use: recipients, fees, passwords, recovery words, the steps from a plan to its
 * review and its result. Text is kept as typed and read by pure functions that say in words what is wrong. Nothing here signs
 * or sends: a form ends in a draft that the background plans and reviews.
 */

import type { FeeRatesView, PaymentDraft } from '../../background/views/payment-views.ts'
import { InvalidAddressError, parseAddress } from '../../bitcoin/address.ts'
import { MAX_SATS } from '../../bitcoin/amount.ts'
import { toUtf8 } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import type { Network } from '../../bitcoin/network.ts'
import { type Payee, parsePayee } from '../../bitcoin/silent-payments/payee.ts'
import { isSilentPaymentAddress } from '../../bitcoin/silent-payments/silent-payment-address.ts'
import { type PaymentName, parsePaymentName } from '../../dnssec/payment-name.ts'
import { joinList } from '../platform/join-words.ts'
import { countWords, words } from '../platform/words.ts'
import { nameBtc, nameSats } from '../ui/text/btc-digits.ts'
import { cleanLabel } from '../ui/text/label.ts'
import { NETWORK_NAMES } from '../ui/text/names.ts'
import { plainNumber } from '../ui/text/typed-number.ts'
import { DEFAULT_FEE, type FeeForm, parseFeeRateText } from './fee-form.ts'
import { networksOf } from './networks-of.ts'
import { parseAmount, type Unit } from './typed-amount.ts'

/** Bitcoin Core relays one data output of up to 80 bytes in every version. */
export const MEMO_BYTES = 80

export type RecipientForm = { to: string; amount: string; max: boolean }

/** What the person has typed, as typed; public data only. */
export type SendForm = FeeForm & {
  recipients: RecipientForm[]
  unit: Unit
  label: string
  memo: string
  coins: string[] | null
}

/** What the form is read against; null while it is not known. */
export type SendContext = {
  network: Network
  rates: FeeRatesView | null
  /** Sats that may be spent, of the chosen coins if there are any. */
  available: bigint | null
  /** Outpoints that may be chosen. */
  spendable: readonly string[] | null
  /** Whether the wallet has the one key of the account, without which no silent payment address can be paid. */
  hasKey: boolean
}

/** What is wrong, in words, by field. */
export type SendErrors = {
  recipients: { to: string | null; amount: string | null }[]
  memo: string | null
  coins: string | null
}

/** A recipient of whom nothing is typed yet. */
export function emptyRecipient(): RecipientForm {
  return { to: '', amount: '', max: false }
}

/** A payment of which nothing is typed yet, in BTC. */
export function emptyForm(): SendForm {
  return {
    recipients: [emptyRecipient()],
    unit: 'btc',
    ...DEFAULT_FEE,
    label: '',
    memo: '',
    coins: null,
  }
}

/** The payment that the form asks for; null with the errors that stand against it. */
export function parseForm(
  form: SendForm,
  context: SendContext,
): { draft: PaymentDraft | null; errors: SendErrors } {
  const amounts = form.recipients.map(({ amount }) => parseAmount(amount, form.unit))
  const total = sumAmounts(form)
  const rate = parseFeeRateText(form, context.rates)
  const coins = explainCoins(form.coins, context.spendable)
  const errors: SendErrors = {
    recipients: form.recipients.map((recipient, index) => {
      const payee = parseRecipientText(recipient.to, context.network)
      return {
        to: explainPayee(payee, context.hasKey),
        amount: recipient.max
          ? null
          : explainAmount(recipient, amounts[index] ?? null, {
              ...context,
              // Of coins that are gone nobody can say what is too much.
              available: coins === null ? context.available : null,
              unit: form.unit,
              total,
              script: 'scriptPubKey' in payee ? payee.scriptPubKey : null,
            }),
      }
    }),
    memo: explainMemo(form.memo),
    coins,
  }
  const wrong =
    rate === null ||
    errors.memo !== null ||
    errors.coins !== null ||
    errors.recipients.some(({ to, amount }) => to !== null || amount !== null)
  if (wrong) return { draft: null, errors }
  const draft: PaymentDraft = {
    recipients: form.recipients.map(({ to, max }, index) => ({
      to: to.trim(),
      sats: max ? 'max' : String(amounts[index]),
    })),
    // After the recipients: their order is what a person wrote down.
    memo: form.memo === '' ? null : { text: form.memo, position: form.recipients.length },
    feeRate: rate,
    coins: form.coins,
    label: cleanLabel(form.label),
  }
  return { draft, errors }
}

/** Sats of all amounts that can be read. */
export function sumAmounts({ recipients, unit }: SendForm): bigint {
  return recipients.reduce(
    (sum, { amount, max }) => (max ? sum : sum + (parseAmount(amount, unit) ?? 0n)),
    0n,
  )
}

/** Whom a text names, without blanks and without what nobody sees, which comes along where it was copied. */
export function cleanPayee(text: string): string {
  return text.replace(/[\s\p{Cf}]/gu, '')
}

/** Whether a text is meant as a name (BIP-353) and not as an address. */
export function looksLikeName(text: string): boolean {
  return /[@₿]/.test(text)
}

/** An address as it is, a name with the ₿ that BIP-353 has it shown with. */
export function payeeText(payee: string): string {
  return payee.includes('@') ? `₿${payee}` : payee
}

/** Who is paid, or why that is impossible on this network, in words. What a name leads to is found out later. */
function parseRecipientText(
  text: string,
  network: Network,
): Payee | PaymentName | { error: string } {
  if (!looksLikeName(text)) return parsePayeeText(text, network)
  return parsePaymentName(text) ?? { error: words('nameMalformed') }
}

/** An address, or why it cannot be paid on this network, in words. */
export type AddressReader = (
  text: string,
  network: Network,
) => Omit<Payee, 'isSilent'> | { error: string }

/** Reads who gets inscriptions, runes or tokens. */
export function parseAddressText(text: string, network: Network): ReturnType<AddressReader> {
  if (isSilentPaymentAddress(text.trim())) return { error: words('sendToSilentAsset') }
  return readAddress(text, network, parseAddress)
}

/** Reads who is paid sats: a silent payment address (BIP-352) too. */
export function parsePayeeText(text: string, network: Network): Payee | { error: string } {
  return readAddress(text, network, parsePayee)
}

function readAddress<T>(
  text: string,
  network: Network,
  parse: (text: string, network: Network) => T,
): T | { error: string } {
  const address = text.trim()
  if (address === '') return { error: words('sendToMissing') }
  try {
    return parse(address, network)
  } catch (error) {
    if (!(error instanceof InvalidAddressError)) throw error
    return { error: explainAddress(error, address, network) }
  }
}

function explainPayee(
  payee: Payee | PaymentName | { error: string },
  hasKey: boolean,
): string | null {
  if ('error' in payee) return payee.error
  return 'isSilent' in payee && payee.isSilent && !hasKey ? words('errorSilentPayment') : null
}

function explainAddress(error: InvalidAddressError, address: string, network: Network): string {
  if (error.problem === 'unknown-version')
    return words(isSilentPaymentAddress(address) ? 'sendToSilentFuture' : 'sendToFuture')
  if (error.problem !== 'wrong-network') return words('sendToMalformed')
  return words('sendToOtherNetwork', {
    owners: joinList(networksOf(address).map(owner => NETWORK_NAMES[owner])),
    network: NETWORK_NAMES[network],
  })
}

type AmountContext = SendContext & { unit: Unit; total: bigint; script: Uint8Array | null }

function explainAmount(
  { amount }: RecipientForm,
  sats: bigint | null,
  { unit, total, available, script }: AmountContext,
): string | null {
  if (amount.trim() === '') return words('sendAmountMissing')
  if (sats === null) {
    if (plainNumber(amount).includes(',')) return words('sendAmountComma')
    return words(unit === 'btc' ? 'sendAmountInvalid' : 'sendAmountInvalidSats')
  }
  const least = script === null ? 0n : dustLimit(script)
  if (sats < least) return words('sendAmountDust', { least: nameSats(least) })
  if (sats > MAX_SATS) return words('sendAmountInvalid')
  if (available !== null && total >= available) {
    if (available === 0n) return words('sendNothingAvailable')
    return words(total === available ? 'sendAmountNoFee' : 'sendAmountTooMuch', {
      available: unit === 'btc' ? nameBtc(available) : nameSats(available),
    })
  }
  return null
}

function explainMemo(memo: string): string | null {
  if (!memo.isWellFormed()) return words('commonBrokenCharacter')
  const extra = toUtf8(memo).length - MEMO_BYTES
  return extra > 0 ? countWords('sendMemoTooLong', extra) : null
}

/** A chosen coin may have been spent or locked since; it is an error, as no other coin may take its place. */
function explainCoins(chosen: string[] | null, spendable: readonly string[] | null): string | null {
  if (chosen === null || spendable === null) return null
  return chosen.every(outpoint => spendable.includes(outpoint)) ? null : words('sendCoinsGone')
}

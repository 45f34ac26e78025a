import { formatBtc, parseBtc } from './amount.ts'

/** What a payment link asks for; what it leaves open is null. The address is as written, except that capital bech32 is lowered. */
export type PaymentRequest = {
  address: string
  /** Sats. */
  amount: bigint | null
  /** Name of the receiver. */
  label: string | null
  /** What the payment is for. */
  message: string | null
}

/** A link that must not be paid as it is. */
export class InvalidPaymentLinkError extends Error {
  override name = 'InvalidPaymentLinkError'
  readonly problem: 'no-address' | 'amount' | 'required' | 'duplicate' | 'encoding'
  /** The parameter that is to blame; empty for none. */
  readonly parameter: string
  constructor(problem: InvalidPaymentLinkError['problem'], parameter = '') {
    super(`payment link: ${problem} ${parameter}`.trimEnd())
    this.problem = problem
    this.parameter = parameter
  }
}

/** Whether the text calls itself a payment link. */
export function isPaymentLink(text: string): boolean {
  return /^bitcoin:/i.test(text)
}

/**
 * Reads a BIP-21 link; throws {@link InvalidPaymentLinkError}. The address is not checked here. Parameters that BIP-21
 * does not know are passed over, further addresses among them, unless they are required. Its own keys are known in
 * capitals too, beyond the BIP: QR codes in capitals have them, and their amount would be lost.
 */
export function parsePaymentLink(link: string): PaymentRequest {
  const [, path = '', query = ''] = /^bitcoin:([^?#]*)(?:\?([^#]*))?/i.exec(link) ?? []
  if (path === '') throw new InvalidPaymentLinkError('no-address')
  const known: { [key in 'amount' | 'label' | 'message']: string | null } = {
    amount: null,
    label: null,
    message: null,
  }
  for (const parameter of query.split('&')) {
    const cut = parameter.indexOf('=')
    const name = cut === -1 ? parameter : parameter.slice(0, cut)
    const key = name.toLowerCase()
    if (key.startsWith('req-')) throw new InvalidPaymentLinkError('required', name)
    if (key !== 'amount' && key !== 'label' && key !== 'message') continue
    if (known[key] !== null) throw new InvalidPaymentLinkError('duplicate', key)
    known[key] = decodeValue(key, cut === -1 ? '' : parameter.slice(cut + 1))
  }
  return {
    address: lowerBech32(path),
    amount: known.amount === null ? null : readAmount(known.amount),
    label: known.label,
    message: known.message,
  }
}

/** The BIP-21 link of a request; a bare bech32 address in capitals, which a QR code holds in fewer, larger modules. */
export function formatPaymentLink({ address, amount, label, message }: PaymentRequest): string {
  const parameters = [
    amount === null ? [] : [`amount=${trimZeros(formatBtc(amount))}`],
    label === null ? [] : [`label=${encodeURIComponent(label)}`],
    message === null ? [] : [`message=${encodeURIComponent(message)}`],
  ].flat()
  if (parameters.length > 0) return `bitcoin:${address}?${parameters.join('&')}`
  return isBech32(address) ? `BITCOIN:${address.toUpperCase()}` : `bitcoin:${address}`
}

/** BIP-21: decimal BTC with at most one point; zeros that say nothing are in its grammar. */
function readAmount(text: string): bigint {
  const [, whole, decimals] = /^0*(\d*?)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  try {
    return parseBtc(`${whole || '0'}.${decimals || '0'}`)
  } catch {
    throw new InvalidPaymentLinkError('amount')
  }
}

function decodeValue(key: string, value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new InvalidPaymentLinkError('encoding', key)
  }
}

function lowerBech32(address: string): string {
  return /^(?:BC|TB|BCRT)1[A-Z0-9]*$/.test(address) ? address.toLowerCase() : address
}

function isBech32(address: string): boolean {
  return /^(?:bc|tb|bcrt)1[a-z0-9]*$/.test(address)
}

function trimZeros(amount: string): string {
  return amount.replace(/\.?0+$/, '')
}

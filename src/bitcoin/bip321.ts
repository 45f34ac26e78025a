import { formatBtc, parseBtc } from './amount.ts'

/** What a payment link asks for; what it leaves open is null. */
export type PaymentLink = {
  /** On-chain addresses, in the link's order, that of its path first; as written, except that capital bech32 is lowered. */
  addresses: readonly string[]
  /** Silent payment addresses (BIP-352), in the link's order, lowered. */
  silentPayments: readonly string[]
  /** Keys of other ways to pay that it offers, in lower case. */
  otherInstructions: readonly OtherInstruction[]
  /** Sats. */
  amount: bigint | null
  /** Name of the receiver. */
  label: string | null
  /** What the payment is for. */
  message: string | null
}

/** BOLT 11 invoices, BOLT 12 offers, BIP-351 private payments. */
export type OtherInstruction = 'lightning' | 'lno' | 'pay'

/** One address to be written as a link. */
export type PaymentRequest = Pick<PaymentLink, 'amount' | 'label' | 'message'> & {
  address: string
}

/** A link that must not be paid as it is. */
export class InvalidPaymentLinkError extends Error {
  override name = 'InvalidPaymentLinkError'
  readonly problem: 'no-address' | 'amount' | 'address' | 'required' | 'duplicate' | 'encoding'
  /** The parameter that is to blame; empty for none. */
  readonly parameter: string
  constructor(problem: InvalidPaymentLinkError['problem'], parameter = '') {
    super(`payment link: ${problem} ${parameter}`.trimEnd())
    this.problem = problem
    this.parameter = parameter
  }
}

/** Keys of addresses, which are the human-readable parts of these (BIP-173, BIP-352). */
const ADDRESS_KEYS: readonly string[] = ['bc', 'tb', 'bcrt']
const SILENT_KEYS: readonly string[] = ['sp', 'tsp']
const OTHER_KEYS: readonly string[] = ['lightning', 'lno', 'pay'] satisfies OtherInstruction[]
/** Keys that say something once. A link's proof of payment is never opened, so that `req-pop` is refused like all else required. */
const ONCE_KEYS: readonly string[] = ['amount', 'label', 'message', 'pop']

/** Whether the text calls itself a payment link. */
export function isPaymentLink(text: string): boolean {
  return /^bitcoin:/i.test(text)
}

/**
 * Reads a BIP-321 link; throws {@link InvalidPaymentLinkError}. Of an address nothing is checked but that it is below the key
 * of its human-readable part. Parameters that are not known are passed over, unless they are required.
 */
export function parsePaymentLink(link: string): PaymentLink {
  const [, path = '', query = ''] = /^bitcoin:([^?#]*)(?:\?([^#]*))?/i.exec(link) ?? []
  const addresses = path === '' ? [] : [lowerBech32(path)]
  const silentPayments: string[] = []
  const otherInstructions: OtherInstruction[] = []
  const once = new Map<string, string>()
  for (const parameter of query.split('&')) {
    const cut = parameter.indexOf('=')
    const name = cut === -1 ? parameter : parameter.slice(0, cut)
    const value = cut === -1 ? '' : parameter.slice(cut + 1)
    const key = name.toLowerCase()
    if (key.startsWith('req-')) throw new InvalidPaymentLinkError('required', name)
    if (ONCE_KEYS.includes(key)) {
      if (once.has(key)) throw new InvalidPaymentLinkError('duplicate', key)
      once.set(key, decodeValue(key, value))
    } else if (ADDRESS_KEYS.includes(key)) {
      addresses.push(readAddress(key, value))
    } else if (SILENT_KEYS.includes(key)) {
      silentPayments.push(readAddress(key, value))
    } else if (isOtherInstruction(key)) {
      otherInstructions.push(key)
    }
  }
  if (addresses.length + silentPayments.length + otherInstructions.length === 0)
    throw new InvalidPaymentLinkError('no-address')
  const amount = once.get('amount')
  return {
    addresses,
    silentPayments,
    otherInstructions,
    amount: amount === undefined ? null : readAmount(amount),
    label: once.get('label') ?? null,
    message: once.get('message') ?? null,
  }
}

/** The BIP-321 link of a request; a bare bech32 address in capitals, which a QR code holds in fewer, larger modules. */
export function formatPaymentLink({ address, amount, label, message }: PaymentRequest): string {
  const parameters = [
    amount === null ? [] : [`amount=${trimZeros(formatBtc(amount))}`],
    label === null ? [] : [`label=${encodeURIComponent(label)}`],
    message === null ? [] : [`message=${encodeURIComponent(message)}`],
  ].flat()
  if (parameters.length > 0) return `bitcoin:${address}?${parameters.join('&')}`
  return isBech32(address) ? `BITCOIN:${address.toUpperCase()}` : `bitcoin:${address}`
}

/** The address below one of {@link ADDRESS_KEYS} or {@link SILENT_KEYS}; letters of both cases are left for its parser to refuse. */
function readAddress(key: string, value: string): string {
  const address = decodeValue(key, value)
  const lowered = address === address.toUpperCase() ? address.toLowerCase() : address
  if (lowered.startsWith(`${key}1`)) return lowered
  throw new InvalidPaymentLinkError('address', key)
}

/** Decimal BTC with at most one point; zeros that say nothing are in the grammar. */
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

function isOtherInstruction(key: string): key is OtherInstruction {
  return OTHER_KEYS.includes(key)
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

import { InvalidAddressError, parseAddress, witnessProgramScript } from '../address.ts'
import type { PaymentLink } from '../bip321.ts'
import type { Network } from '../network.ts'
import { isSilentPaymentAddress, parseSilentPaymentAddress } from './silent-payment-address.ts'

/**
 * Who is paid sats, in its one canonical spelling. Of a silent payment address (`isSilent`) the script depends on the payment:
 * `scriptPubKey` is one of the same type in its place, which nobody can spend from.
 */
export type Payee = { address: string; scriptPubKey: Uint8Array; isSilent: boolean }

/** Reads an address or a silent payment address (BIP-352), strictly. Throws InvalidAddressError. */
export function parsePayee(text: string, network: Network): Payee {
  if (!isSilentPaymentAddress(text)) return { ...parseAddress(text, network), isSilent: false }
  const { address } = parseSilentPaymentAddress(text, network)
  return { address, scriptPubKey: witnessProgramScript(1, new Uint8Array(32)), isSilent: true }
}

/**
 * The first of the link's addresses that can be paid on a network, in its canonical spelling, or else of its silent payment addresses,
 * which not every account can pay; null for none.
 */
export function findPayableAddress(
  { addresses, silentPayments }: PaymentLink,
  network: Network,
): string | null {
  for (const text of [...addresses, ...silentPayments]) {
    try {
      return parsePayee(text, network).address
    } catch (error) {
      if (!(error instanceof InvalidAddressError)) throw error
    }
  }
  return null
}

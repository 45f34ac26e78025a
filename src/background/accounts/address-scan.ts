import type { AddressType } from '../../bitcoin/address.ts'
import type { DerivationLine } from '../../bitcoin/derivation.ts'
import type { Signer } from '../keys/signer.ts'
import type { Sources } from '../settings/servers.ts'
import type { ScanResult } from '../views/account-views.ts'
import type { Accounts } from './accounts.ts'

/** Requests under way at the same time; public servers turn away who asks for more. */
const MAX_AT_ONCE = 4

/**
 * Which of `count` addresses along a line of the phrase were ever used, from index `from` on. Throws
 * `BackendUnavailableError` when one of them cannot be told: a gap must not come from a server that was busy.
 */
export async function scanAddresses(
  wallet: Pick<Sources, 'chain'> & {
    accounts: Pick<Accounts, 'network'>
    signer: Pick<Signer, 'deriveAddresses'>
  },
  range: { addressType: AddressType; line: DerivationLine; from: number; count: number },
): Promise<ScanResult> {
  const { addressType, line, from, count } = range
  const network = await wallet.accounts.network()
  const places = Array.from({ length: count }, (_, at) => ({ addressType, line, index: from + at }))
  const addresses = await wallet.signer.deriveAddresses(places, network)
  const chain = await wallet.chain(network)
  const waiting = [...addresses.entries()]
  const used: ScanResult['used'] = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, address] = next
      const { confirmed, unconfirmed, transactions } = await chain.fetchBalance(address)
      const balance = String(confirmed + unconfirmed)
      if (transactions > 0) used.push({ index: from + at, address, balance, transactions })
    }
  }
  try {
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, work))
  } finally {
    // The others stop too when one fails.
    waiting.length = 0
  }
  return { used: used.sort((a, b) => a.index - b.index) }
}

import { InvalidAddressError } from '../../bitcoin/address.ts'
import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import { parsePayee } from '../../bitcoin/silent-payments/payee.ts'

/** The networks that an address can be paid on: several for test networks, which share prefixes; none for no address. */
export function networksOf(address: string): Network[] {
  return NETWORKS.filter(network => {
    try {
      parsePayee(address, network)
      return true
    } catch (error) {
      if (error instanceof InvalidAddressError) return false
      throw error
    }
  })
}

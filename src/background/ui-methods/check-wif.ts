import { encodeAddress } from '../../bitcoin/address.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { InvalidWifError, parseWif } from '../../bitcoin/wif.ts'
import { ADDRESS_TYPES } from '../keys/vault-secret.ts'
import { checkNetwork, checkText } from './checked-params.ts'
import type { UiMethod } from './ui-context.ts'

export const checkWif: UiMethod<'checkWif'> = async (_, { wif, network }) => {
  const on = checkNetwork(network)
  try {
    const privateKey = parseWif(checkText('wif', wif), on)
    const publicKey = publicKeyOf(privateKey)
    privateKey.fill(0)
    const addresses = ADDRESS_TYPES.map(addressType => {
      return { addressType, address: encodeAddress(publicKey, addressType, on) }
    })
    return { valid: true, addresses }
  } catch (error) {
    if (!(error instanceof InvalidWifError)) throw error
    return { valid: false, problem: error.problem }
  }
}

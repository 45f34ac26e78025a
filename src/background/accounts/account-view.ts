import { type AddressType, addressOfScript, typeOfScript } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { derivationPath } from '../../bitcoin/derivation.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import type { PublicAccount } from '../keys/vault-accounts.ts'
import type { AccountView } from '../views/account-views.ts'

/** An account as it is on a network; null where it does not exist. */
export function viewAccount(account: PublicAccount, network: Network): AccountView | null {
  const space = keySpaceOf(network)
  const side = account.sides[space]
  const address = side ? addressOfScript(fromHex(side.scriptPubKey), network) : null
  if (!side || address === null) return null
  const { id, name, hidden } = account
  if (account.source === 'watch' || side.publicKey === null) {
    const addressType = accountTypeOf(side.scriptPubKey)
    const watched = { source: 'watch', publicKey: null, derivationPath: null } as const
    return { id, name, hidden, addressType, address, ...watched }
  }
  const { source, addressType } = account
  const path = account.source === 'seed' ? derivationPath(account, space) : null
  const { publicKey } = side
  return { id, name, hidden, source, addressType, address, publicKey, derivationPath: path }
}

/** P2SH is shown as nested segwit, which it nearly always is; null for what no account of ours can be. */
function accountTypeOf(scriptPubKey: string): AddressType | null {
  const type = typeOfScript(fromHex(scriptPubKey))
  if (type === 'p2sh') return 'p2sh-p2wpkh'
  return type === 'p2wsh' ? null : type
}

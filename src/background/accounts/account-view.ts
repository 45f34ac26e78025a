import { addressOfScript, addressTypeOf } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import { derivationPath } from '../../bitcoin/derivation.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import { readMultisig } from '../keys/multisig-source.ts'
import { readName } from '../keys/names.ts'
import type { PublicAccount } from '../keys/vault-accounts.ts'
import type { Side } from '../keys/vault-secret.ts'
import { ordinalsPlaceOf } from '../keys/vault-seed.ts'
import type { AccountView, OrdinalsAddress } from '../views/account-views.ts'

/** An account as it is on a network; null where it does not exist. */
export function viewAccount(account: PublicAccount, network: Network): AccountView | null {
  const space = keySpaceOf(network)
  const side = account.sides[space]
  const address = side ? addressOfScript(fromHex(side.scriptPubKey), network) : null
  if (!side || address === null) return null
  const { id, hidden } = account
  const name = readName('account', account.name)
  if (account.source === 'multisig') {
    const { source, descriptor, type, signers } = readMultisig(account.descriptor, network)
    const keyless = { addressType: null, publicKey: null, ordinals: null, derivationPath: null }
    const { scriptPubKey } = side
    const multisig = { source, descriptor, spendType: type, signers, scriptPubKey, ...keyless }
    return { id, name, hidden, address, ...multisig }
  }
  if (account.source === 'watch' || side.publicKey === null) {
    const addressType = addressTypeOf(fromHex(side.scriptPubKey))
    const watched = {
      source: 'watch',
      publicKey: null,
      descriptor: null,
      ordinals: null,
      derivationPath: null,
    } as const
    return { id, name, hidden, addressType, address, ...watched }
  }
  const { addressType } = account
  const { publicKey, descriptor = null } = side
  const view = { id, name, hidden, addressType, address, publicKey, descriptor, ordinals: null }
  switch (account.source) {
    case 'seed': {
      const path = derivationPath(ordinalsPlaceOf(account), space)
      const ordinals = viewOrdinals(side, path, network)
      const seed = { source: 'seed', phraseId: account.phrase } as const
      return { ...view, ...seed, ordinals, derivationPath: derivationPath(account, space) }
    }
    case 'key':
      return { ...view, source: 'key', derivationPath: null, phraseId: null }
    case 'device': {
      const { fingerprint, derivationPath: path, ordinals: second } = account
      const ordinals = viewOrdinals(side, second?.derivationPath ?? '', network)
      const ordinalsDescriptor = second?.descriptor ?? null
      const device = { source: 'device', fingerprint, ordinalsDescriptor } as const
      return { ...view, ...device, ordinals, derivationPath: path }
    }
  }
}

function viewOrdinals({ ordinals }: Side, path: string, network: Network): OrdinalsAddress | null {
  const address = ordinals ? addressOfScript(fromHex(ordinals.scriptPubKey), network) : null
  if (!ordinals || address === null) return null
  return { address, publicKey: ordinals.publicKey, derivationPath: path }
}

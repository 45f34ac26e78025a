// Accounts in a backup: each as its file says it, with the phrases of this wallet, and nothing in it that does not follow from it.

import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { KEY_SPACES, type KeySpace, type Network } from '../../bitcoin/network.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { checkName } from '../primitives/check-name.ts'
import { damaged } from './backup-file.ts'
import { phraseIdOf, type Root } from './backup-roots.ts'
import { readDevice, readDeviceOrdinals } from './device-source.ts'
import { readMultisig } from './multisig-source.ts'
import { type DeviceSource, parseAccount, type Side, type VaultAccount } from './vault-secret.ts'
import { toOrdinalsSide, toSide } from './vault-seed.ts'

/** No phrase has this id. */
const NO_PHRASE = '00'.repeat(16)

/**
 * An account of a file of the first version, in today's form: of the phrase that made the file, which accounts on devices inscribed
 * with as well.
 */
export function placeFirst(account: unknown, root: Root | undefined): unknown {
  const phrase = root?.phraseId ?? null
  const { source, ordinals } = Object(account)
  if (source === 'seed') return { ...Object(account), phrase: phrase ?? NO_PHRASE }
  if (source !== 'device' || phrase === null) return account
  const second = ordinals !== undefined && { ordinals: { ...Object(ordinals), phrase } }
  return { ...Object(account), phrase, ...second }
}

/** An account of a file with the ids of this wallet's phrases for those that the file has. */
export function placePhrases(account: unknown, roots: readonly Root[]): unknown {
  const { source, phrase, ordinals } = Object(account)
  if (source === 'seed') return { ...Object(account), phrase: phraseIdOf(phrase, roots) ?? phrase }
  if (source !== 'device') return account
  const second = ordinals !== undefined && { ordinals: placeInscribing(ordinals) }
  return { ...placeInscribing(account), ...second }

  function placeInscribing(one: unknown): object {
    const { phrase: told, ...rest } = Object(one)
    const own = phraseIdOf(told, roots)
    return own === null ? rest : { ...rest, phrase: own }
  }
}

/**
 * An account on a device with something that its inscribings follow from, where its file has nothing that is here. Who made a file that
 * is not this wallet's own may know what it says.
 */
export function withInscribing(
  account: VaultAccount,
  isOwn: boolean,
  choose: () => Pick<DeviceSource, 'phrase' | 'inscribingSecret'>,
): VaultAccount {
  if (account.source !== 'device') return account
  const { phrase, inscribingSecret, ordinals, ...rest } = account
  if (isOwn && (phrase !== undefined || inscribingSecret !== undefined)) return account
  const second = ordinals && {
    descriptor: ordinals.descriptor,
    derivationPath: ordinals.derivationPath,
  }
  return { ...rest, ...choose(), ...(second && { ordinals: second }) }
}

/** Throws {@link BackupFileError} where something else than the account itself says what its address is. */
export function readAccount(value: unknown, id: string): VaultAccount {
  try {
    const account = parseAccount({ ...Object(value), id })
    if (checkName(account.name) !== account.name) throw damaged()
    for (const space of KEY_SPACES) {
      const side = account.sides[space]
      if (side && !isOwnSide(account, side, space)) throw damaged()
    }
    return account
  } catch (cause) {
    throw Object.assign(damaged(), { cause })
  }
}

/** Whether an account's public key and script follow from it. Those of the phrase are as the wallet that made the file wrote them. */
function isOwnSide(account: VaultAccount, side: Side, space: KeySpace): boolean {
  const network: Network = space === 'mainnet' ? 'mainnet' : 'testnet4'
  if (account.source === 'seed') return true
  if (account.source === 'multisig') {
    const { descriptor, scriptPubKey } = readMultisig(account.descriptor, network)
    const isSame = descriptor === account.descriptor && side.descriptor === descriptor
    return isSame && side.scriptPubKey === toHex(scriptPubKey)
  }
  const descriptor = account.source === 'device' ? account.descriptor : undefined
  if (side.descriptor !== undefined && side.descriptor !== descriptor) return false
  if (account.source === 'watch')
    return addressOfScript(fromHex(side.scriptPubKey), network) !== null
  const { scriptPubKey, publicKey } = toSide(keyOf(), account.addressType)
  const isOwn = scriptPubKey === side.scriptPubKey && publicKey === side.publicKey
  return isOwn && (account.source !== 'device' || isOwnOrdinals(account, side, network))

  function keyOf(): Uint8Array {
    if (account.source === 'key') return publicKeyOf(fromHex(account.privateKey))
    if (account.source !== 'device') throw damaged()
    const { publicKey: key, ...source } = readDevice(account.descriptor, network)
    const isSame =
      source.descriptor === account.descriptor &&
      source.addressType === account.addressType &&
      source.fingerprint === account.fingerprint &&
      source.derivationPath === account.derivationPath
    if (!isSame) throw damaged()
    return key
  }
}

/** The same of the second key of a device. */
function isOwnOrdinals(
  account: VaultAccount & DeviceSource,
  { ordinals }: Side,
  network: Network,
): boolean {
  const known = account.ordinals
  if (!known) return ordinals === undefined
  const { publicKey, ...read } = readDeviceOrdinals(known.descriptor, network, account)
  if (read.descriptor !== known.descriptor || read.derivationPath !== known.derivationPath)
    return false
  const own = toOrdinalsSide(publicKey)
  return (
    ordinals === undefined ||
    (ordinals.scriptPubKey === own.scriptPubKey && ordinals.publicKey === own.publicKey)
  )
}

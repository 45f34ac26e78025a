import { fromBase58Check, fromBech32, toBase58Check, toBech32 } from 'bitcoinjs-lib/src/address'
import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { concatBytes, toHex } from './bytes.ts'
import { bitcoinjsNetwork, type Network } from './network.ts'
import { isXOnlyPoint, taprootOutputKey } from './secp256k1.ts'

/** Kinds of addresses that an account can have. */
export type AddressType = 'p2tr' | 'p2wpkh' | 'p2sh-p2wpkh' | 'p2pkh'

/** Kinds of addresses that can be paid. */
export type PayableType = 'p2tr' | 'p2wpkh' | 'p2wsh' | 'p2sh' | 'p2pkh'

export type ParsedAddress = { address: string; scriptPubKey: Uint8Array; type: PayableType }

/** A text that cannot be paid on the network in use. */
export class InvalidAddressError extends Error {
  override name = 'InvalidAddressError'
  readonly problem: 'malformed' | 'wrong-network' | 'unknown-version'
  constructor(problem: InvalidAddressError['problem'], message: string) {
    super(message)
    this.problem = problem
  }
}

const OP_1 = 0x51

/** The address of a 33-byte public key. */
export function encodeAddress(publicKey: Uint8Array, type: AddressType, network: Network): string {
  const address = addressOfScript(scriptPubKeyOf(publicKey, type), network)
  if (address === null) throw new Error(`address: no ${type} address of this public key`)
  return address
}

/** The scriptPubKey of a 33-byte public key. */
export function scriptPubKeyOf(publicKey: Uint8Array, type: AddressType): Uint8Array {
  if (type === 'p2tr') return taprootScriptOf(publicKey)
  const keyHash = hash160(publicKey)
  if (type === 'p2wpkh') return witnessProgramScript(0, keyHash)
  if (type === 'p2pkh') return pubKeyHashScript(keyHash)
  return scriptHashScript(hash160(witnessProgramScript(0, keyHash)))
}

const MOST_TAPROOT_SCRIPTS = 200
const taprootScripts = new Map<string, Uint8Array>()

/** To tweak a key takes longer than all else that an own coin is recognised by, and the same few keys are asked for always. */
function taprootScriptOf(publicKey: Uint8Array): Uint8Array {
  const key = toHex(publicKey)
  const known = taprootScripts.get(key)
  if (known) return known.slice()
  const script = witnessProgramScript(1, taprootOutputKey(publicKey))
  if (taprootScripts.size >= MOST_TAPROOT_SCRIPTS) taprootScripts.clear()
  taprootScripts.set(key, script)
  return script.slice()
}

/**
 * Reads an address strictly: nothing is trimmed, a taproot key must be on the curve, and only the versions of today are
 * known. Resolves its one canonical spelling. Throws {@link InvalidAddressError}.
 */
export function parseAddress(text: string, network: Network): ParsedAddress {
  if (!/^[a-zA-Z0-9]{14,90}$/.test(text)) throw malformed()
  return parseSegwitAddress(text, network) ?? parseBase58Address(text, network)
}

/** The address that a script is shown as; null for a script that has none. Says nothing about a taproot key's validity. */
export function addressOfScript(scriptPubKey: Uint8Array, network: Network): string | null {
  const { bech32, pubKeyHash, scriptHash } = bitcoinjsNetwork(network)
  const type = typeOfScript(scriptPubKey)
  if (type === null) return null
  if (type === 'p2pkh') return toBase58Check(scriptPubKey.slice(3, 23), pubKeyHash)
  if (type === 'p2sh') return toBase58Check(scriptPubKey.slice(2, 22), scriptHash)
  return toBech32(scriptPubKey.slice(2), type === 'p2tr' ? 1 : 0, bech32)
}

/** The kind of a scriptPubKey; null when it has no address. */
export function typeOfScript(script: Uint8Array): PayableType | null {
  const first = script[0]
  const second = script[1]
  switch (script.length) {
    case 34:
      if (second !== 32) return null
      return first === OP_1 ? 'p2tr' : first === 0 ? 'p2wsh' : null
    case 22:
      return first === 0 && second === 20 ? 'p2wpkh' : null
    case 23:
      return first === 0xa9 && second === 20 && script[22] === 0x87 ? 'p2sh' : null
    case 25: {
      const isHash = first === 0x76 && second === 0xa9 && script[2] === 20
      return isHash && script[23] === 0x88 && script[24] === 0xac ? 'p2pkh' : null
    }
    default:
      return null
  }
}

/** The kind of account whose key opens a script; P2SH is P2SH-P2WPKH, which it nearly always is. Null for what no single key opens. */
export function addressTypeOf(script: Uint8Array): AddressType | null {
  const type = typeOfScript(script)
  if (type === 'p2sh') return 'p2sh-p2wpkh'
  return type === 'p2wsh' ? null : type
}

/** Null when the text is not bech32 at all. */
function parseSegwitAddress(text: string, network: Network): ParsedAddress | null {
  const decoded = attempt(() => fromBech32(text))
  if (decoded === null) return null
  const { prefix, version, data } = decoded
  const owners = { bc: 'Bitcoin mainnet', tb: 'Bitcoin testnet or signet', bcrt: 'a local regtest' }
  if (prefix !== 'bc' && prefix !== 'tb' && prefix !== 'bcrt') throw malformed()
  if (version > 16 || data.length < 2 || data.length > 40) throw malformed()
  if (version === 0 && data.length !== 20 && data.length !== 32) throw malformed()
  if (prefix !== bitcoinjsNetwork(network).bech32) throw wrongNetwork(owners[prefix])
  if (version > 1 || (version === 1 && data.length !== 32))
    throw new InvalidAddressError(
      'unknown-version',
      `The address is of segwit version ${version} with ${data.length} bytes, which nobody can spend from yet`,
    )
  if (version === 1 && !isXOnlyPoint(data))
    throw new InvalidAddressError(
      'malformed',
      'The address holds no valid key: nobody could spend from it',
    )
  return toParsed(witnessProgramScript(version, data), network)
}

function parseBase58Address(text: string, network: Network): ParsedAddress {
  const decoded = attempt(() => fromBase58Check(text))
  if (decoded === null) throw malformed()
  const { version, hash } = decoded
  for (const known of ['mainnet', 'testnet4'] as const) {
    const { pubKeyHash, scriptHash } = bitcoinjsNetwork(known)
    if (version !== pubKeyHash && version !== scriptHash) continue
    if ((known === 'mainnet') !== (network === 'mainnet'))
      throw wrongNetwork(known === 'mainnet' ? 'Bitcoin mainnet' : 'a Bitcoin test network')
    return toParsed(
      version === pubKeyHash ? pubKeyHashScript(hash) : scriptHashScript(hash),
      network,
    )
  }
  throw malformed()
}

function toParsed(scriptPubKey: Uint8Array, network: Network): ParsedAddress {
  const address = addressOfScript(scriptPubKey, network)
  const type = typeOfScript(scriptPubKey)
  if (address === null || type === null) throw malformed()
  return { address, scriptPubKey, type }
}

/** BIP-141: OP_0 or OP_1..OP_16, then one direct push of 2 to 40 bytes and nothing else. */
export function isWitnessProgram(script: Uint8Array): boolean {
  const [version, pushed] = script
  if (version === undefined || pushed === undefined) return false
  const known = version === 0 || (version >= 0x51 && version <= 0x60)
  return known && pushed >= 2 && pushed <= 40 && script.length === pushed + 2
}

/** A witness program as a scriptPubKey. */
export function witnessProgramScript(version: number, program: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(version === 0 ? 0 : OP_1 - 1 + version, program.length), program)
}

function pubKeyHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x76, 0xa9, 20), hash, Uint8Array.of(0x88, 0xac))
}

/** The P2SH scriptPubKey of the HASH160 of a script. */
export function scriptHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0xa9, 20), hash, Uint8Array.of(0x87))
}

function malformed(): InvalidAddressError {
  return new InvalidAddressError('malformed', 'This is not a Bitcoin address')
}

function wrongNetwork(owner: string): InvalidAddressError {
  return new InvalidAddressError('wrong-network', `The address belongs to ${owner}`)
}

function attempt<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null
  }
}

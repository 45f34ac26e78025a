import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { typeOfScript } from '../address.ts'
import { equalBytes, fromHex } from '../bytes.ts'
import { isPointCompressed, isXOnlyPoint } from '../secp256k1.ts'

/** A signed input, and the scriptPubKey that it spends. */
export type SignedSpend = {
  scriptPubKey: Uint8Array
  scriptSig: Uint8Array
  witness: readonly Uint8Array[]
}

/** The point H of BIP-341 of which nobody knows the private key, x-only. */
const UNSPENDABLE_KEY = fromHex('50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0')
const ANNEX_TAG = 0x50
const COMPRESSED_SIZE = 33

/**
 * The 33-byte public key with which an input counts for the shared secret, as the receiver reads it ("Inputs For Shared Secret
 * Derivation" of BIP-352); null for one that is left out. A key of Taproot is the one with even Y.
 */
export function readInputKey(spend: SignedSpend): Uint8Array | null {
  const { scriptPubKey, scriptSig, witness } = spend
  switch (typeOfScript(scriptPubKey)) {
    case 'p2tr':
      return readTaprootKey(spend)
    case 'p2wpkh':
      return compressedKey(witness.at(-1))
    case 'p2sh':
      // One push of a witness program of version 0 with a key's hash.
      return typeOfScript(scriptSig.subarray(1)) === 'p2wpkh' ? compressedKey(witness.at(-1)) : null
    case 'p2pkh':
      return findPushedKey(scriptSig, scriptPubKey.subarray(3, 23))
    default:
      return null
  }
}

function readTaprootKey({ scriptPubKey, witness }: SignedSpend): Uint8Array | null {
  const hasAnnex = witness.length > 1 && witness.at(-1)?.[0] === ANNEX_TAG
  const items = hasAnnex ? witness.slice(0, -1) : witness
  const controlBlock = items.length > 1 ? items.at(-1) : undefined
  if (items.length === 0) return null
  if (controlBlock && equalBytes(controlBlock.subarray(1, 33), UNSPENDABLE_KEY)) return null
  const key = scriptPubKey.subarray(2)
  return isXOnlyPoint(key) ? Uint8Array.of(0x02, ...key) : null
}

function compressedKey(key: Uint8Array | undefined): Uint8Array | null {
  return key?.length === COMPRESSED_SIZE && isPointCompressed(key) ? key : null
}

/** Third parties can add to a P2PKH scriptSig, so that the key is looked for from the end wherever it may stand. */
function findPushedKey(scriptSig: Uint8Array, keyHash: Uint8Array): Uint8Array | null {
  for (let end = scriptSig.length; end >= COMPRESSED_SIZE; end--) {
    const key = compressedKey(scriptSig.subarray(end - COMPRESSED_SIZE, end))
    if (key && equalBytes(hash160(key), keyHash)) return key
  }
  return null
}

import { hash160 } from 'bitcoinjs-lib/src/crypto'
import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, scriptPubKeyOf } from '../address.ts'
import { concatBytes } from '../bytes.ts'
import { encodePushes } from '../script.ts'
import { publicKeyOf, signEcdsa, tweakPrivateKey } from '../secp256k1.ts'
import type { TransactionOutput } from '../transaction.ts'
import { createSchnorrSigner, type SchnorrSigner } from './schnorr-signer.ts'
import { createSighashes, type Sighash } from './sighash.ts'
import { createSignatureChecks, type SignatureChecks } from './signature-checks.ts'

/** How our key spends an output: as the key of our address, as the untweaked key of a taproot output, in a tapscript leaf, or in a P2SH or P2WSH script. */
export type SpendMethod =
  | { kind: 'key' }
  | { kind: 'raw-taproot' }
  | { kind: 'leaf'; leafHash: Uint8Array; script: Uint8Array; controlBlock: Uint8Array }
  | { kind: 'script'; segwit: boolean; script: Uint8Array }

/** An input to sign: how, and under which sighash. */
export type Spend = { index: number; sighash: Sighash; how: SpendMethod }

type Signing = {
  transaction: Transaction
  /** The outputs that all the inputs spend, in order. */
  prevouts: readonly (TransactionOutput | null)[]
  addressType: AddressType
  privateKey: Uint8Array
  auxRand?: Uint8Array | undefined
  /** Those of the call, where what is signed here is verified there again. */
  checks?: SignatureChecks | undefined
}

/** SIGHASH_DEFAULT for taproot, else SIGHASH_ALL. */
function defaultSighash(addressType: AddressType): 0 | 1 {
  return addressType === 'p2tr' ? 0 : 1
}

/**
 * The signatures of inputs, each with its sighash byte (none for SIGHASH_DEFAULT). Those of taproot are verified here by the key
 * that made them, as BIP-340 asks; whoever puts signatures into final scripts verifies all by the keys of what is spent. Checks
 * nothing of what they are for.
 * Throws where the sighash has no meaning for the input, and as {@link createSighashes} does.
 */
export function signSpends(params: Signing & { spends: readonly Spend[] }): Uint8Array[] {
  const { transaction, prevouts, spends, addressType, privateKey, auxRand } = params
  const checks = params.checks ?? createSignatureChecks()
  const sighashes = createSighashes(transaction, prevouts)
  const keyHashScript = scriptPubKeyOf(publicKeyOf(privateKey), 'p2pkh')
  const tweakedKey = addressType === 'p2tr' ? tweakPrivateKey(privateKey) : null
  const signers = new Map<Uint8Array, SchnorrSigner>()

  function sign({ index, sighash, how }: Spend): Uint8Array {
    if (how.kind === 'script') return signScript(index, how.segwit, how.script, sighash)
    if (how.kind === 'key' && !tweakedKey)
      return signScript(index, addressType !== 'p2pkh', keyHashScript, sighash)
    const key = (how.kind === 'key' && tweakedKey) || privateKey
    const signSchnorr = signers.get(key) ?? createSchnorrSigner(key, checks)
    signers.set(key, signSchnorr)
    const hash = sighashes.taproot(index, sighash, how.kind === 'leaf' ? how.leafHash : undefined)
    const signature = signSchnorr(hash, auxRand)
    return sighash === 0 ? signature : concatBytes(signature, Uint8Array.of(sighash))
  }

  function signScript(index: number, segwit: boolean, script: Uint8Array, sighash: Sighash) {
    const amount = prevouts[index]?.amount
    if (amount === undefined) throw new Error(`input ${index}: no previous output given`)
    const hash = segwit
      ? sighashes.v0(index, script, amount, sighash)
      : sighashes.legacy(index, script, sighash)
    return signEcdsa(hash, privateKey, sighash)
  }

  try {
    return spends.map(sign)
  } finally {
    tweakedKey?.fill(0)
  }
}

/** Signs inputs of the own address in place, all unless `indexes` names some, with SIGHASH_ALL (SIGHASH_DEFAULT for taproot). */
export function signInputs(params: Signing & { indexes?: readonly number[] }): void {
  const { transaction, addressType, privateKey } = params
  const sighash = defaultSighash(addressType)
  const indexes = params.indexes ?? transaction.ins.keys()
  const spends = Array.from(indexes, (index): Spend => ({ index, sighash, how: { kind: 'key' } }))
  const publicKey = publicKeyOf(privateKey)
  for (const [at, signature] of signSpends({ ...params, spends }).entries()) {
    const index = params.indexes?.[at] ?? at
    if (addressType === 'p2pkh')
      transaction.setInputScript(index, encodePushes([signature, publicKey]))
    else
      transaction.setWitness(index, addressType === 'p2tr' ? [signature] : [signature, publicKey])
    if (addressType === 'p2sh-p2wpkh') transaction.setInputScript(index, nestedScriptSig(publicKey))
  }
}

/** The scriptSig of a P2SH-P2WPKH input: a push of its witness program. */
export function nestedScriptSig(publicKey: Uint8Array): Uint8Array {
  return encodePushes([concatBytes(Uint8Array.of(0, 20), hash160(publicKey))])
}

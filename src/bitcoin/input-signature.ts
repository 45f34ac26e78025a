import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, scriptPubKeyOf } from './address.ts'
import { concatBytes } from './bytes.ts'
import { publicKeyOf, signEcdsa, signSchnorr, tweakPrivateKey } from './secp256k1.ts'
import type { TransactionOutput } from './transaction.ts'

/**
 * Signs one input of an own address in place: SIGHASH_DEFAULT for taproot (key path, no script tree), else SIGHASH_ALL.
 * `prevouts` are the outputs that all the inputs spend, in order.
 */
export function signInput(params: {
  transaction: Transaction
  index: number
  prevouts: readonly TransactionOutput[]
  addressType: AddressType
  privateKey: Uint8Array
  auxRand?: Uint8Array | undefined
}): void {
  const { transaction, index, prevouts, addressType, privateKey, auxRand } = params
  if (addressType === 'p2tr') {
    const scripts = prevouts.map(({ scriptPubKey }) => scriptPubKey)
    const amounts = prevouts.map(({ amount }) => amount)
    const hash = transaction.hashForWitnessV1(index, scripts, amounts, Transaction.SIGHASH_DEFAULT)
    transaction.setWitness(index, [signSchnorr(hash, tweakPrivateKey(privateKey), auxRand)])
    return
  }
  const publicKey = publicKeyOf(privateKey)
  const keyHashScript = scriptPubKeyOf(publicKey, 'p2pkh')
  if (addressType === 'p2pkh') {
    const hash = transaction.hashForSignature(index, keyHashScript, Transaction.SIGHASH_ALL)
    transaction.setInputScript(index, pushEach(signEcdsa(hash, privateKey), publicKey))
    return
  }
  const amount = prevouts[index]?.amount
  if (amount === undefined) throw new Error(`input ${index}: no previous output given`)
  const hash = transaction.hashForWitnessV0(index, keyHashScript, amount, Transaction.SIGHASH_ALL)
  transaction.setWitness(index, [signEcdsa(hash, privateKey), publicKey])
  if (addressType === 'p2sh-p2wpkh') transaction.setInputScript(index, nestedScriptSig(publicKey))
}

/** The scriptSig of a P2SH-P2WPKH input: a push of its witness program. */
export function nestedScriptSig(publicKey: Uint8Array): Uint8Array {
  return pushEach(concatBytes(Uint8Array.of(0, 20), hash160(publicKey)))
}

/** A script of direct pushes (each below 76 bytes). */
function pushEach(...items: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...items.flatMap(item => [Uint8Array.of(item.length), item]))
}

import * as ecc from '@bitcoinerlab/secp256k1'
import { script as bitcoinScript, crypto, Transaction } from 'bitcoinjs-lib'
import { formatAddress } from '../chain/script.ts'

/** A key of devnet's own with its P2WPKH address. */
export interface DevnetKey {
  script: Uint8Array
  address: string
  /** Signs an input that spends an output of this key of so many sats; all other inputs and outputs must be there already. */
  sign(tx: Transaction, vin: number, value: bigint): void
}

/** Known to everyone, like every coin of a regtest; the same in each run so that a kept data folder stays spendable. */
export function createDevnetKey(name: string): DevnetKey {
  const privateKey = crypto.sha256(new TextEncoder().encode(name))
  const publicKey = ecc.pointFromScalar(privateKey, true)
  if (!publicKey) throw new Error(`${name} is not a valid private key`)
  const keyHash = crypto.hash160(publicKey)
  const script = Uint8Array.of(0, keyHash.length, ...keyHash)
  const address = formatAddress(script)
  if (!address) throw new Error(`the script of ${name} has no address`)
  const scriptCode = Uint8Array.of(0x76, 0xa9, 20, ...keyHash, 0x88, 0xac)
  return {
    script,
    address,
    sign(tx, vin, value) {
      const hash = tx.hashForWitnessV0(vin, scriptCode, value, Transaction.SIGHASH_ALL)
      const signature = ecc.sign(hash, privateKey)
      tx.setWitness(vin, [
        bitcoinScript.signature.encode(signature, Transaction.SIGHASH_ALL),
        publicKey,
      ])
    },
  }
}

import * as ecc from '@bitcoinerlab/secp256k1'
import { crypto, initEccLib, networks, payments, Transaction } from 'bitcoinjs-lib'
import { leafHash } from '../../bitcoin/signing/taproot-leaf.ts'

initEccLib(ecc)

const PRIVATE_KEY = crypto.sha256(new TextEncoder().encode('satchel devnet commits'))
const SIGNATURE_SIZE = 64

/** Known to everyone; leaves begin with a signature check by it. */
export const LEAF_KEY = xOnlyKey()

/** A taproot output that commits to one leaf. */
export interface LeafOutput {
  script: Uint8Array
  /** Reveals the leaf in an input; all inputs and outputs must be there already, `prevouts` being what the inputs spend. */
  reveal(
    tx: Transaction,
    vin: number,
    prevouts: readonly { script: Uint8Array; value: bigint }[],
  ): void
  /** The same with a signature of zeros, to measure. */
  fill(tx: Transaction, vin: number): void
}

/** `leaf` must be spendable with one signature by {@link LEAF_KEY}. */
export function createLeafOutput(leaf: Uint8Array): LeafOutput {
  const { output, witness } = payments.p2tr({
    internalPubkey: LEAF_KEY,
    scriptTree: { output: leaf },
    redeem: { output: leaf, redeemVersion: 0xc0 },
    network: networks.regtest,
  })
  const controlBlock = witness?.at(-1)
  if (!output || !controlBlock) throw new Error('the leaf has no taproot output')
  const put = (tx: Transaction, vin: number, signature: Uint8Array) =>
    tx.setWitness(vin, [signature, leaf, controlBlock])
  return {
    script: output,
    reveal(tx, vin, prevouts) {
      const hash = tx.hashForWitnessV1(
        vin,
        prevouts.map(({ script }) => script),
        prevouts.map(({ value }) => value),
        Transaction.SIGHASH_DEFAULT,
        leafHash(leaf),
      )
      put(tx, vin, ecc.signSchnorr(hash, PRIVATE_KEY))
    },
    fill: (tx, vin) => put(tx, vin, new Uint8Array(SIGNATURE_SIZE)),
  }
}

function xOnlyKey(): Uint8Array {
  const publicKey = ecc.xOnlyPointFromScalar(PRIVATE_KEY)
  return Uint8Array.from(publicKey)
}

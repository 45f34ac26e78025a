import { Transaction, type TxOutput } from 'bitcoinjs-lib'
import type { KeyCoin } from './faucet.ts'
import type { LeafOutput } from './leaf-output.ts'

const FEE_RATE = 2n
const SEQUENCE_RBF = 0xfffffffd

/** A coin to spend: of one of devnet's keys, or an output that commits to a leaf. */
export type RevealInput = KeyCoin | { txid: string; vout: number; value: bigint; leaf: LeafOutput }

/** A signed transaction that spends these inputs; what the outputs leave is its fee. */
export function buildReveal(
  inputs: readonly RevealInput[],
  outputs: readonly TxOutput[],
): Transaction {
  const tx = assemble(inputs, outputs)
  const prevouts = inputs.map(input => ({ script: scriptOf(input), value: input.value }))
  for (const [vin, input] of inputs.entries()) {
    if ('leaf' in input) input.leaf.reveal(tx, vin, prevouts)
    else input.key.sign(tx, vin, input.value)
  }
  return tx
}

/** Sats that such a transaction has to pay. */
export function feeOfReveal(inputs: readonly RevealInput[], outputs: readonly TxOutput[]): bigint {
  const tx = assemble(inputs, outputs)
  for (const [vin, input] of inputs.entries()) {
    if ('leaf' in input) input.leaf.fill(tx, vin)
    else input.key.sign(tx, vin, input.value)
  }
  // A signature by a key may be a byte longer when it is made again.
  return FEE_RATE * BigInt(tx.virtualSize() + inputs.length)
}

function assemble(inputs: readonly RevealInput[], outputs: readonly TxOutput[]): Transaction {
  const tx = new Transaction()
  tx.version = 2
  for (const { txid, vout } of inputs) {
    tx.addInput(Buffer.from(txid, 'hex').reverse(), vout, SEQUENCE_RBF)
  }
  for (const { script, value } of outputs) tx.addOutput(script, value)
  return tx
}

function scriptOf(input: RevealInput): Uint8Array {
  return 'leaf' in input ? input.leaf.script : input.key.script
}

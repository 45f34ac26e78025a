import { fromHex } from '../bytes.ts'
import bip352 from './vectors/bip352.json' with { type: 'json' }

type VectorInput = {
  txid: string
  vout: number
  scriptSig: string
  txinwitness: string
  prevout: { scriptPubKey: { hex: string } }
}

/** An input of BIP-352's vectors: `txid` in the usual hex. */
export type SpentInput = {
  txid: string
  vout: number
  scriptPubKey: Uint8Array
  scriptSig: Uint8Array
  witness: Uint8Array[]
}

/** A payment of BIP-352's vectors; keys in hex. Each of `outputs` is a set that the payment may have, x-only. */
export type SendingVector = {
  comment: string
  inputs: (SpentInput & { privateKey: Uint8Array })[]
  receivers: { address: string; scanKey: string; spendKey: string }[]
  expected: {
    outputs: string[][]
    /** In hex; absent where the payment fails before it. */
    keySum: string | undefined
    inputKeys: string[]
  }
}

/** A receiver of BIP-352's vectors, and what is found for it; hex. `found` is a number alone where there are thousands. */
export type ReceivingVector = {
  comment: string
  inputs: SpentInput[]
  outputs: string[]
  scanKey: string
  spendKey: string
  labels: number[]
  expected: {
    addresses: string[]
    found: { tweak: string; publicKey: string; signature: string }[] | number
    tweak: string | null
    secret: string | null
  }
}

/** All sending cases of BIP-352. */
export const SENDING_VECTORS: readonly SendingVector[] = bip352.flatMap(({ comment, sending }) =>
  sending.map(({ given, expected }) => ({
    comment,
    inputs: given.vin.map(input => ({
      ...readInput(input),
      privateKey: fromHex(input.private_key),
    })),
    receivers: given.recipients.flatMap(recipient => {
      const count = 'count' in recipient ? Number(recipient.count) : 1
      const receiver = {
        address: recipient.address,
        scanKey: recipient.scan_pub_key,
        spendKey: recipient.spend_pub_key,
      }
      return Array.from({ length: count }, () => receiver)
    }),
    expected: {
      outputs: expected.outputs as string[][],
      keySum: 'input_private_key_sum' in expected ? expected.input_private_key_sum : undefined,
      inputKeys: expected.input_pub_keys as string[],
    },
  })),
)

/** All receiving cases of BIP-352. */
export const RECEIVING_VECTORS: readonly ReceivingVector[] = bip352.flatMap(
  ({ comment, receiving }) =>
    receiving.map(({ given, expected }) => ({
      comment,
      inputs: given.vin.map(readInput),
      outputs: given.outputs,
      scanKey: given.key_material.scan_priv_key,
      spendKey: given.key_material.spend_priv_key,
      labels: given.labels as number[],
      expected: {
        addresses: expected.addresses,
        found:
          'outputs' in expected && expected.outputs
            ? expected.outputs.map(output => ({
                tweak: output.priv_key_tweak,
                publicKey: output.pub_key,
                signature: output.signature,
              }))
            : Number('n_outputs' in expected && expected.n_outputs),
        tweak: expected.tweak,
        secret: expected.shared_secret,
      },
    })),
)

function readInput({ txid, vout, scriptSig, txinwitness, prevout }: VectorInput): SpentInput {
  return {
    txid,
    vout,
    scriptPubKey: fromHex(prevout.scriptPubKey.hex),
    scriptSig: fromHex(scriptSig),
    witness: readWitness(fromHex(txinwitness)),
  }
}

/** A count and items with their lengths, all below 253. */
function readWitness(bytes: Uint8Array): Uint8Array[] {
  let at = 1
  return Array.from({ length: bytes[0] ?? 0 }, () => {
    const size = bytes[at] ?? 0
    if (size >= 253) throw new Error('vector: a witness item is longer than expected')
    const item = bytes.slice(at + 1, at + 1 + size)
    at += 1 + size
    return item
  })
}

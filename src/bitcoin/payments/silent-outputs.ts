import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { type AddressType, scriptPubKeyOf } from '../address.ts'
import { equalBytes, toHex } from '../bytes.ts'
import type { Network } from '../network.ts'
import { formatOutpoint } from '../outpoint.ts'
import { publicKeyOf, sumPublicKeys, tweakPrivateKey } from '../secp256k1.ts'
import { readInputKey } from '../silent-payments/input-key.ts'
import { parseSilentPaymentAddress } from '../silent-payments/silent-payment-address.ts'
import {
  deriveSilentPaymentOutputs,
  type KeyedInput,
} from '../silent-payments/silent-payment-outputs.ts'
import type { TransactionOutput } from '../transaction.ts'
import type { Utxo } from '../utxo.ts'

/**
 * An output of a payment. `silentPaymentAddress` (BIP-352) is whom its script is derived for from the inputs: with other inputs it
 * is another script.
 */
export type PaymentOutput = TransactionOutput & { silentPaymentAddress?: string }

/** The key of an address, 32 bytes. */
export type PaymentKey = { privateKey: Uint8Array; addressType: AddressType }

type Spending = { inputs: readonly Utxo[]; outputs: readonly PaymentOutput[] }

/** Whether a payment has outputs that its inputs decide. */
export function hasSilentOutputs({ outputs }: Pick<Spending, 'outputs'>): boolean {
  return outputs.some(({ silentPaymentAddress }) => silentPaymentAddress !== undefined)
}

/** Throws a plain error for a payment that only the keys of its inputs can work out, where they are elsewhere. */
export function assertNoSilentOutputs(payment: Pick<Spending, 'outputs'>): void {
  if (hasSilentOutputs(payment))
    throw new Error('payment: outputs of silent payments need the private keys of the inputs')
}

/**
 * The outputs of a payment, those of silent payments derived from its inputs, of which every one is opened by one of the keys. Also
 * the sum of the public keys by which receivers find them. Throws SilentPaymentError and InvalidAddressError.
 */
export function deriveSilentOutputs(
  { inputs, outputs }: Spending,
  keys: readonly PaymentKey[],
  network: Network,
): { outputs: PaymentOutput[]; inputKeySum: Uint8Array } {
  const receivers = outputs.flatMap(({ silentPaymentAddress }) =>
    silentPaymentAddress === undefined
      ? []
      : parseSilentPaymentAddress(silentPaymentAddress, network),
  )
  const keyed = keyInputs(inputs, keys)
  try {
    const { scripts, inputKeySum } = deriveSilentPaymentOutputs(keyed, receivers)
    let next = 0
    const derived = outputs.map(output => {
      if (output.silentPaymentAddress === undefined) return output
      const scriptPubKey = scripts[next++] ?? new Uint8Array()
      return { ...output, scriptPubKey }
    })
    return { outputs: derived, inputKeySum }
  } finally {
    for (const { privateKey } of keyed) privateKey?.fill(0)
  }
}

/**
 * Throws a plain error unless every output of a silent payment is the one that the inputs give; else resolves the sum of their
 * public keys.
 */
export function assertSilentOutputs(
  payment: Spending,
  keys: readonly PaymentKey[],
  network: Network,
): Uint8Array {
  const { outputs, inputKeySum } = deriveSilentOutputs(payment, keys, network)
  for (const [index, { scriptPubKey }] of outputs.entries())
    if (!equalBytes(scriptPubKey, payment.outputs[index]?.scriptPubKey ?? new Uint8Array()))
      throw new Error(`payment: output ${index} is not derived from the inputs`)
  return inputKeySum
}

/** Throws a plain error unless the signed inputs show the keys by which the receivers of silent payments look for them. */
export function assertFoundByReceivers(
  { ins }: Transaction,
  inputs: readonly Utxo[],
  inputKeySum: Uint8Array,
): void {
  const shown = ins.flatMap(({ script, witness }, index) => {
    const { scriptPubKey = new Uint8Array() } = inputs[index] ?? {}
    return readInputKey({ scriptPubKey, scriptSig: script, witness }) ?? []
  })
  const sum = sumPublicKeys(shown)
  if (!sum || !equalBytes(sum, inputKeySum))
    throw new Error('payment: a receiver of silent payments would not find the output')
}

/** Copies of the keys that open the inputs, of Taproot those of the output keys; for the caller to wipe. */
function keyInputs(inputs: readonly Utxo[], keys: readonly PaymentKey[]): KeyedInput[] {
  const owners = new Map(
    keys.map(key => [toHex(scriptPubKeyOf(publicKeyOf(key.privateKey), key.addressType)), key]),
  )
  return inputs.map(({ txid, vout, scriptPubKey }) => {
    const owner = owners.get(toHex(scriptPubKey))
    if (!owner)
      throw new Error(`payment: input ${formatOutpoint({ txid, vout })} is not of this key`)
    const { privateKey, addressType } = owner
    const copy = addressType === 'p2tr' ? tweakPrivateKey(privateKey) : privateKey.slice()
    return { txid, vout, scriptPubKey, privateKey: copy }
  })
}

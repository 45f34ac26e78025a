import { Transaction } from '@scure/btc-signer'
import { toBase64, toHex } from '../../bitcoin/bytes.ts'
import { type BuiltPsbt, buildPsbt, FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'
import { publishPrevious, type Signing } from './psbt-site.ts'

const LENIENT = {
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowLegacyWitnessUtxo: true,
  disableScriptCheck: true,
}

/** A PSBT that an independent library has signed, in the forms in which sites hand it over. */
export type SignedElsewhere = {
  txid: string
  raw: string
  /** Signed and not finalized, in hex and base64, and final. */
  psbt: string
  base64: string
  final: string
}

/** Signs all inputs that these keys open. */
export function signElsewhere(
  { bytes }: Pick<BuiltPsbt, 'bytes'>,
  ...keys: readonly Uint8Array[]
): SignedElsewhere {
  const open = () => Transaction.fromPSBT(bytes, LENIENT)
  const transaction = open()
  for (const key of keys.length > 0 ? keys : [FOREIGN_KEY]) transaction.sign(key)
  const psbt = transaction.toPSBT()
  transaction.finalize()
  return {
    txid: transaction.id,
    raw: toHex(transaction.extract()),
    psbt: toHex(psbt),
    base64: toBase64(psbt),
    final: toHex(transaction.toPSBT()),
  }
}

/** Signs one input of a PSBT with one key; in hex. */
export function signPartly({ bytes }: Pick<BuiltPsbt, 'bytes'>, index: number): string {
  const transaction = Transaction.fromPSBT(bytes, LENIENT)
  transaction.signIdx(FOREIGN_KEY, index)
  return toHex(transaction.toPSBT())
}

let coins = 0

/** The same as `buildPsbt`, of coins that no other has. */
export function buildFresh(params: Parameters<typeof buildPsbt>[0]): BuiltPsbt {
  coins += params.inputs.length
  return buildPsbt({ ...params, from: 1_000_000 + coins })
}

/** A coin of somebody else. */
export const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

/** Somebody else's transaction, of coins that the chain knows. */
export function foreign(
  site: Pick<Signing, 'world'>,
  changes: Partial<Parameters<typeof buildFresh>[0]> = {},
): SignedElsewhere {
  const built = buildFresh({ inputs: [stranger(10_000n)], outputs: [stranger(9_000n)], ...changes })
  return signElsewhere(publishPrevious(site, built))
}

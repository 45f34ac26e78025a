import { equalBytes } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import {
  type AnyPayer,
  buildLedPayment,
  changeScriptOf,
  type Payment,
} from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { traceAssets } from '../flow/asset-flow.ts'
import type { InscriptionId } from '../inscription-id.ts'
import type { AssetCoin } from './coin-cut.ts'

/**
 * OP_RETURN, an empty push where metadata could stand, and zeros up to five bytes, so that a transaction with this output alone
 * is not too short to be relayed: what `ord wallet burn` makes (https://github.com/ordinals/ord/blob/master/src/subcommand/wallet/burn.rs).
 */
export const BURN_SCRIPT: Uint8Array = Uint8Array.of(0x6a, 0x00, 0x02, 0x00, 0x00)

/** Something else is on the coin, or it is not known on which of its sats the inscription is. */
export class NotAloneError extends Error {
  override name = 'NotAloneError'
  constructor(id: InscriptionId) {
    super(`Inscription ${id} is not known to be alone on its coin`)
  }
}

/**
 * Burns an inscription that is alone on its coin: its sat goes to an OP_RETURN output, which holds that one alone where the sats before
 * it make an output of their own that is no dust, and these too where they do not. Everything else of the coin comes back; clean coins pay
 * the fee. Throws {@link NotAloneError}, InsufficientFundsError, TransactionTooLargeError.
 */
export function buildBurn<P extends AnyPayer>(params: {
  id: InscriptionId
  coin: AssetCoin
  /** Clean coins that may pay the fee. */
  utxos: readonly Utxo[]
  required?: readonly Utxo[]
  own: P
  /** sat/vB. */
  feeRate: number
  seed: string
}): Payment<P['addressType']> {
  const { id, coin, own, ...terms } = params
  const [asset, ...others] = coin.assets
  const isAlone = asset?.kind === 'inscription' && asset.id === id && others.length === 0
  if (!isAlone || asset.offset === null || asset.offset >= coin.amount) throw new NotAloneError(id)
  const { offset } = asset
  const { scriptPubKey } = coin
  const front = offset < dustLimit(scriptPubKey) ? 0n : offset
  const outputs = [
    ...(front > 0n ? [{ scriptPubKey, amount: front }] : []),
    { scriptPubKey: BURN_SCRIPT, amount: offset - front + 1n },
  ]
  const payment = buildLedPayment({ ...terms, own, leading: { inputs: [coin], outputs } })
  assertBurned(payment, coin, [scriptPubKey, changeScriptOf(own)])
  return payment
}

/** Whatever was built, the inscription lands on the one output that does not come back, and that holds no sats behind it. */
function assertBurned(
  { inputs, outputs }: Pick<Payment, 'inputs' | 'outputs'>,
  { assets }: AssetCoin,
  own: readonly Uint8Array[],
): void {
  const [move, ...others] = traceAssets({
    inputs: inputs.map(({ amount }, at) => ({
      amount,
      assets: { known: true, assets: at === 0 ? assets : [] },
    })),
    outputs,
  }).moves
  const isOwn = (script: Uint8Array) => own.some(one => equalBytes(one, script))
  const lost = [...outputs.keys()].filter(at => !isOwn(outputs[at]?.scriptPubKey ?? BURN_SCRIPT))
  const isRight =
    others.length === 0 && move?.to.kind === 'burned' && lost.join() === String(move.to.output)
  if (!isRight) throw new Error('burn: the inscription would not land where it should')
}

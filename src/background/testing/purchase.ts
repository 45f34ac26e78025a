import { SigHash, Transaction } from '@scure/btc-signer'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import {
  type BuiltInput,
  type BuiltPsbt,
  buildPsbt,
  FOREIGN_KEY,
} from '../../bitcoin/testing/psbt-building.ts'
import type { PreparedCoin } from '../sending/outgoing.ts'
import type { Signing } from './psbt-site.ts'

type Buyer = Pick<Signing, 'account' | 'key'>
type Output = { txid: string; vout: number }

const SELLER_AT = 2
const SIGHASH = SigHash.SINGLE_ANYONECANPAY
const POSTAGE = 10_000n
const PRICE = 20_000n
const NEXT = 600n
const FEE = 2_000n

/**
 * A purchase as marketplaces build it: two small coins of the buyer, the coin of the seller (who signed input 2 and output 2
 * alone), and the coin that pays; to the buyer the small coins as one, what is bought, the price, two small coins for the
 * next time, and the rest. The seller's coin comes from nowhere unless told.
 */
export function buildPurchase(
  { account, key }: Buyer,
  dummies: readonly PreparedCoin[],
  payment: Output & { sats: bigint },
  { listed, proof = 'witness' }: { listed?: Output; proof?: NonNullable<BuiltInput['proof']> } = {},
): { psbt: string; built: BuiltPsbt } {
  const type = account.addressType
  const fields = type === 'p2tr' ? { tapInternalKey: fromHex(account.publicKey).slice(1) } : {}
  const own = (amount: bigint, outpoint: Output): BuiltInput => ({
    ...{ type, key, amount, outpoint, fields, proof },
  })
  const mine = (amount: bigint) => ({ type, key, amount })
  const small = dummies.map(({ txId, vOut, amount }) => ({
    outpoint: { txid: txId, vout: vOut },
    sats: BigInt(amount),
  }))
  const seller: BuiltInput = {
    ...{ type: 'p2wpkh', amount: POSTAGE, sighash: SIGHASH },
    ...(listed && { outpoint: listed }),
  }
  const built = buildPsbt({
    inputs: [
      ...small.map(({ sats, outpoint }) => own(sats, outpoint)),
      seller,
      own(payment.sats, payment),
    ],
    outputs: [
      mine(small.reduce((sum, { sats }) => sum + sats, 0n)),
      mine(POSTAGE),
      { type: 'p2wpkh', amount: PRICE },
      mine(NEXT),
      mine(NEXT),
      mine(payment.sats - PRICE - 2n * NEXT - FEE),
    ],
  })
  const transaction = Transaction.fromPSBT(built.bytes, {
    allowLegacyWitnessUtxo: true,
    disableScriptCheck: true,
  })
  transaction.signIdx(FOREIGN_KEY, SELLER_AT, [SIGHASH])
  return { psbt: toHex(transaction.toPSBT()), built }
}

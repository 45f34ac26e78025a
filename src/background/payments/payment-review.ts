import { addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { feeRateOf } from '../../bitcoin/fee-rate.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import { type CoinAssets, LARGE_POSTAGE } from '../../ordinals/asset.ts'
import { type AssetKey, keyOfAsset } from '../../ordinals/asset-key.ts'
import type { AssetMove } from '../../ordinals/flow/asset-flow.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { InscriptionNumbers } from '../coins/coin-assets.ts'
import type { Coins } from '../coins/coins.ts'
import { asCertain, describeMoves } from '../review/asset-moves.ts'
import type { FeeReferences } from '../review/fee-rates.ts'
import {
  type KnownAddresses,
  warnOfFee,
  warnOfRecipients,
  warnOfUnchecked,
  warnOfUnconfirmed,
} from '../review/payment-warnings.ts'
import { describeRunestone, runesOf } from '../review/runestones.ts'
import type {
  PaymentReview,
  ReviewedOutput,
  ReviewedRecipient,
  Warning,
} from '../views/payment-views.ts'

/** What a payment of ours is for. `previous` is what it replaces or lifts. */
export type PaymentPurpose = {
  purpose: PaymentReview['purpose']
  previous: { txid: string; fee: bigint; vsize: number } | null
  /** What is to move, in the order asked, and that of it which is not proven; nothing but for transfers. */
  moving?: {
    asked: readonly AssetKey[]
    unproven: readonly AssetKey[]
    /** Of a token or rune what lands on these outputs is asked for, and nothing else. */
    landings?: readonly number[]
  }
}

/** What a person is shown of a payment of ours before it is signed. */
export function reviewPayment(
  { account, network }: PayingContext,
  payment: Payment<SpendType>,
  { purpose, previous, moving = NOTHING_MOVES }: PaymentPurpose,
  known: {
    coins: Coins
    fees: FeeReferences
    knownAddresses: KnownAddresses
    /** Warnings of what an earlier payment pays already. */
    repeated: readonly Warning[]
    /** What sits on each input, and where it goes. */
    held: readonly CoinAssets[]
    moves: readonly AssetMove[]
    numbers: InscriptionNumbers
    /** The account's addresses among inputs and outputs. */
    own: readonly AccountAddress[]
  },
): PaymentReview {
  const { coins, fees, knownAddresses, held, numbers } = known
  const { asked, moves } = putFirst(moving, known.moves)
  const own = new Set(known.own.map(({ scriptPubKey }) => toHex(scriptPubKey)))
  const ownAddresses = new Set(known.own.map(({ address }) => address))
  const { inputs, changeIndex, leading, fee, vsize } = payment
  const outputs = payment.outputs.map(
    ({ scriptPubKey, amount }): ReviewedOutput => ({
      address: addressOfScript(scriptPubKey, network),
      script: toHex(scriptPubKey),
      sats: String(amount),
      own: own.has(toHex(scriptPubKey)),
    }),
  )
  const landings = new Set(moves.flatMap(({ to }) => ('output' in to ? [to.output] : [])))
  const askedLandings = new Set(asked.flatMap(({ to }) => ('output' in to ? [to.output] : [])))
  const recipients = outputs.flatMap(({ address, sats, own }, index): ReviewedRecipient[] => {
    // Outputs of a transfer that stay with the account are no recipients.
    const isOurs = index === changeIndex || (own && index < leading.outputs)
    if (address === null || (isOurs && !askedLandings.has(index))) return []
    const silent = payment.outputs[index]?.silentPaymentAddress
    const asked = silent ?? address
    const name = knownAddresses.names.get(asked) ?? null
    // What is paid again with another fee was known from the first time on.
    const paidBefore = own || previous ? undefined : knownAddresses.strangers.get(asked)
    const recipient = { address: asked, sats, name, ...(silent && { output: address }) }
    return [{ ...recipient, ...(paidBefore && { paidBefore }) }]
  })
  const paid = sum(recipients)
  const returned = sum(outputs.filter((output, index) => output.own && !landings.has(index)))
  const spent = new Set(inputs.map(formatOutpoint))
  const replaced = purpose === 'child' ? undefined : previous?.txid
  const remaining = coins.spendable.filter(
    ({ outpoint, txid }) => !spent.has(outpoint) && txid !== replaced,
  )
  const amount = recipients.length > 0 ? paid : returned
  // A child pays for itself and its parent (CPFP).
  const lifted = purpose === 'child' && previous ? previous : { fee: 0n, vsize: 0 }
  const whole = { fee: fee + lifted.fee, vsize: vsize + lifted.vsize }
  return {
    kind: 'payment',
    purpose,
    previous: previous && { txid: previous.txid, fee: String(previous.fee) },
    recipients,
    memo: readMemo(payment.outputs),
    sats: String(paid),
    fee: String(fee),
    feeRate: feeRateOf(whole.fee, whole.vsize),
    recentFeeRate: fees.recent,
    vsize,
    inputs: inputs.map(input => ({
      outpoint: formatOutpoint(input),
      address: addressOfScript(input.scriptPubKey, network) ?? account.address,
      sats: String(input.amount),
      own: true,
    })),
    outputs,
    assets: describeMoves(asCertain(moves), {
      inputs: inputs.map(() => ({ own: true })),
      outputs,
      numbers,
    }),
    asked: asked.length,
    runestone: describeRunestone(
      payment.outputs,
      runesOf(held.flatMap(coin => (coin.known ? coin.assets : []))),
      { isOpen: false },
    ),
    balanceAfter: String(remaining.reduce((total, { amount }) => total + amount, returned)),
    warnings: [
      // Coins that a transfer moves come first and move whole, so it does not matter what else is on them.
      ...warnOfUnchecked(
        held.map((assets, index) => (index < leading.inputs || assets.known ? null : assets.why)),
      ),
      // The postage of an inscription says nothing of its worth, so the fee is not compared with it.
      ...warnOfFee({ ...whole, amount: leading.outputs > 0 ? null : amount, fees }),
      ...warnOfPostage(outputs.filter((_, index) => askedLandings.has(index))),
      ...(moving.unproven.length > 0
        ? [{ kind: 'unproven-inscriptions' as const, ids: [...moving.unproven] }]
        : []),
      ...warnOfRecipients(
        recipients.map(({ address }) => address),
        knownAddresses,
      ),
      ...known.repeated,
      ...(purpose !== 'prepare' && recipients.some(({ address }) => ownAddresses.has(address))
        ? [{ kind: 'own-address' } as const]
        : []),
      ...(purpose === 'merge' ? warnOfJoined(inputs) : []),
      ...warnOfUnconfirmed(inputs.map(({ height }) => height === null)),
    ],
  }
}

const NOTHING_MOVES = { asked: [], unproven: [] }

/** The moves of what is asked for, and all moves with those first. */
function putFirst(
  { asked: keys, landings }: NonNullable<PaymentPurpose['moving']>,
  moves: readonly AssetMove[],
) {
  const places = new Map(keys.map((key, place) => [key, place]))
  const isElsewhere = ({ to }: AssetMove) =>
    landings !== undefined && !(to.kind === 'output' && landings.includes(to.output))
  const placeOf = (move: AssetMove) =>
    (isElsewhere(move) ? undefined : places.get(keyOfAsset(move.asset))) ?? keys.length
  const sorted = moves.toSorted((a, b) => placeOf(a) - placeOf(b))
  return { asked: sorted.filter(move => placeOf(move) < keys.length), moves: sorted }
}

function warnOfPostage(outputs: readonly ReviewedOutput[]): Warning[] {
  const large = outputs.filter(({ sats }) => BigInt(sats) > LARGE_POSTAGE)
  return large.length > 0 ? [{ kind: 'large-postage', sats: String(sum(large)) }] : []
}

function warnOfJoined(inputs: readonly TransactionOutput[]): Warning[] {
  const count = new Set(inputs.map(({ scriptPubKey }) => toHex(scriptPubKey))).size
  return count > 1 ? [{ kind: 'joins-addresses', count }] : []
}

const OP_RETURN = 0x6a
const OP_PUSHDATA1 = 0x4c
/** Begins a runestone. */
const OP_13 = 0x5d

/** Text of the OP_RETURN output that a payment of ours may have: one push. One that holds sats burns them, and says nothing. */
function readMemo(outputs: readonly TransactionOutput[]): string | null {
  const script = outputs.find(
    ({ scriptPubKey, amount }) => scriptPubKey[0] === OP_RETURN && amount === 0n,
  )?.scriptPubKey
  if (!script || script[1] === OP_13) return null
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    script.subarray(script[1] === OP_PUSHDATA1 ? 3 : 2),
  )
}

function sum(parts: readonly { sats: string }[]): bigint {
  return parts.reduce((total, { sats }) => total + BigInt(sats), 0n)
}

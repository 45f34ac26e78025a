import { addressOfScript } from '../../bitcoin/address.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { PsbtReview } from '../../bitcoin/psbt/review.ts'
import type { Contents } from '../../ordinals/flow/batch-flow.ts'
import type { CoinDecision } from '../coins/coin-choices.ts'
import { warnOfCoins } from '../review/asset-moves.ts'
import type { FeeReferences } from '../review/fee-rates.ts'
import {
  type KnownAddresses,
  warnOfFee,
  warnOfRecipients,
  warnOfUnconfirmed,
} from '../review/payment-warnings.ts'
import { describeRunestone, warnOfRunestone } from '../review/runestones.ts'
import type { Warning } from '../views/payment-views.ts'

/** NONE, SINGLE and NONE|ANYONECANPAY: what only the expert switch allows. */
const BLANK: readonly number[] = [2, 3, 0x82]

/** What a person should know before signing a PSBT. Throws ABSURD_FEE. */
export function warnOfPsbt(
  review: PsbtReview,
  known: {
    network: Network
    fees: FeeReferences
    knownAddresses: KnownAddresses
    /** Outpoints whose sighash only the PSBT asks for. */
    unasked: ReadonlySet<string>
    /** Of each input. */
    contents: readonly Contents[]
    /** Outpoints of own coins. */
    unconfirmed: ReadonlySet<string>
    choices: ReadonlyMap<string, CoinDecision>
  },
): Warning[] {
  const { inputs, outputs } = review
  const sighashes = inputs.flatMap(({ sighash }) => sighash ?? [])
  const recipients = outputs.flatMap(({ owner, scriptPubKey }) =>
    owner === 'foreign' ? (addressOfScript(scriptPubKey, known.network) ?? []) : [],
  )
  const listed = (
    kind: 'bad-signature' | 'claimed-amounts' | 'unasked-sighash',
    is: (input: (typeof inputs)[number]) => boolean,
  ): Warning[] => {
    const found = listIndexes(inputs, is)
    return found.length > 0 ? [{ kind, inputs: found }] : []
  }
  const listedOutputs = (
    kind: 'unknown-outputs' | 'dust-outputs',
    is: (output: (typeof outputs)[number]) => boolean,
  ): Warning[] => {
    const found = listIndexes(outputs, is)
    return found.length > 0 ? [{ kind, outputs: found }] : []
  }
  return [
    ...listOpenness(review, sighashes),
    ...(sighashes.some(sighash => BLANK.includes(sighash))
      ? [{ kind: 'blank-signature' } as const]
      : []),
    ...listed(
      'unasked-sighash',
      ({ state, sighash, outpoint }) =>
        state === 'to-sign' && known.unasked.has(outpoint) && (sighash ?? 0) > 1,
    ),
    ...listed('bad-signature', input => input.badSignature),
    ...listShared(inputs),
    ...listed('claimed-amounts', input => input.proof === 'claimed'),
    ...warnOfRecipients(recipients, known.knownAddresses),
    ...listBurned(outputs),
    ...warnOfRunestone(describeRunestone(outputs, new Map(), { isOpen: false })),
    ...listedOutputs('unknown-outputs', output => output.owner === 'unknown'),
    ...listedOutputs(
      'dust-outputs',
      // What stands at a place that others will fill is not relayed as it is.
      ({ scriptPubKey, amount, open }) => !open && amount < dustLimit(scriptPubKey),
    ),
    ...warnOfPsbtFee(review, known.fees),
    ...warnOfCoins(
      inputs.map(({ outpoint, owner }) => ({ outpoint, own: owner === 'own' })),
      known.contents,
      known.choices,
    ),
    ...warnOfUnconfirmed(inputs.map(({ outpoint }) => known.unconfirmed.has(outpoint))),
  ]
}

/**
 * The review names one sighash an input, and an input can carry several signatures of ours: the worst result covers all of
 * them.
 */
function listOpenness({ worst, net }: PsbtReview, sighashes: readonly number[]): Warning[] {
  const proposed = [...net.value.values()].reduce((sum, sats) => sum + sats, 0n)
  const isOpen = worst < proposed || sighashes.some(sighash => sighash > 1)
  return isOpen
    ? [{ kind: 'open-signature', worst: String(worst), proposed: String(proposed) }]
    : []
}

/** Inputs that we sign though they do not count as ours: our key is in the script, and may be the only one needed. */
function listShared(inputs: PsbtReview['inputs']): Warning[] {
  const isShared = ({ owner, sighash }: (typeof inputs)[number]) =>
    owner === 'shared' && sighash !== null
  const found = listIndexes(inputs, isShared)
  const sats = inputs.filter(isShared).reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
  return found.length > 0 ? [{ kind: 'shared-inputs', inputs: found, sats: String(sats) }] : []
}

/** Nobody can spend what an OP_RETURN holds. */
function listBurned(outputs: PsbtReview['outputs']): Warning[] {
  const sats = outputs.reduce(
    (sum, { owner, amount }) => (owner === 'data' ? sum + amount : sum),
    0n,
  )
  return sats > 0n ? [{ kind: 'burned-sats', sats: String(sats) }] : []
}

/**
 * Compared with what goes to others, or, where all stays, with all. Of a fee that is not settled only the height is told.
 * A fee is high by the smallest size that others can give the transaction, and low by the size as it is proposed.
 */
function warnOfPsbtFee(review: PsbtReview, fees: FeeReferences): Warning[] {
  const { fee, leastFee, vsize, leastVsize, outputs } = review
  const sats = fee ? fee.sats : leastFee
  if (sats === null) return []
  const sum = (some: PsbtReview['outputs']) =>
    some.reduce((total, { amount }) => total + amount, 0n)
  const paid = sum(outputs.filter(({ owner }) => owner !== 'own')) || sum(outputs)
  const amount = { fee: sats, amount: paid, fees }
  const high = warnOfFee({ ...amount, vsize: leastVsize }).filter(({ kind }) => kind === 'high-fee')
  if (high.length > 0 || fee === null || fee.certainty === 'open') return high
  return warnOfFee({ ...amount, vsize })
}

function listIndexes<T>(parts: readonly T[], is: (part: T) => boolean): number[] {
  return parts.flatMap((part, index) => (is(part) ? index : []))
}

import { addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { feeRateOf } from '../../bitcoin/fee-rate.ts'
import type { PsbtReview } from '../../bitcoin/psbt/review.ts'
import { describeSighash } from '../../bitcoin/signing/sighash.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { KnownAddresses } from '../review/payment-warnings.ts'
import { describeRunestone, type KnownRunes } from '../review/runestones.ts'
import type { GivenName } from '../views/account-views.ts'
import type { Warning } from '../views/payment-views.ts'
import type { PsbtView } from '../views/psbt-views.ts'
import { type PsbtAssets, viewAssets } from './psbt-assets.ts'

/** The review of one PSBT as the person sees it. `accountNames` are by id. */
export function viewPsbt(
  review: PsbtReview,
  known: Omit<AccountContext, 'wallet'> & {
    knownAddresses: Pick<KnownAddresses, 'names' | 'strangers'>
    accountNames: ReadonlyMap<string, GivenName>
    assets: PsbtAssets
    recentFeeRate: number | null
    runes: KnownRunes
    warnings: Warning[]
  },
): PsbtView {
  const { network, account, knownAddresses, accountNames, assets, recentFeeRate, runes, warnings } =
    known
  const { names, strangers } = knownAddresses
  const nameOf = (accountId: string | null) =>
    accountId === null ? null : (accountNames.get(accountId) ?? null)
  const nets = [...review.net.value].sort(
    ([a], [b]) => Number(b === account.id) - Number(a === account.id),
  )
  const { fee, leastFee, vsize, vsizeExact, after, locktime } = review
  const inputs = review.inputs.map(input => ({
    outpoint: input.outpoint,
    address: input.scriptPubKey && addressOfScript(input.scriptPubKey, network),
    sats: input.amount === null ? null : String(input.amount),
    own: input.owner === 'own',
    owner: input.owner,
    accountName: nameOf(input.accountId),
    proof: input.proof,
    state: input.state,
    sighash: input.sighash === null ? null : describeSighash(input.sighash),
    open: input.open,
    placeholder: input.placeholder,
    badSignature: input.badSignature,
  }))
  const outputs = review.outputs.map(({ scriptPubKey, amount, owner, accountId, open }) => {
    const address = addressOfScript(scriptPubKey, network)
    const other = owner === 'own' ? null : address
    const paidBefore = other === null ? undefined : strangers.get(other)
    return {
      address,
      script: toHex(scriptPubKey),
      sats: String(amount),
      own: owner === 'own',
      kind: owner,
      accountName: nameOf(accountId),
      name: other === null ? null : (names.get(other) ?? null),
      ...(paidBefore && { paidBefore }),
      open,
    }
  })
  return {
    txid: review.txid.certainty === 'certain' ? review.txid.value : null,
    inputs,
    outputs,
    nets: nets.map(([accountId, sats]) => ({
      accountId,
      accountName: nameOf(accountId) ?? '',
      sats: String(sats),
    })),
    net: {
      sats: String(nets.reduce((sum, [, sats]) => sum + sats, 0n)),
      certainty: review.net.certainty,
    },
    worst: String(review.worst),
    fee: fee && {
      sats: String(fee.sats),
      feeRate: feeRateOf(fee.sats, vsize),
      certainty: fee.certainty,
    },
    leastFee: leastFee === null ? null : String(leastFee),
    recentFeeRate,
    vsize,
    vsizeExact,
    after,
    locktime,
    assets: viewAssets(review, assets, { inputs, outputs }),
    runestone: describeRunestone(review.outputs, runes, {
      isOpen: review.inputs.every(({ fixes }) => fixes === null || fixes === 'less'),
    }),
    warnings,
  }
}

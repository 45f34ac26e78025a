import { addressOfScript } from '../bitcoin/address.ts'
import { toHex } from '../bitcoin/bytes.ts'
import type { Psbt } from '../bitcoin/psbt.ts'
import { nameOutput, type PsbtReview } from '../bitcoin/psbt-review.ts'
import { txidOnceSigned } from '../bitcoin/psbt-txid.ts'
import { describeSighash } from '../bitcoin/sighash.ts'
import type { TransactionOutput } from '../bitcoin/transaction.ts'
import type { RequestContext } from './method.ts'
import { roundRate } from './payment-warnings.ts'
import { type PsbtAssets, viewAssets } from './psbt-assets.ts'
import type { Warning } from './ui-methods/payment-views.ts'
import type { PsbtView, SignPsbtReview } from './ui-methods/psbt-views.ts'

/** A sequence that switches the locktime off where all inputs have it. */
const FINAL_SEQUENCE = 0xffffffff

/** The review of one PSBT as the person sees it. `names` are by address, `accountNames` by id. */
export function viewPsbt(
  psbt: Psbt,
  prevouts: readonly (TransactionOutput | null)[],
  review: PsbtReview,
  known: Pick<RequestContext, 'network' | 'account'> & {
    names: ReadonlyMap<string, string>
    accountNames: ReadonlyMap<string, string>
    assets: PsbtAssets
    recentFeeRate: number | null
    warnings: Warning[]
  },
): PsbtView {
  const { network, account, names, accountNames, assets, recentFeeRate, warnings } = known
  const nameOf = (accountId: string | null) =>
    accountId === null ? null : (accountNames.get(accountId) ?? null)
  const sighashes = review.inputs.flatMap(({ sighash }) => sighash ?? [])
  // One signature over everything binds everything.
  const bound = sighashes.some(sighash => sighash <= 1)
  const nets = [...review.net].sort(
    ([a], [b]) => Number(b === account.id) - Number(a === account.id),
  )
  const { fee, vsize, vsizeExact, after } = review
  const { locktime } = psbt.transaction
  const timed = psbt.inputs.some(({ sequence }) => sequence !== FINAL_SEQUENCE)
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
    return {
      address,
      script: toHex(scriptPubKey),
      sats: String(amount),
      own: owner === 'own',
      kind: owner,
      accountName: nameOf(accountId),
      name: owner === 'own' || address === null ? null : (names.get(address) ?? null),
      open,
    }
  })
  return {
    txid: bound ? txidOnceSigned(psbt, prevouts) : null,
    inputs,
    outputs,
    nets: nets.map(([accountId, sats]) => ({
      accountId,
      accountName: nameOf(accountId) ?? '',
      sats: String(sats),
    })),
    net: String(nets.reduce((sum, [, sats]) => sum + sats, 0n)),
    worst: String(review.worst),
    fee: fee && {
      sats: String(fee.sats),
      feeRate: roundRate(fee.sats, vsize),
      certainty: fee.certainty,
    },
    recentFeeRate,
    vsize,
    vsizeExact,
    after,
    locktime: locktime !== 0 && timed ? locktime : null,
    assets: viewAssets(review, assets, { inputs, outputs }),
    warnings,
  }
}

/** All PSBTs of a request in one question. Nobody has to use them all: at worst only those are that cost something. */
export function viewBatch(items: PsbtView[]): SignPsbtReview {
  const sum = (read: (item: PsbtView) => string) =>
    String(items.reduce((total, item) => total + BigInt(read(item)), 0n))
  return {
    kind: 'sign-psbt',
    items,
    total: {
      net: sum(({ net }) => net),
      worst: String(worstOf(items)),
      fee: items.some(({ fee }) => !fee) ? null : sum(({ fee }) => fee?.sats ?? '0'),
    },
    conflicts: listConflicts(items),
  }
}

function worstOf(items: readonly PsbtView[]): bigint {
  const least = leastOf(items.map(({ worst }) => BigInt(worst)))
  const reused = sumReused(items)
  return reused === 0n || least < 0n ? least - reused : -reused
}

/**
 * Own outputs that several items count on and that one transaction could pay for all of them: into what ALL|ANYONECANPAY
 * signs others can put the coins of further ANYONECANPAY signatures, as long as it has the outputs that those ask for.
 */
function sumReused(items: readonly PsbtView[]): bigint {
  const mergeable = items.filter(({ inputs }) =>
    inputs.some(({ sighash }) => sighash?.endsWith('-anyone')),
  )
  if (!mergeable.some(({ inputs }) => inputs.some(({ sighash }) => sighash === 'all-anyone')))
    return 0n
  const paid = new Map<string, number>()
  let reused = 0n
  for (const { outputs } of mergeable) {
    const here = new Map<string, number>()
    for (const { script, sats } of outputs.filter(({ own }) => own)) {
      const output = nameOutput(script, sats)
      const count = (here.get(output) ?? 0) + 1
      here.set(output, count)
      if (count <= (paid.get(output) ?? 0)) reused += BigInt(sats)
      else paid.set(output, count)
    }
  }
  return reused
}

function leastOf([first = 0n, ...others]: readonly bigint[]): bigint {
  return others.reduce(
    (least, worst) => (least < 0n && worst < 0n ? least + worst : worst < least ? worst : least),
    first,
  )
}

/** Inputs that others put in place of what is drawn contradict nothing. */
function listConflicts(items: readonly PsbtView[]): [number, number][] {
  const spends = items.map(
    ({ inputs }) =>
      new Set(
        inputs.flatMap(({ outpoint, open, placeholder }) => (open || placeholder ? [] : outpoint)),
      ),
  )
  return spends.flatMap((spent, first) =>
    spends.flatMap((others, second): [number, number][] =>
      second > first && [...others].some(outpoint => spent.has(outpoint)) ? [[first, second]] : [],
    ),
  )
}

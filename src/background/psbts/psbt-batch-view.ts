import { keyOfOutput } from '../../bitcoin/psbt/review.ts'
import type { Warning } from '../views/payment-views.ts'
import type { PsbtView, SignPsbtReview } from '../views/psbt-views.ts'

/** An item of a request, and the other items that are with the network wherever it is: their outputs are spent. */
type BatchItem = { view: PsbtView; ancestors: readonly number[] }

/** All PSBTs of a request in one question. Nobody has to use them all: at worst only those are that cost something. */
export function viewBatch(batch: readonly BatchItem[], broadcast: boolean): SignPsbtReview {
  const items = batch.map(({ view }) => view)
  const sum = (read: (item: PsbtView) => string) =>
    String(items.reduce((total, item) => total + BigInt(read(item)), 0n))
  const worst = worstOf(items)
  return {
    kind: 'sign-psbt',
    items,
    broadcast,
    total: {
      net: sum(({ net }) => net.sats),
      worst: String(worst),
      fee: items.some(({ fee }) => !fee) ? null : sum(({ fee }) => fee?.sats ?? '0'),
    },
    conflicts: listConflicts(items),
    warnings: [...warnOfReuse(items, worst), ...warnOfOneSided(batch)],
  }
}

/** That signatures of several items can be used together, and then cost more than the items themselves can. */
function warnOfReuse(items: readonly PsbtView[], worst: bigint): Warning[] {
  const alone = items.reduce(
    (sum, { worst }) => (BigInt(worst) < 0n ? sum + BigInt(worst) : sum),
    0n,
  )
  return worst < alone
    ? [{ kind: 'open-signature', worst: String(worst), proposed: String(alone) }]
    : []
}

/**
 * Items that give something and for certain bring nothing, alone or with those that have to go before them, while others
 * bring something; and, where one only brings, all others that give: what it brings may be what they are given for.
 */
function warnOfOneSided(batch: readonly BatchItem[]): Warning[] {
  const places = [...batch.keys()]
  const placesOf = (is: (view: PsbtView) => boolean) =>
    places.filter(at => batch[at] && is(batch[at].view))
  const bringing = placesOf(promises)
  const sure = new Set(placesOf(brings))
  const gifts = placesOf(view => promises(view) && !gives(view))
  const needed = new Set<number>()
  const items = [...batch.entries()].flatMap(([at, { view, ancestors }]) => {
    // An open signature does not name all inputs, so others can use it without the items before it.
    const together = [at, ...(view.net.certainty === 'open' ? [] : ancestors)]
    const isPaid = together.some(each => sure.has(each))
    const isWhole = gifts.every(gift => together.includes(gift))
    const others = bringing.filter(each => !together.includes(each))
    if (!gives(view) || others.length === 0 || (isPaid && isWhole)) return []
    for (const each of together) needed.add(each)
    return [at]
  })
  const worst = leastOf([...needed].map(at => BigInt(batch[at]?.view.worst ?? 0)))
  return items.length > 0 ? [{ kind: 'one-sided-items', items, worst: String(worst) }] : []
}

/** Whether more than a fee leaves the wallet. A fee that others can change counts as leaving: they may take it. */
function gives({ net, fee, assets }: PsbtView): boolean {
  const spent = fee?.certainty === 'open' ? 0n : BigInt(fee?.sats ?? 0)
  const isKept = ({ own, to, certainty }: PsbtView['assets'][number]) =>
    !own || (to === 'own' && certainty === 'certain')
  return BigInt(net.sats) + spent < 0n || !assets.every(isKept)
}

function brings({ worst, assets }: PsbtView): boolean {
  const isCertain = assets.some(
    ({ own, to, certainty }) => !own && to === 'own' && certainty === 'certain',
  )
  return BigInt(worst) > 0n || isCertain
}

/** Whether it is proposed to bring anything. */
function promises({ net, assets }: PsbtView): boolean {
  return BigInt(net.sats) > 0n || assets.some(({ own, to }) => !own && to === 'own')
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
      const output = keyOfOutput(script, sats)
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

/** Pairs of items that spend the same coin. Inputs that others can exchange, and that we do not sign, are no conflict. */
function listConflicts(items: readonly PsbtView[]): [number, number][] {
  const spends = items.map(
    ({ inputs }) =>
      new Set(
        inputs.flatMap(({ outpoint, sighash, open, placeholder }) =>
          placeholder || (open && sighash === null) ? [] : outpoint,
        ),
      ),
  )
  return spends.flatMap((spent, first) =>
    spends.flatMap((others, second): [number, number][] =>
      second > first && [...others].some(outpoint => spent.has(outpoint)) ? [[first, second]] : [],
    ),
  )
}

import type {
  PsbtInputView,
  PsbtOutputView,
  PsbtView,
} from '../../../background/views/psbt-views.ts'
import { sayName } from '../../ui/text/names.ts'

/** Small own outputs that could be taken for plain sats: how many, and their sum. */
export type Coins = { count: number; sats: bigint }

/** What signing does, before words: the first thing a person is told. */
export type PsbtEffect =
  /** All inputs are ours and somebody else is paid: `sats` is what the recipients get. */
  | { kind: 'send'; sats: bigint; outputs: PsbtOutputView[] }
  /** The same, where all of it goes to outputs that nobody can spend. */
  | { kind: 'burn'; sats: bigint }
  /** With coins that come from others: `sats` is what is paid for them. */
  | { kind: 'pay'; sats: bigint; coins: Coins | null }
  /** With coins that go away: `sats` is what is received for them. */
  | { kind: 'get'; sats: bigint; coins: Coins | null }
  | { kind: 'move'; sats: bigint; from: string; to: string }
  /** `back`: whether anything but the fee is left for us. */
  | { kind: 'fee'; sats: bigint; back: boolean }
  | { kind: 'nothing' }
  | { kind: 'shared'; coins: Coins }
  /** `sats` that others can take; null when the coins are not ours alone. */
  | { kind: 'blank'; sats: bigint | null }

/** At most so many sats on a coin are postage: what counts is what it carries, which is named beside the payment. */
const POSTAGE = 10_000n

/** The one effect that is said first. */
export function chooseEffect(view: PsbtView): PsbtEffect {
  const { inputs, outputs } = view
  const net = BigInt(view.net.sats)
  const worst = BigInt(view.worst)
  const shared = signedCoinsOfOthers(view)
  const own = inputs.filter(isOwn)
  if (view.warnings.some(({ kind }) => kind === 'blank-signature')) {
    if (worst < 0n) return { kind: 'blank', sats: -worst }
    if (shared.count > 0) return { kind: 'blank', sats: null }
  }
  const move = findMove(view)
  if (net === 0n) {
    if (shared.count > 0) return { kind: 'shared', coins: shared }
    return move ?? { kind: 'nothing' }
  }
  if (net > 0n) {
    return own.length > 0 && own.every(isPostage)
      ? { kind: 'get', sats: sumOf(outputs.filter(isOwnOutput)), coins: countCoins(own) }
      : { kind: 'get', sats: net, coins: null }
  }
  // Else others would have to add what is missing, and what is paid is not ours alone.
  if (own.length === inputs.length && view.fee !== null) {
    const paid = outputs.filter(output => output.kind !== 'own' && output.sats !== '0')
    // A recipient that others can replace is not worth naming.
    if (paid.some(({ open }) => open)) return { kind: 'pay', sats: -net, coins: null }
    if (paid.length > 0) {
      return paid.every(({ kind }) => kind === 'data')
        ? { kind: 'burn', sats: sumOf(paid) }
        : { kind: 'send', sats: sumOf(paid), outputs: paid }
    }
    return move ?? { kind: 'fee', sats: -net, back: outputs.some(isOwnOutput) }
  }
  const coins = coinsFromOthers(view)
  return { kind: 'pay', sats: coins.sats - net, coins: coins.count > 0 ? coins : null }
}

/** Coins that we sign for and that are not ours alone. */
export function signedCoinsOfOthers({ inputs }: PsbtView): Coins {
  return countCoins(inputs.filter(({ owner, sighash }) => owner === 'shared' && sighash !== null))
}

/** What others have to add so that the outputs can be paid at all; 0 while an amount is unknown. */
export function missingSats({ inputs, outputs }: Pick<PsbtView, 'inputs' | 'outputs'>): bigint {
  if (inputs.some(({ sats }) => sats === null)) return 0n
  const missing = sumOf(outputs) - sumOf(inputs)
  return missing > 0n ? missing : 0n
}

/** From one account of ours to another. */
function findMove({ nets }: PsbtView): PsbtEffect | null {
  const [to, ...receivers] = nets.filter(({ sats }) => BigInt(sats) > 0n)
  const [from, ...payers] = nets.filter(({ sats }) => BigInt(sats) < 0n)
  return to && from && receivers.length === 0 && payers.length === 0
    ? {
        kind: 'move',
        sats: BigInt(to.sats),
        from: sayName(from.accountName),
        to: sayName(to.accountName),
      }
    : null
}

/** Whether others can use the signatures in a way that is worse than the transaction shown. */
export function canGetWorse(view: Pick<PsbtView, 'net' | 'worst'>): boolean {
  return BigInt(view.worst) < BigInt(view.net.sats)
}

/** Small own outputs that consist only of others' sats (sats flow first in, first out); none while an amount or an output is not certain. */
export function coinsFromOthers({ inputs, outputs, net, fee }: PsbtView): Coins {
  const isDoubtful = [net, fee].some(claim => claim !== null && claim.certainty !== 'certain')
  if (
    isDoubtful ||
    inputs.some(({ sats, open, proof }) => sats === null || open || proof === 'claimed')
  )
    return { count: 0, sats: 0n }
  const ours: [start: bigint, end: bigint][] = []
  let position = 0n
  for (const input of inputs) {
    const end = position + BigInt(input.sats ?? 0)
    if (isOwn(input)) ours.push([position, end])
    position = end
  }
  let start = 0n
  const coins = outputs.filter(output => {
    const [from, to] = [start, start + BigInt(output.sats)]
    start = to
    return isOwnOutput(output) && isPostage(output) && !ours.some(([a, b]) => a < to && from < b)
  })
  return countCoins(coins)
}

function countCoins(coins: readonly { sats: string | null }[]): Coins {
  return { count: coins.length, sats: sumOf(coins) }
}

function sumOf(parts: readonly { sats: string | null }[]): bigint {
  return parts.reduce((sum, { sats }) => sum + BigInt(sats ?? 0), 0n)
}

function isPostage({ sats }: { sats: string | null }): boolean {
  return sats !== null && sats !== '0' && BigInt(sats) <= POSTAGE
}

function isOwn({ owner }: PsbtInputView): boolean {
  return owner === 'own'
}

function isOwnOutput({ kind }: PsbtOutputView): boolean {
  return kind === 'own'
}

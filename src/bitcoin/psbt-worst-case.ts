/** A signature that this wallet gives or has given. `binding`: it is right, and its coin cannot be spent without one of ours. */
export type GivenSignature = { index: number; sighash: number; binding: boolean }

/** How much of the outputs a signature fixes; each includes the ones before it. */
const NONE = 0
const SINGLE = 1
const ALL = 2

/**
 * The least (sats, negative when they pay) that all own accounts together can end up with when at least one of these
 * signatures is used, in this transaction or in any others that they are valid in; 0 without signatures. `inputs` and
 * `outputs` are what own accounts spend and get at each place, 0 for everyone else's.
 *
 * BIP-143 and BIP-341 leave three ways to use them:
 * 1. A signature without ANYONECANPAY names every input, so they all are spent, and each own coin by the signature that it
 *    has here: what any of them fixes of the outputs is paid.
 * 2. ALL|ANYONECANPAY fixes every output and nothing but its own coin. The most is lost when every other coin that is
 *    signed with ANYONECANPAY is put beside it, at the place where it was, because no further output has to be paid for it.
 * 3. SINGLE|ANYONECANPAY is a coin against one output and NONE|ANYONECANPAY a coin against nothing, each for itself: no two
 *    inputs have the same place, so no output serves two of them. Only those are used that lose.
 */
export function findWorstCase(params: {
  inputs: readonly bigint[]
  outputs: readonly bigint[]
  signatures: readonly GivenSignature[]
}): bigint {
  const { inputs, outputs, signatures } = params
  const named = signatures.filter(({ sighash }) => !letsOthersAdd(sighash))
  const free = signatures.filter(({ sighash }) => letsOthersAdd(sighash))
  const outcomes = [
    ...weighNamed(named, signatures, inputs, outputs),
    ...weighMerged(free, inputs, outputs),
    ...weighApart(free, inputs, outputs),
  ]
  const [first = 0n, ...others] = outcomes
  return others.reduce(least, first)
}

/** Whether a signature fixes neither the other inputs nor their amounts (ANYONECANPAY). */
export function letsOthersAdd(sighash: number): boolean {
  return (sighash & 0x80) !== 0
}

export function fixesAllOutputs(sighash: number): boolean {
  return fixedOutputs(sighash) === ALL
}

/** Whether a signature at this place fixes this output. */
export function fixesOutput(sighash: number, place: number, output: number): boolean {
  const fixed = fixedOutputs(sighash)
  return fixed === ALL || (fixed === SINGLE && place === output)
}

function weighNamed(
  named: readonly GivenSignature[],
  signatures: readonly GivenSignature[],
  inputs: readonly bigint[],
  outputs: readonly bigint[],
): bigint[] {
  if (named.length === 0) return []
  const bound = new Map<number, number>()
  for (const { index, sighash, binding } of signatures)
    if (binding) bound.set(index, Math.min(bound.get(index) ?? ALL, fixedOutputs(sighash)))
  const bindsAll = [...bound.values()].includes(ALL)
  const single = [...bound].filter(([, fixed]) => fixed === SINGLE).map(([index]) => index)
  const paid = sumOf(single.map(index => outputs[index] ?? 0n))
  const spent = sumOf(inputs)
  return named.map(({ index, sighash }) => {
    const fixed = fixedOutputs(sighash)
    if (bindsAll || fixed === ALL) return sumOf(outputs) - spent
    const further = fixed === SINGLE && bound.get(index) !== SINGLE ? (outputs[index] ?? 0n) : 0n
    return paid + further - spent
  })
}

function weighMerged(
  free: readonly GivenSignature[],
  inputs: readonly bigint[],
  outputs: readonly bigint[],
): bigint[] {
  if (!free.some(({ sighash }) => fixedOutputs(sighash) === ALL)) return []
  const coins = [...new Set(free.map(({ index }) => index))]
  return [sumOf(outputs) - sumOf(coins.map(index => inputs[index] ?? 0n))]
}

function weighApart(
  free: readonly GivenSignature[],
  inputs: readonly bigint[],
  outputs: readonly bigint[],
): bigint[] {
  const trades = new Map<number, bigint>()
  for (const { index, sighash } of free) {
    const fixed = fixedOutputs(sighash)
    if (fixed === ALL) continue
    const change = (fixed === SINGLE ? (outputs[index] ?? 0n) : 0n) - (inputs[index] ?? 0n)
    trades.set(index, least(trades.get(index) ?? change, change))
  }
  const changes = [...trades.values()]
  const losses = changes.filter(change => change < 0n)
  return losses.length > 0 ? [sumOf(losses)] : changes
}

/** By the low five bits, as consensus reads them: whatever is neither SINGLE nor NONE fixes all outputs. */
function fixedOutputs(sighash: number): number {
  const base = sighash & 0x1f
  if (base === 3) return SINGLE
  return base === 2 ? NONE : ALL
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

import type { PsbtInputView } from '../../../background/views/psbt-views.ts'

/** Inputs that follow each other and differ in nothing but coin and amount. */
export type InputRun = { first: number; inputs: [PsbtInputView, ...PsbtInputView[]] }

/** Fewer than these are listed one by one. */
const LEAST = 4

/** All inputs in their order, the like ones together: what is the same of a thousand coins is read once. */
export function groupRuns(
  inputs: readonly PsbtInputView[],
  /** Inputs that are listed by themselves, since something sits on them. */
  laden: ReadonlySet<number> = new Set(),
): InputRun[] {
  const runs: InputRun[] = []
  let last: string | null = null
  for (const [index, input] of inputs.entries()) {
    const likeness = laden.has(index) ? null : describeLikeness(input, index)
    const run = runs.at(-1)
    if (run && likeness !== null && likeness === last) run.inputs.push(input)
    else runs.push({ first: index, inputs: [input] })
    last = likeness
  }
  return runs.flatMap(run =>
    run.inputs.length >= LEAST
      ? [run]
      : run.inputs.map((input, at): InputRun => ({ first: run.first + at, inputs: [input] })),
  )
}

/** Sats of all; null while one is unknown. */
export function sumRun({ inputs }: InputRun): bigint | null {
  return inputs.reduce<bigint | null>(
    (sum, { sats }) => (sum === null || sats === null ? null : sum + BigInt(sats)),
    0n,
  )
}

function describeLikeness(input: PsbtInputView, index: number): string {
  const { owner, accountName, address, proof, state, sighash, open, placeholder, badSignature } =
    input
  // These sign the output at their own place.
  const place = sighash?.startsWith('single') ? index : null
  return JSON.stringify([
    owner,
    accountName,
    address,
    proof,
    state,
    sighash,
    open,
    placeholder,
    badSignature,
    place,
  ])
}

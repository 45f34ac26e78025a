/** Which output a sat of an input is dealt to, and how far inside it, by counting; null for the fee. */
export function walkSat(
  { inputs, outputs }: { inputs: { amount: bigint }[]; outputs: { amount: bigint }[] },
  input: number,
  offset: bigint,
): { output: number; offset: bigint } | null {
  let ahead = offset
  for (let i = 0; i < input; i++) ahead += inputs[i]?.amount ?? 0n
  for (let output = 0; output < outputs.length; output++) {
    const amount = outputs[output]?.amount ?? 0n
    if (ahead < amount) return { output, offset: ahead }
    ahead -= amount
  }
  return null
}

/** In hex: begins an output that carries data and can never be spent. */
export const OP_RETURN = '6a'

/** Whether a scriptPubKey in hex carries what a transaction says about runes: OP_RETURN and OP_13. */
export function isRunestone(script: string): boolean {
  return script.startsWith('6a5d')
}

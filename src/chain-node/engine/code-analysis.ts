/** What follows from code alone. */
export interface CodeAnalysis {
  /** 1 for each place that can be jumped to. */
  readonly jumps: Uint8Array
  /** What is pushed, by the place after the opcode, once it was asked for. */
  readonly pushes: (bigint | undefined)[]
}

const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

const analyses = new WeakMap<Uint8Array, CodeAnalysis>()

/** The code's analysis, made once for each array of bytes. */
export function analyseCode(code: Uint8Array): CodeAnalysis {
  const known = analyses.get(code)
  if (known !== undefined) return known
  const jumps = new Uint8Array(code.length)
  for (let i = 0; i < code.length; i++) {
    const opcode = code[i] as number
    if (opcode === JUMPDEST) jumps[i] = 1
    else if (opcode >= PUSH1 && opcode <= PUSH32) i += opcode - PUSH1 + 1
  }
  const analysis: CodeAnalysis = { jumps, pushes: new Array(code.length + 1) }
  analyses.set(code, analysis)
  return analysis
}

/** The bytes at `place` as an integer; behind the end of the code are zeros. */
export function findPush(
  analysis: CodeAnalysis,
  code: Uint8Array,
  place: number,
  length: number,
): bigint {
  const end = Math.min(code.length, place + length)
  const digits = Buffer.prototype.hexSlice.call(code, place, end)
  const value = BigInt(`0x${digits.padEnd(2 * length, '0')}`)
  analysis.pushes[place] = value
  return value
}

import { ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes } from '../bytes.ts'
import { OP } from './opcodes.ts'
import { assertScript, ScriptError } from './script-error.ts'
import { encodeNumber, isTrue, readNumber } from './script-number.ts'
import type { ScriptStack } from './script-stack.ts'

const EMPTY = new Uint8Array()
const TRUE = Uint8Array.of(1)

export function encodeBoolean(value: boolean): Uint8Array {
  return value ? TRUE : EMPTY
}

/** Carries out an operation that only moves, hashes or compares what is on the stack; false for any other opcode. */
export function runStackOperation(
  opcode: number,
  stack: ScriptStack,
  altStack: ScriptStack,
  isMinimal: boolean,
): boolean {
  if (opcode === OP.NEGATE1 || (opcode >= OP.OP_1 && opcode <= OP.OP_16)) {
    stack.push(encodeNumber(opcode - OP.OP_1 + 1))
    return true
  }
  const rearrange = REARRANGEMENTS[opcode]
  if (rearrange) {
    const [count, order] = rearrange
    const taken = stack.take(count)
    for (const at of order) stack.push(taken[at] ?? EMPTY)
    return true
  }
  const hash = HASHES[opcode]
  if (hash) {
    stack.push(hash(stack.pop()))
    return true
  }
  switch (opcode) {
    case OP.NOP:
      return true
    case OP.VERIFY:
      assertScript(isTrue(stack.peek()), 'VERIFY')
      stack.pop()
      return true
    case OP.RETURN:
      throw new ScriptError('OP_RETURN')
    case OP.TOALTSTACK:
      altStack.push(stack.pop())
      return true
    case OP.FROMALTSTACK:
      stack.push(altStack.pop())
      return true
    case OP.IFDUP:
      if (isTrue(stack.peek())) stack.push(stack.peek())
      return true
    case OP.DEPTH:
      stack.push(encodeNumber(stack.size))
      return true
    case OP.PICK:
    case OP.ROLL: {
      stack.assertHas(2)
      const depth = readNumber(stack.pop(), isMinimal)
      assertScript(depth >= 0 && depth < stack.size, 'INVALID_STACK_OPERATION')
      stack.push(opcode === OP.ROLL ? stack.remove(depth) : stack.peek(depth))
      return true
    }
    case OP.SIZE:
      stack.push(encodeNumber(stack.peek().length))
      return true
    case OP.EQUAL:
    case OP.EQUALVERIFY: {
      const [a = EMPTY, b = EMPTY] = stack.take(2)
      const equal = equalBytes(a, b)
      if (opcode === OP.EQUALVERIFY) assertScript(equal, 'EQUALVERIFY')
      else stack.push(encodeBoolean(equal))
      return true
    }
    default:
      return runArithmetic(opcode, stack, isMinimal)
  }
}

/** How many items from the top, and which of them lie there afterwards, the lowest as 0. */
const REARRANGEMENTS: { [opcode: number]: [count: number, order: readonly number[]] } = {
  [OP.DROP2]: [2, []],
  [OP.DUP2]: [2, [0, 1, 0, 1]],
  [OP.DUP3]: [3, [0, 1, 2, 0, 1, 2]],
  [OP.OVER2]: [4, [0, 1, 2, 3, 0, 1]],
  [OP.ROT2]: [6, [2, 3, 4, 5, 0, 1]],
  [OP.SWAP2]: [4, [2, 3, 0, 1]],
  [OP.DROP]: [1, []],
  [OP.DUP]: [1, [0, 0]],
  [OP.NIP]: [2, [1]],
  [OP.OVER]: [2, [0, 1, 0]],
  [OP.ROT]: [3, [1, 2, 0]],
  [OP.SWAP]: [2, [1, 0]],
  [OP.TUCK]: [2, [1, 0, 1]],
}

const HASHES: { [opcode: number]: (data: Uint8Array) => Uint8Array } = {
  [OP.RIPEMD160]: data => ripemd160(data),
  [OP.SHA1]: data => sha1(data),
  [OP.SHA256]: data => sha256(data),
  [OP.HASH160]: data => ripemd160(sha256(data)),
  [OP.HASH256]: data => sha256(sha256(data)),
}

const UNARY: { [opcode: number]: (a: number) => number } = {
  [OP.ADD1]: a => a + 1,
  [OP.SUB1]: a => a - 1,
  [OP.NEGATE]: a => -a,
  [OP.ABS]: a => Math.abs(a),
  [OP.NOT]: a => Number(a === 0),
  [OP.NOTEQUAL0]: a => Number(a !== 0),
}

const BINARY: { [opcode: number]: (a: number, b: number) => number } = {
  [OP.ADD]: (a, b) => a + b,
  [OP.SUB]: (a, b) => a - b,
  [OP.BOOLAND]: (a, b) => Number(a !== 0 && b !== 0),
  [OP.BOOLOR]: (a, b) => Number(a !== 0 || b !== 0),
  [OP.NUMEQUAL]: (a, b) => Number(a === b),
  [OP.NUMEQUALVERIFY]: (a, b) => Number(a === b),
  [OP.NUMNOTEQUAL]: (a, b) => Number(a !== b),
  [OP.LESSTHAN]: (a, b) => Number(a < b),
  [OP.GREATERTHAN]: (a, b) => Number(a > b),
  [OP.LESSTHANOREQUAL]: (a, b) => Number(a <= b),
  [OP.GREATERTHANOREQUAL]: (a, b) => Number(a >= b),
  [OP.MIN]: (a, b) => Math.min(a, b),
  [OP.MAX]: (a, b) => Math.max(a, b),
}

function runArithmetic(opcode: number, stack: ScriptStack, isMinimal: boolean): boolean {
  const read = (count: number) => {
    stack.assertHas(count)
    const numbers = stack.items.slice(-count).map(item => readNumber(item, isMinimal))
    stack.take(count)
    return numbers
  }
  const unary = UNARY[opcode]
  const binary = BINARY[opcode]
  if (unary) {
    const [a = 0] = read(1)
    stack.push(encodeNumber(unary(a)))
  } else if (binary) {
    const [a = 0, b = 0] = read(2)
    const result = binary(a, b)
    if (opcode === OP.NUMEQUALVERIFY) assertScript(result !== 0, 'NUMEQUALVERIFY')
    else stack.push(encodeNumber(result))
  } else if (opcode === OP.WITHIN) {
    const [a = 0, low = 0, high = 0] = read(3)
    stack.push(encodeBoolean(low <= a && a < high))
  } else return false
  return true
}

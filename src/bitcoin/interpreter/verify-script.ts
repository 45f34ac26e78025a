// interpreter: evaluates scripts as Bitcoin Core does (`interpreter.cpp`), for messages that scripts sign. It promises that
// what it calls satisfied is, by the rules that it is given, and bounded work. It decides nothing about spending.

import { sha256 } from '@noble/hashes/sha2.js'
import { isWitnessProgram, typeOfScript } from '../address.ts'
import { concatBytes, equalBytes } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'
import { encodePushes } from '../script.ts'
import { leafHash, outputKeyOfLeaf, TAPSCRIPT_VERSION } from '../signing/taproot-leaf.ts'
import {
  type Evaluation,
  evaluateScript,
  MAX_ELEMENT_SIZE,
  MAX_STACK_SIZE,
  type Upgradable,
} from './evaluate-script.ts'
import { isOpSuccess } from './opcodes.ts'
import { assertScript, ScriptError, type ScriptErrorCode } from './script-error.ts'
import { isTrue } from './script-number.ts'
import { isPushOnly, readOperation } from './script-reader.ts'
import type { ScriptRules } from './script-rules.ts'
import type { SignatureChecker } from './signature-checker.ts'

/** An input's part of a transaction, and the output that it spends. */
export type ScriptSpend = {
  scriptPubKey: Uint8Array
  scriptSig: Uint8Array
  witness: readonly Uint8Array[]
}

/** Whether it is satisfied; where it is, by something that a rule of the future may forbid, the first of it. */
export type ScriptResult =
  | { error: null; upgradable: Upgradable | null }
  | { error: ScriptErrorCode; upgradable: null }

const CONTROL_BLOCK_BASE = 33
const CONTROL_BLOCK_NODE = 32
const MAX_DEPTH = 128
const ANNEX_TAG = 0x50
/** What BIP-342 adds to a witness's size. */
const WEIGHT_OFFSET = 50

/** Whether an output is satisfied by a scriptSig and a witness (Bitcoin Core's VerifyScript). */
export function verifyScript(
  spend: ScriptSpend,
  rules: ScriptRules,
  checker: SignatureChecker,
): ScriptResult {
  let upgradable: Upgradable | null = null
  const onUpgradable = (what: Upgradable) => {
    upgradable ??= what
  }
  try {
    runScripts(spend, { rules, checker, onUpgradable })
    return { error: null, upgradable }
  } catch (error) {
    if (error instanceof ScriptError) return { error: error.code, upgradable: null }
    throw error
  }
}

type Context = Pick<Evaluation, 'rules' | 'checker' | 'onUpgradable'>

function runScripts({ scriptPubKey, scriptSig, witness }: ScriptSpend, context: Context): void {
  const { rules } = context
  if (rules.has('SIGPUSHONLY')) assertScript(isPushOnly(scriptSig), 'SIG_PUSHONLY')
  const base = { ...context, version: 'base' } as const
  const pushed = evaluateScript([], { ...base, script: scriptSig })
  let stack = evaluateScript(pushed, { ...base, script: scriptPubKey })
  assertTrue(stack)

  let isWitness = rules.has('WITNESS') && isWitnessProgram(scriptPubKey)
  if (isWitness) {
    assertScript(scriptSig.length === 0, 'WITNESS_MALLEATED')
    runWitness(scriptPubKey, witness, false, context)
    stack = stack.slice(0, 1)
  }

  if (rules.has('P2SH') && typeOfScript(scriptPubKey) === 'p2sh') {
    assertScript(isPushOnly(scriptSig), 'SIG_PUSHONLY')
    const redeemScript = pushed.at(-1) ?? new Uint8Array()
    stack = evaluateScript(pushed.slice(0, -1), { ...base, script: redeemScript })
    assertTrue(stack)
    if (rules.has('WITNESS') && isWitnessProgram(redeemScript)) {
      isWitness = true
      const isOnePush = equalBytes(scriptSig, encodePushes([redeemScript]))
      assertScript(isOnePush, 'WITNESS_MALLEATED_P2SH')
      runWitness(redeemScript, witness, true, context)
      stack = stack.slice(0, 1)
    }
  }

  if (rules.has('CLEANSTACK')) assertScript(stack.length === 1, 'CLEANSTACK')
  if (rules.has('WITNESS')) assertScript(isWitness || witness.length === 0, 'WITNESS_UNEXPECTED')
}

function assertTrue(stack: readonly Uint8Array[]): void {
  const top = stack.at(-1)
  assertScript(top !== undefined && isTrue(top), 'EVAL_FALSE')
}

/** Bitcoin Core's VerifyWitnessProgram. */
function runWitness(
  programScript: Uint8Array,
  witness: readonly Uint8Array[],
  isNested: boolean,
  context: Context,
): void {
  const version = programScript[0] ?? 0
  const program = programScript.subarray(2)
  const isTaproot = version === 0x51 && program.length === 32 && !isNested
  if (version === 0) runVersion0(program, witness, context)
  else if (!isTaproot) context.onUpgradable('WITNESS_PROGRAM')
  else if (context.rules.has('TAPROOT')) runTaproot(program, witness, context)
}

function runVersion0(program: Uint8Array, witness: readonly Uint8Array[], context: Context): void {
  if (program.length === 32) {
    const script = witness.at(-1)
    assertScript(script !== undefined, 'WITNESS_PROGRAM_WITNESS_EMPTY')
    assertScript(equalBytes(sha256(script), program), 'WITNESS_PROGRAM_MISMATCH')
    runWitnessScript(witness.slice(0, -1), { ...context, version: 'v0', script })
    return
  }
  assertScript(program.length === 20, 'WITNESS_PROGRAM_WRONG_LENGTH')
  assertScript(witness.length === 2, 'WITNESS_PROGRAM_MISMATCH')
  const script = concatBytes(Uint8Array.of(0x76, 0xa9, 20), program, Uint8Array.of(0x88, 0xac))
  runWitnessScript(witness, { ...context, version: 'v0', script })
}

function runTaproot(outputKey: Uint8Array, witness: readonly Uint8Array[], context: Context): void {
  assertScript(witness.length > 0, 'WITNESS_PROGRAM_WITNESS_EMPTY')
  const last = witness.at(-1)
  const annex = witness.length >= 2 && last?.[0] === ANNEX_TAG ? last : null
  if (annex) context.onUpgradable('ANNEX')
  const stack = annex ? witness.slice(0, -1) : witness
  const annexHash = annex ? sha256(concatBytes(encodeCompactSize(annex.length), annex)) : undefined
  const [first = new Uint8Array()] = stack
  if (stack.length === 1) {
    context.checker.assertSchnorr(first, outputKey, context.rules, { annexHash })
    return
  }

  const controlBlock = stack.at(-1) ?? new Uint8Array()
  const script = stack.at(-2) ?? new Uint8Array()
  const path = controlBlock.length - CONTROL_BLOCK_BASE
  const isPath = path >= 0 && path % CONTROL_BLOCK_NODE === 0
  assertScript(isPath && path <= CONTROL_BLOCK_NODE * MAX_DEPTH, 'TAPROOT_WRONG_CONTROL_SIZE')
  const leafVersion = (controlBlock[0] ?? 0) & 0xfe
  const hash = leafHash(script, leafVersion)
  const committed = outputKeyOfLeaf(controlBlock, hash)
  const isCommitted = committed !== null && equalBytes(committed, outputKey)
  assertScript(isCommitted, 'WITNESS_PROGRAM_MISMATCH')
  if (leafVersion !== TAPSCRIPT_VERSION) {
    context.onUpgradable('TAPROOT_VERSION')
    return
  }
  const validationWeight = witnessSize(witness) + WEIGHT_OFFSET
  const tapscript = { leafHash: hash, annexHash, validationWeight }
  runWitnessScript(stack.slice(0, -2), { ...context, version: 'tapscript', script, tapscript })
}

/** Bitcoin Core's ExecuteWitnessScript: the limits of what is on the stack, and that one item is left, which is true. */
function runWitnessScript(stack: readonly Uint8Array[], evaluation: Evaluation): void {
  if (evaluation.version === 'tapscript') {
    if (hasOpSuccess(evaluation.script)) {
      evaluation.onUpgradable('OP_SUCCESS')
      return
    }
    assertScript(stack.length <= MAX_STACK_SIZE, 'STACK_SIZE')
  }
  assertScript(
    stack.every(item => item.length <= MAX_ELEMENT_SIZE),
    'PUSH_SIZE',
  )
  const left = evaluateScript(stack, evaluation)
  assertScript(left.length === 1, 'CLEANSTACK')
  assertTrue(left)
}

/** Throws where an operation before the first OP_SUCCESS cannot be read. */
function hasOpSuccess(script: Uint8Array): boolean {
  for (let at = 0; at < script.length; ) {
    const operation = readOperation(script, at)
    assertScript(operation !== null, 'BAD_OPCODE')
    if (isOpSuccess(operation.opcode)) return true
    at = operation.end
  }
  return false
}

/** Bytes of a witness stack as transactions hold it. */
function witnessSize(witness: readonly Uint8Array[]): number {
  const sizeOf = (count: number) => encodeCompactSize(count).length
  return witness.reduce(
    (size, item) => size + sizeOf(item.length) + item.length,
    sizeOf(witness.length),
  )
}

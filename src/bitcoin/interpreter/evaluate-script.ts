import { isDisabled, OP } from './opcodes.ts'
import { assertScript } from './script-error.ts'
import { encodeNumber, isTrue, readNumber } from './script-number.ts'
import { findAndDelete, isMinimalPush, readOperation } from './script-reader.ts'
import type { ScriptRules } from './script-rules.ts'
import { ScriptStack } from './script-stack.ts'
import { isSequenceDisabled, type SignatureChecker } from './signature-checker.ts'
import { assertPublicKeyEncoding, assertSignatureEncoding } from './signature-encoding.ts'
import { encodeBoolean, runStackOperation } from './stack-operations.ts'

/** Which rules a script is read by: before segwit, of BIP-143, of BIP-342. */
export type ScriptVersion = 'base' | 'v0' | 'tapscript'

/** What a rule of the future may forbid and none of today does; the names of Bitcoin Core's flags that discourage it. */
export type Upgradable =
  | 'NOPS'
  | 'WITNESS_PROGRAM'
  | 'TAPROOT_VERSION'
  | 'OP_SUCCESS'
  | 'PUBKEYTYPE'
  | 'ANNEX'

/** A script and what it is evaluated with. */
export type Evaluation = {
  script: Uint8Array
  version: ScriptVersion
  rules: ScriptRules
  checker: SignatureChecker
  /** Told of what an upgrade may give another meaning. */
  onUpgradable: (what: Upgradable) => void
  /** Of a tapscript: its leaf hash, the hash of the annex, and how much of its witness pays for signature checks. */
  tapscript?: { leafHash: Uint8Array; annexHash: Uint8Array | undefined; validationWeight: number }
}

const MAX_SCRIPT_SIZE = 10_000
export const MAX_ELEMENT_SIZE = 520
const MAX_OPERATIONS = 201
const MAX_KEYS = 20
export const MAX_STACK_SIZE = 1000
const WEIGHT_PER_SIGNATURE = 50
/** CHECKLOCKTIMEVERIFY and CHECKSEQUENCEVERIFY take numbers of five bytes, which hold every nLockTime. */
const LOCK_NUMBER_SIZE = 5
const NO_CODESEPARATOR = 0xffffffff
const EMPTY = new Uint8Array()

/** Runs a script on a stack (Bitcoin Core's EvalScript) and gives the stack that it leaves. Throws {@link ScriptError}. */
export function evaluateScript(items: readonly Uint8Array[], evaluation: Evaluation): Uint8Array[] {
  const { script, version, rules, checker, onUpgradable, tapscript } = evaluation
  const isTapscript = version === 'tapscript'
  const isMinimal = rules.has('MINIMALDATA')
  assertScript(isTapscript || script.length <= MAX_SCRIPT_SIZE, 'SCRIPT_SIZE')
  const stack = new ScriptStack(items)
  const altStack = new ScriptStack([], 'INVALID_ALTSTACK_OPERATION')
  /** Of each IF that is open, whether its branch is run. */
  const branches: boolean[] = []
  let skipped = 0
  let operations = 0
  let codeStart = 0
  let codeSeparatorPosition = NO_CODESEPARATOR
  let validationWeight = tapscript?.validationWeight ?? 0

  function countOperations(count: number): void {
    if (isTapscript) return
    operations += count
    assertScript(operations <= MAX_OPERATIONS, 'OP_COUNT')
  }

  function runConditional(opcode: number): void {
    if (opcode === OP.IF || opcode === OP.NOTIF) {
      let isRun = false
      if (skipped === 0) {
        const condition = stack.peek()
        const isMinimalCondition =
          condition.length === 0 || (condition.length === 1 && condition[0] === 1)
        if (isTapscript) assertScript(isMinimalCondition, 'TAPSCRIPT_MINIMALIF')
        if (version === 'v0' && rules.has('MINIMALIF'))
          assertScript(isMinimalCondition, 'MINIMALIF')
        stack.pop()
        isRun = isTrue(condition) === (opcode === OP.IF)
      }
      branches.push(isRun)
      if (!isRun) skipped++
      return
    }
    const isRun = branches.pop()
    assertScript(isRun !== undefined, 'UNBALANCED_CONDITIONAL')
    if (!isRun) skipped--
    if (opcode === OP.ENDIF) return
    branches.push(!isRun)
    if (isRun) skipped++
  }

  /** What a signature of before taproot signs, of which the signatures themselves are cut before segwit. */
  function scriptCodeOf(signatures: readonly Uint8Array[]): Uint8Array {
    let code = script.subarray(codeStart)
    if (version !== 'base') return code
    for (const signature of signatures) {
      const cut = findAndDelete(code, signature)
      if (rules.has('CONST_SCRIPTCODE')) assertScript(cut.found === 0, 'SIG_FINDANDDELETE')
      code = cut.script
    }
    return code
  }

  function checkEcdsa(signature: Uint8Array, key: Uint8Array, code: Uint8Array): boolean {
    assertSignatureEncoding(signature, rules)
    assertPublicKeyEncoding(key, rules, version === 'v0')
    return checker.ecdsa(signature, key, code, version === 'base' ? 'base' : 'v0')
  }

  /** BIP-342, "Rules for signature opcodes". */
  function checkTapscriptSignature(signature: Uint8Array, key: Uint8Array): boolean {
    const isGiven = signature.length > 0
    if (isGiven) {
      validationWeight -= WEIGHT_PER_SIGNATURE
      assertScript(validationWeight >= 0, 'TAPSCRIPT_VALIDATION_WEIGHT')
    }
    assertScript(key.length > 0, 'TAPSCRIPT_EMPTY_PUBKEY')
    if (key.length !== 32) onUpgradable('PUBKEYTYPE')
    else if (isGiven) {
      const { leafHash = EMPTY, annexHash } = tapscript ?? {}
      checker.assertSchnorr(signature, key, rules, { leafHash, annexHash, codeSeparatorPosition })
    }
    return isGiven
  }

  function checkSignature(signature: Uint8Array, key: Uint8Array): boolean {
    if (isTapscript) return checkTapscriptSignature(signature, key)
    const isRight = checkEcdsa(signature, key, scriptCodeOf([signature]))
    if (!isRight && rules.has('NULLFAIL')) assertScript(signature.length === 0, 'NULLFAIL')
    return isRight
  }

  /** Signatures and keys are compared from the last on, each signature with keys that come after those of the ones before. */
  function checkMultisig(): boolean {
    assertScript(!isTapscript, 'TAPSCRIPT_CHECKMULTISIG')
    stack.assertHas(1)
    const keyCount = readNumber(stack.peek(), isMinimal)
    assertScript(keyCount >= 0 && keyCount <= MAX_KEYS, 'PUBKEY_COUNT')
    countOperations(keyCount)
    stack.assertHas(keyCount + 2)
    const signatureCount = readNumber(stack.peek(keyCount + 1), isMinimal)
    assertScript(signatureCount >= 0 && signatureCount <= keyCount, 'SIG_COUNT')
    stack.assertHas(keyCount + signatureCount + 3)
    stack.pop()
    const keys = stack.take(keyCount)
    stack.pop()
    const signatures = stack.take(signatureCount)
    const code = scriptCodeOf(signatures.toReversed())
    let isRight = true
    let [keysLeft, signaturesLeft] = [keyCount, signatureCount]
    while (isRight && signaturesLeft > 0) {
      const signature = signatures[signaturesLeft - 1] ?? EMPTY
      if (checkEcdsa(signature, keys[keysLeft - 1] ?? EMPTY, code)) signaturesLeft--
      keysLeft--
      isRight = signaturesLeft <= keysLeft
    }
    if (!isRight && rules.has('NULLFAIL')) {
      assertScript(
        signatures.every(signature => signature.length === 0),
        'NULLFAIL',
      )
    }
    const dummy = stack.pop()
    if (rules.has('NULLDUMMY')) assertScript(dummy.length === 0, 'SIG_NULLDUMMY')
    return isRight
  }

  function checkLock(opcode: number): void {
    const isTime = opcode === OP.CHECKLOCKTIMEVERIFY
    // Before BIP-65 and BIP-112 both did nothing.
    if (!rules.has(isTime ? 'CHECKLOCKTIMEVERIFY' : 'CHECKSEQUENCEVERIFY')) return
    const lock = readNumber(stack.peek(), isMinimal, LOCK_NUMBER_SIZE)
    assertScript(lock >= 0, 'NEGATIVE_LOCKTIME')
    if (!isTime && isSequenceDisabled(lock)) return
    const isReached = isTime ? checker.hasReachedLockTime(lock) : checker.hasReachedSequence(lock)
    assertScript(isReached, 'UNSATISFIED_LOCKTIME')
  }

  function run(opcode: number, position: number, end: number): void {
    if (opcode >= OP.IF && opcode <= OP.ENDIF) {
      assertScript(opcode !== OP.VERIF && opcode !== OP.VERNOTIF, 'BAD_OPCODE')
      runConditional(opcode)
      return
    }
    if (opcode === OP.NOP1 || (opcode >= OP.NOP4 && opcode <= OP.NOP10)) {
      onUpgradable('NOPS')
      return
    }
    switch (opcode) {
      case OP.CHECKLOCKTIMEVERIFY:
      case OP.CHECKSEQUENCEVERIFY:
        checkLock(opcode)
        return
      case OP.CODESEPARATOR:
        assertScript(!rules.has('NO_CODESEPARATOR'), 'OP_CODESEPARATOR')
        codeStart = end
        codeSeparatorPosition = position
        return
      case OP.CHECKSIG:
      case OP.CHECKSIGVERIFY: {
        const [signature = EMPTY, key = EMPTY] = stack.take(2)
        const isRight = checkSignature(signature, key)
        if (opcode === OP.CHECKSIGVERIFY) assertScript(isRight, 'CHECKSIGVERIFY')
        else stack.push(encodeBoolean(isRight))
        return
      }
      case OP.CHECKSIGADD: {
        assertScript(isTapscript, 'BAD_OPCODE')
        stack.assertHas(3)
        const count = readNumber(stack.peek(1), isMinimal)
        const [signature = EMPTY, , key = EMPTY] = stack.take(3)
        const isRight = checkSignature(signature, key)
        stack.push(encodeNumber(count + Number(isRight)))
        return
      }
      case OP.CHECKMULTISIG:
      case OP.CHECKMULTISIGVERIFY: {
        const isRight = checkMultisig()
        if (opcode === OP.CHECKMULTISIGVERIFY) assertScript(isRight, 'CHECKMULTISIGVERIFY')
        else stack.push(encodeBoolean(isRight))
        return
      }
      default:
        assertScript(runStackOperation(opcode, stack, altStack, isMinimal), 'BAD_OPCODE')
    }
  }

  for (let at = 0, position = 0; at < script.length; position++) {
    const operation = readOperation(script, at)
    assertScript(operation !== null, 'BAD_OPCODE')
    const { opcode, data, end } = operation
    if (data) assertScript(data.length <= MAX_ELEMENT_SIZE, 'PUSH_SIZE')
    if (opcode > OP.OP_16) countOperations(1)
    // Both count in branches that are not run too.
    assertScript(!isDisabled(opcode), 'DISABLED_OPCODE')
    const isConstant = version === 'base' && rules.has('CONST_SCRIPTCODE')
    assertScript(!(isConstant && opcode === OP.CODESEPARATOR), 'OP_CODESEPARATOR')
    const isConditional = opcode >= OP.IF && opcode <= OP.ENDIF
    if (data && skipped === 0) {
      if (isMinimal) assertScript(isMinimalPush(opcode, data), 'MINIMALDATA')
      stack.push(data)
    } else if (!data && (skipped === 0 || isConditional)) run(opcode, position, end)
    assertScript(stack.size + altStack.size <= MAX_STACK_SIZE, 'STACK_SIZE')
    at = end
  }
  assertScript(branches.length === 0, 'UNBALANCED_CONDITIONAL')
  return stack.items
}

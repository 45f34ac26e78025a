/** Why a script is not satisfied; the names of Bitcoin Core's script errors (`script_error.h`), in {@link SIGHASH_NOT_ALL} BIP-322's. */
export type ScriptErrorCode =
  | 'EVAL_FALSE'
  | 'OP_RETURN'
  | 'SCRIPTNUM'
  | 'SCRIPT_SIZE'
  | 'PUSH_SIZE'
  | 'OP_COUNT'
  | 'STACK_SIZE'
  | 'SIG_COUNT'
  | 'PUBKEY_COUNT'
  | 'VERIFY'
  | 'EQUALVERIFY'
  | 'CHECKMULTISIGVERIFY'
  | 'CHECKSIGVERIFY'
  | 'NUMEQUALVERIFY'
  | 'BAD_OPCODE'
  | 'DISABLED_OPCODE'
  | 'INVALID_STACK_OPERATION'
  | 'INVALID_ALTSTACK_OPERATION'
  | 'UNBALANCED_CONDITIONAL'
  | 'NEGATIVE_LOCKTIME'
  | 'UNSATISFIED_LOCKTIME'
  | 'SIG_HASHTYPE'
  | 'SIG_DER'
  | 'SIG_HIGH_S'
  | 'SIG_NULLDUMMY'
  | 'SIG_PUSHONLY'
  | 'SIG_FINDANDDELETE'
  | 'MINIMALDATA'
  | 'MINIMALIF'
  | 'NULLFAIL'
  | 'PUBKEYTYPE'
  | 'CLEANSTACK'
  | 'OP_CODESEPARATOR'
  | 'WITNESS_PROGRAM_WRONG_LENGTH'
  | 'WITNESS_PROGRAM_WITNESS_EMPTY'
  | 'WITNESS_PROGRAM_MISMATCH'
  | 'WITNESS_MALLEATED'
  | 'WITNESS_MALLEATED_P2SH'
  | 'WITNESS_UNEXPECTED'
  | 'WITNESS_PUBKEYTYPE'
  | 'SCHNORR_SIG_SIZE'
  | 'SCHNORR_SIG_HASHTYPE'
  | 'SCHNORR_SIG'
  | 'TAPROOT_WRONG_CONTROL_SIZE'
  | 'TAPSCRIPT_VALIDATION_WEIGHT'
  | 'TAPSCRIPT_CHECKMULTISIG'
  | 'TAPSCRIPT_MINIMALIF'
  | 'TAPSCRIPT_EMPTY_PUBKEY'
  | typeof SIGHASH_NOT_ALL
  | typeof TOO_MUCH_WORK

/** A signature of another type than ALL or DEFAULT, which BIP-322 forbids and consensus permits. */
export const SIGHASH_NOT_ALL = 'SIGHASH_NOT_ALL'

/** More than this interpreter was allowed to do: says nothing about the script. */
export const TOO_MUCH_WORK = 'TOO_MUCH_WORK'

/** A script that is not satisfied. */
export class ScriptError extends Error {
  override name = 'ScriptError'
  readonly code: ScriptErrorCode
  constructor(code: ScriptErrorCode) {
    super(`script: ${code}`)
    this.code = code
  }
}

/** Throws {@link ScriptError} where a condition does not hold. */
export function assertScript(holds: boolean, code: ScriptErrorCode): asserts holds {
  if (!holds) throw new ScriptError(code)
}

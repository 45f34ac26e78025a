import type { ScriptErrorCode } from '../../../src/bitcoin/interpreter/script-error.ts'

/** What Bitcoin Core says of each script error (`script_error.cpp` of version 29, MIT). Two of ours are BIP-322's and have none. */
export const CORE_ERRORS: { readonly [code in ScriptErrorCode]?: string } = {
  EVAL_FALSE: 'Script evaluated without error but finished with a false/empty top stack element',
  VERIFY: 'Script failed an OP_VERIFY operation',
  EQUALVERIFY: 'Script failed an OP_EQUALVERIFY operation',
  CHECKMULTISIGVERIFY: 'Script failed an OP_CHECKMULTISIGVERIFY operation',
  CHECKSIGVERIFY: 'Script failed an OP_CHECKSIGVERIFY operation',
  NUMEQUALVERIFY: 'Script failed an OP_NUMEQUALVERIFY operation',
  SCRIPT_SIZE: 'Script is too big',
  PUSH_SIZE: 'Push value size limit exceeded',
  OP_COUNT: 'Operation limit exceeded',
  STACK_SIZE: 'Stack size limit exceeded',
  SIG_COUNT: 'Signature count negative or greater than pubkey count',
  PUBKEY_COUNT: 'Pubkey count negative or limit exceeded',
  BAD_OPCODE: 'Opcode missing or not understood',
  DISABLED_OPCODE: 'Attempted to use a disabled opcode',
  INVALID_STACK_OPERATION: 'Operation not valid with the current stack size',
  INVALID_ALTSTACK_OPERATION: 'Operation not valid with the current altstack size',
  OP_RETURN: 'OP_RETURN was encountered',
  UNBALANCED_CONDITIONAL: 'Invalid OP_IF construction',
  NEGATIVE_LOCKTIME: 'Negative locktime',
  UNSATISFIED_LOCKTIME: 'Locktime requirement not satisfied',
  SIG_HASHTYPE: 'Signature hash type missing or not understood',
  SIG_DER: 'Non-canonical DER signature',
  MINIMALDATA: 'Data push larger than necessary',
  SIG_PUSHONLY: 'Only push operators allowed in signatures',
  SIG_HIGH_S: 'Non-canonical signature: S value is unnecessarily high',
  SIG_NULLDUMMY: 'Dummy CHECKMULTISIG argument must be zero',
  MINIMALIF: 'OP_IF/NOTIF argument must be minimal',
  NULLFAIL: 'Signature must be zero for failed CHECK(MULTI)SIG operation',
  PUBKEYTYPE: 'Public key is neither compressed or uncompressed',
  CLEANSTACK: 'Stack size must be exactly one after execution',
  OP_CODESEPARATOR: 'Using OP_CODESEPARATOR in non-witness script',
  SIG_FINDANDDELETE: 'Signature is found in scriptCode',
  WITNESS_PROGRAM_WRONG_LENGTH: 'Witness program has incorrect length',
  WITNESS_PROGRAM_WITNESS_EMPTY: 'Witness program was passed an empty witness',
  WITNESS_PROGRAM_MISMATCH: 'Witness program hash mismatch',
  WITNESS_MALLEATED: 'Witness requires empty scriptSig',
  WITNESS_MALLEATED_P2SH: 'Witness requires only-redeemscript scriptSig',
  WITNESS_UNEXPECTED: 'Witness provided for non-witness script',
  WITNESS_PUBKEYTYPE: 'Using non-compressed keys in segwit',
  SCHNORR_SIG_SIZE: 'Invalid Schnorr signature size',
  SCHNORR_SIG_HASHTYPE: 'Invalid Schnorr signature hash type',
  SCHNORR_SIG: 'Invalid Schnorr signature',
  TAPSCRIPT_VALIDATION_WEIGHT: 'Too much signature validation relative to witness weight',
  TAPSCRIPT_CHECKMULTISIG: 'OP_CHECKMULTISIG(VERIFY) is not available in tapscript',
  TAPSCRIPT_MINIMALIF: 'OP_IF/NOTIF argument must be minimal in tapscript',
  TAPSCRIPT_EMPTY_PUBKEY: 'Empty public key in tapscript',
  SCRIPTNUM: 'Script number overflowed or is non-minimally encoded',
}

/** What versions before say, where it is another text. */
export const OLDER_ERRORS: { readonly [code in ScriptErrorCode]?: string } = {
  SCRIPTNUM: 'unknown error',
  // Of IF and NOTIF alone.
  INVALID_STACK_OPERATION: 'Invalid OP_IF construction',
  TAPSCRIPT_EMPTY_PUBKEY: 'Public key is neither compressed or uncompressed',
}

/** What only nodes' policy refuses, since a rule of the future may give it a meaning. */
export const DISCOURAGED_ERRORS: ReadonlySet<string> = new Set([
  'NOPx reserved for soft-fork upgrades',
  'Witness version reserved for soft-fork upgrades',
  'Taproot version reserved for soft-fork upgrades',
  'OP_SUCCESSx reserved for soft-fork upgrades',
  'Public key version reserved for soft-fork upgrades',
])

/** What Bitcoin Knots' mempool says where scripts do what it alone does not relay: IF in a tapscript, pushes of more than 256 bytes. */
export const KNOTS_RULES: ReadonlySet<string> = new Set([
  'OP_IF/NOTIF argument must be minimal in tapscript',
  'Push value size limit exceeded',
])

/** A rule that scripts are held to; the names of Bitcoin Core's flags (`interpreter.h`), and BIP-322's own SIGHASH_ALL. */
export type ScriptRule =
  | 'P2SH'
  | 'WITNESS'
  | 'TAPROOT'
  | 'NULLDUMMY'
  | 'CHECKLOCKTIMEVERIFY'
  | 'CHECKSEQUENCEVERIFY'
  | 'STRICTENC'
  | 'LOW_S'
  | 'SIGPUSHONLY'
  | 'MINIMALDATA'
  | 'MINIMALIF'
  | 'NULLFAIL'
  | 'CLEANSTACK'
  | 'CONST_SCRIPTCODE'
  | 'WITNESS_PUBKEYTYPE'
  | 'SIGHASH_ALL'
  | 'NO_CODESEPARATOR'

export type ScriptRules = ReadonlySet<ScriptRule>

/** What blocks are held to today. Strict DER (BIP-66) is a rule of every evaluation here. */
export const CONSENSUS_RULES: ScriptRules = new Set<ScriptRule>([
  'P2SH',
  'WITNESS',
  'TAPROOT',
  'NULLDUMMY',
  'CHECKLOCKTIMEVERIFY',
  'CHECKSEQUENCEVERIFY',
])

/** What nodes hold transactions to before they relay them: consensus, and what Bitcoin Core calls standard script flags. */
export const STANDARD_RULES: ScriptRules = new Set<ScriptRule>([
  ...CONSENSUS_RULES,
  'STRICTENC',
  'LOW_S',
  'MINIMALDATA',
  'MINIMALIF',
  'NULLFAIL',
  'CLEANSTACK',
  'CONST_SCRIPTCODE',
  'WITNESS_PUBKEYTYPE',
])

/**
 * The required rules of BIP-322. WITNESS_PUBKEYTYPE is no word of its list, but BIP-143's own rule of keys in segwit scripts,
 * which every wallet keeps to.
 */
export const MESSAGE_RULES: ScriptRules = new Set<ScriptRule>([
  ...STANDARD_RULES,
  'SIGHASH_ALL',
  'NO_CODESEPARATOR',
])

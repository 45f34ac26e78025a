import { hash160, sha256 } from 'bitcoinjs-lib/src/crypto'
import { scriptHashScript, typeOfScript, witnessProgramScript } from '../address.ts'
import { concatBytes, equalBytes } from '../bytes.ts'
import { encodePushes, isPush, parseNumber, parseScript, type ScriptOperation } from '../script.ts'
import { finish } from '../steps.ts'
import { isLeafOf, leafHash, TAPSCRIPT_VERSION, type TaprootLeaf } from './taproot-leaf.ts'

/** A way to spend an output that this wallet understands: signatures of so many of these keys, and nothing else. */
export type SpendingTemplate = {
  scheme: 'legacy' | 'v0' | 'taproot'
  /** What an ECDSA signature covers as its script code; of a tapscript its leaf. */
  script: Uint8Array
  leafHash: Uint8Array | null
  keys: readonly Uint8Array[]
  required: number
  /** How signatures lie on the stack: those given in the order of the keys, or one item per key, the last key's first. */
  stacking: 'given' | 'each'
  before: readonly Uint8Array[]
  after: readonly Uint8Array[]
  /** The witness program that the scriptSig of P2SH-wrapped segwit pushes. */
  nested: Uint8Array | null
}

/** What an output hides behind hashes, as far as it has been revealed. */
export type Revealed = {
  redeemScript: Uint8Array | null
  witnessScript: Uint8Array | null
  leaves: readonly TaprootLeaf[]
  publicKeys: readonly Uint8Array[]
}

/** The two places where an input proves that it may spend. */
export type Unlocking = { scriptSig: Uint8Array; witness: readonly Uint8Array[] }

type KeyScript = Pick<SpendingTemplate, 'keys' | 'required' | 'stacking' | 'before' | 'after'>

const NOTHING = new Uint8Array(0)

const OP_0 = 0x00
const OP_IF = 0x63
const OP_ENDIF = 0x68
const OP_NUMEQUAL = 0x9c
const OP_CHECKSIG = 0xac
const OP_CHECKSIGVERIFY = 0xad
const OP_CHECKMULTISIG = 0xae
const OP_CHECKSIGADD = 0xba

/** BIP-141 and consensus: no script has more keys in a CHECKMULTISIG. */
const MAX_MULTISIG_KEYS = 20

/**
 * How an output can be spent with what has been revealed of it. Null: its script is unknown or not understood. Empty: what
 * has been revealed (a script, a leaf, the keys) is not this output's.
 */
export function listTemplates(
  scriptPubKey: Uint8Array,
  revealed: Revealed,
): SpendingTemplate[] | null {
  return finish(listTemplatesInSteps(scriptPubKey, revealed))
}

/** The same, a leaf a step: a thousand of them take a second. */
export function* listTemplatesInSteps(
  scriptPubKey: Uint8Array,
  revealed: Revealed,
): Generator<void, SpendingTemplate[] | null> {
  if (typeOfScript(scriptPubKey) !== 'p2tr') return listEcdsaTemplates(scriptPubKey, revealed)
  const templates = [keyPathOf(scriptPubKey)]
  for (const leaf of revealed.leaves) {
    const template = isLeafOf(scriptPubKey, leaf) ? parseLeaf(leaf) : null
    if (template) templates.push(template)
    yield
  }
  return templates
}

/** The key path of a taproot output, whatever its key was made of. */
export function keyPathOf(scriptPubKey: Uint8Array): SpendingTemplate {
  const keys = [scriptPubKey.subarray(2)]
  return taprootTemplate(scriptPubKey, null, { ...oneOf(keys), after: [] })
}

/** The template of a BIP-342 leaf, which the caller knows to be committed; null for a script that is not understood. */
export function parseLeaf({ script, leafVersion, controlBlock }: TaprootLeaf) {
  const operations = leafVersion === TAPSCRIPT_VERSION ? parseScript(script) : null
  const parsed = operations && readTapscript(operations)
  if (!parsed) return null
  const after = [script, controlBlock]
  return taprootTemplate(script, leafHash(script, leafVersion), { ...parsed, after })
}

/** The scriptSig and witness that hold these signatures, one place per key; `required` of them are to be given. */
export function unlock(
  template: SpendingTemplate,
  signatures: readonly (Uint8Array | null)[],
): Unlocking {
  const { scheme, stacking, before, after, nested } = template
  const signed =
    stacking === 'given'
      ? signatures.filter(signature => signature !== null)
      : signatures.map(signature => signature ?? NOTHING).reverse()
  const items = [...before, ...signed, ...after]
  if (scheme === 'legacy') return { scriptSig: encodePushes(items), witness: [] }
  return { scriptSig: nested ? encodePushes([nested]) : NOTHING, witness: items }
}

function taprootTemplate(
  script: Uint8Array,
  hash: Uint8Array | null,
  parsed: KeyScript,
): SpendingTemplate {
  return { ...parsed, scheme: 'taproot', script, leafHash: hash, nested: null }
}

function listEcdsaTemplates(
  scriptPubKey: Uint8Array,
  { redeemScript, witnessScript, publicKeys }: Revealed,
): SpendingTemplate[] | null {
  const isScriptHash = typeOfScript(scriptPubKey) === 'p2sh'
  const redeemer = redeemScript ?? findNestedProgram(scriptPubKey, publicKeys)
  if (isScriptHash && !redeemer) return null
  const outer = isScriptHash && redeemer ? redeemer : scriptPubKey
  if (isScriptHash && !equalBytes(hash160(outer), scriptPubKey.subarray(2, 22))) return []
  const type = typeOfScript(outer)
  const make = (scheme: 'legacy' | 'v0', script: Uint8Array, after: readonly Uint8Array[]) => {
    // BIP-143: only compressed keys are relayed in segwit.
    const parsed = readKeyScript(script, publicKeys, scheme === 'v0' ? [33] : [33, 65])
    if (!parsed) return null
    const nested = scheme === 'v0' && isScriptHash ? outer : null
    const rest = { scheme, script, leafHash: null, nested }
    return parsed.map(each => ({ ...each, ...rest, after: [...each.after, ...after] }))
  }
  if (type === 'p2wpkh') return make('v0', keyHashScript(outer.subarray(2)), [])
  if (type !== 'p2wsh') return make('legacy', outer, isScriptHash ? [outer] : [])
  if (!witnessScript) return null
  if (!equalBytes(sha256(witnessScript), outer.subarray(2))) return []
  return make('v0', witnessScript, [witnessScript])
}

/** The redeemScript of a P2SH-P2WPKH output, which follows from its key: a PSBT need not name it. */
function findNestedProgram(
  scriptPubKey: Uint8Array,
  publicKeys: readonly Uint8Array[],
): Uint8Array | undefined {
  return publicKeys
    .map(key => witnessProgramScript(0, hash160(key)))
    .find(program => equalBytes(scriptHashScript(hash160(program)), scriptPubKey))
}

/** P2PKH, P2PK and CHECKMULTISIG; null for any other script or form of key, empty when none of the keys has the hash. */
function readKeyScript(
  script: Uint8Array,
  publicKeys: readonly Uint8Array[],
  keySizes: readonly number[],
): KeyScript[] | null {
  if (typeOfScript(script) === 'p2pkh') {
    const hash = script.subarray(3, 23)
    const key = publicKeys.find(each => equalBytes(hash160(each), hash))
    if (!key) return []
    return isRelayedKey(key, keySizes) ? [{ ...oneOf([key]), after: [key] }] : null
  }
  const operations = parseScript(script)
  const last = operations?.at(-1)?.opcode
  if (operations?.length === 2 && last === OP_CHECKSIG) {
    const keys = readKeys(operations.slice(0, 1), keySizes)
    return keys && [oneOf(keys)]
  }
  const [first, ...rest] = operations ?? []
  const count = rest.at(-2)
  if (!first || !count || last !== OP_CHECKMULTISIG) return null
  const keys = readKeys(rest.slice(0, -2), keySizes)
  const required = parseNumber(first)
  if (!keys || !required || required > keys.length || keys.length > MAX_MULTISIG_KEYS) return null
  if (parseNumber(count) !== keys.length) return null
  // CHECKMULTISIG takes one item too many from the stack (BIP-147: an empty one).
  return [{ keys, required, stacking: 'given', before: [NOTHING], after: [] }]
}

/** One key, all of several keys, or so many of several keys; data that is never executed may follow the first. */
function readTapscript(operations: readonly ScriptOperation[]): KeyScript | null {
  const [first, second, ...rest] = operations
  if (first && second?.opcode === OP_CHECKSIG && areEnvelopes(rest)) {
    const keys = readKeys([first], [32])
    return keys && oneOf(keys)
  }
  const last = operations.at(-1)?.opcode
  const isThreshold = last === OP_NUMEQUAL
  const body = isThreshold ? operations.slice(0, -2) : operations
  const keys = readKeys(
    body.filter((_, i) => i % 2 === 0),
    [32],
  )
  const checks = body.filter((_, i) => i % 2 === 1).map(({ opcode }) => opcode)
  if (!keys || keys.length !== checks.length) return null
  const count = operations.at(-2)
  const required = isThreshold ? count && parseNumber(count) : keys.length
  if (!required || required > keys.length) return null
  const expected = (i: number) => {
    if (isThreshold) return i === 0 ? OP_CHECKSIG : OP_CHECKSIGADD
    return i === keys.length - 1 ? OP_CHECKSIG : OP_CHECKSIGVERIFY
  }
  if (checks.some((opcode, i) => opcode !== expected(i))) return null
  return { keys, required, stacking: 'each', before: [], after: [] }
}

/** `OP_FALSE OP_IF … OP_ENDIF` of nothing but pushes, as inscriptions are; any opcode there could be an OP_SUCCESS (BIP-342). */
function areEnvelopes(operations: readonly ScriptOperation[]): boolean {
  let rest = operations
  while (rest.length > 0) {
    const end = rest.findIndex(({ opcode }) => opcode === OP_ENDIF)
    if (rest[0]?.opcode !== OP_0 || rest[1]?.opcode !== OP_IF || end < 2) return false
    if (!rest.slice(2, end).every(isPush)) return false
    rest = rest.slice(end + 1)
  }
  return true
}

/** Keys of these sizes, each in a push of its shortest form; null when there is anything else. */
function readKeys(
  operations: readonly ScriptOperation[],
  sizes: readonly number[],
): Uint8Array[] | null {
  const keys = operations.flatMap(({ opcode, data }) =>
    data && opcode === data.length && isRelayedKey(data, sizes) ? [data] : [],
  )
  return keys.length === operations.length ? keys : null
}

/** By its size, and not in the hybrid form, which blocks may hold. */
function isRelayedKey(key: Uint8Array, sizes: readonly number[]): boolean {
  return sizes.includes(key.length) && (key.length !== 65 || key[0] === 0x04)
}

function oneOf(keys: readonly Uint8Array[]): KeyScript {
  return { keys, required: 1, stacking: 'each', before: [], after: [] }
}

function keyHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x76, 0xa9, 20), hash, Uint8Array.of(0x88, 0xac))
}

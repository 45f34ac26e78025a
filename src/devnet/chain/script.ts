import { createHash } from 'node:crypto'
import { script as bitcoinScript, address as codec, networks, opcodes } from 'bitcoinjs-lib'
import { toHex } from './hex.ts'

/** Output types in Esplora's names. */
export type ScriptType =
  | 'p2pk'
  | 'p2pkh'
  | 'p2sh'
  | 'multisig'
  | 'op_return'
  | 'v0_p2wpkh'
  | 'v0_p2wsh'
  | 'v1_p2tr'
  | 'anchor'
  | 'empty'
  | 'unknown'

const { bech32, pubKeyHash, scriptHash: scriptHashVersion } = networks.regtest

/** The witness version and program of a scriptPubKey (BIP-141), or null. */
export function parseWitnessProgram(
  script: Uint8Array,
): { version: number; program: Uint8Array } | null {
  const [first, length] = script
  if (first === undefined || script.length < 4 || script.length > 42) return null
  if (length !== script.length - 2 || length < 2) return null
  if (first === 0) return { version: 0, program: script.subarray(2) }
  return first >= 0x51 && first <= 0x60
    ? { version: first - 0x50, program: script.subarray(2) }
    : null
}

/** The type of a scriptPubKey by Esplora's names. */
export function classifyScript(script: Uint8Array): ScriptType {
  const length = script.length
  if (length === 0) return 'empty'
  if (script[0] === opcodes.OP_RETURN) return 'op_return'
  const witness = parseWitnessProgram(script)
  if (witness) {
    const { version, program } = witness
    if (version === 0 && program.length === 20) return 'v0_p2wpkh'
    if (version === 0 && program.length === 32) return 'v0_p2wsh'
    if (version === 1 && program.length === 32) return 'v1_p2tr'
    // Pay-to-anchor: OP_1 <0x4e73>.
    return version === 1 && toHex(program) === '4e73' ? 'anchor' : 'unknown'
  }
  if (length === 25 && /^76a914[0-9a-f]{40}88ac$/.test(toHex(script))) return 'p2pkh'
  if (length === 23 && /^a914[0-9a-f]{40}87$/.test(toHex(script))) return 'p2sh'
  if (/^(21(02|03)[0-9a-f]{64}|4104[0-9a-f]{128})ac$/.test(toHex(script))) return 'p2pk'
  return parseMultisig(script) ? 'multisig' : 'unknown'
}

/** Keys required and given of a bare multisig script, or null. */
export function parseMultisig(script: Uint8Array): { required: number; keys: number } | null {
  const chunks = bitcoinScript.decompile(script)
  if (!chunks || chunks.length < 4 || chunks.at(-1) !== opcodes.OP_CHECKMULTISIG) return null
  const required = smallInteger(chunks[0])
  const keys = smallInteger(chunks.at(-2))
  const given = chunks.slice(1, -2)
  if (!required || !keys || required > keys || given.length !== keys) return null
  const areKeys = given.every(
    chunk => typeof chunk !== 'number' && (chunk.length === 33 || chunk.length === 65),
  )
  return areKeys ? { required, keys } : null
}

function smallInteger(chunk: number | Uint8Array | undefined): number | null {
  return typeof chunk === 'number' && chunk >= 0x51 && chunk <= 0x60 ? chunk - 0x50 : null
}

/** The regtest address of a scriptPubKey, or undefined where the script has none. */
export function formatAddress(script: Uint8Array): string | undefined {
  const witness = parseWitnessProgram(script)
  const type = classifyScript(script)
  if (witness && (witness.version > 0 || type !== 'unknown')) {
    return codec.toBech32(witness.program, witness.version, bech32)
  }
  if (type === 'p2pkh') return codec.toBase58Check(script.subarray(3, 23), pubKeyHash)
  if (type === 'p2sh') return codec.toBase58Check(script.subarray(2, 22), scriptHashVersion)
  return undefined
}

/** The scriptPubKey of a regtest address, or null where the text is not one. */
export function parseAddress(text: string): Uint8Array | null {
  try {
    const { version, prefix, data } = codec.fromBech32(text)
    if (prefix !== bech32 || (version === 0 && data.length !== 20 && data.length !== 32))
      return null
    return Uint8Array.of(version === 0 ? 0 : 0x50 + version, data.length, ...data)
  } catch {
    return parseBase58Address(text)
  }
}

function parseBase58Address(text: string): Uint8Array | null {
  try {
    const { version, hash } = codec.fromBase58Check(text)
    if (version === pubKeyHash) return Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac)
    return version === scriptHashVersion ? Uint8Array.of(0xa9, 20, ...hash, 0x87) : null
  } catch {
    return null
  }
}

/** Esplora's and Electrum's key of a script: its SHA-256, in hex, here not reversed (Esplora's way). */
export function hashScript(script: Uint8Array): string {
  return createHash('sha256').update(script).digest('hex')
}

/** Whether an output can never be spent: OP_RETURN first, or longer than a script may be. */
export function isUnspendable(script: Uint8Array): boolean {
  return script[0] === opcodes.OP_RETURN || script.length > 10_000
}

const OPCODE_NAMES = new Map(Object.entries(opcodes).map(([name, code]) => [code, name]))

/** Disassembles a script in Esplora's notation, for example `OP_0 OP_PUSHBYTES_20 89ab…`. */
export function formatAsm(script: Uint8Array): string {
  const words: string[] = []
  let at = 0
  while (at < script.length) {
    const opcode = script[at++] ?? 0
    if (opcode === 0 || opcode > 0x4e) {
      words.push(nameOpcode(opcode))
      continue
    }
    const lengthBytes = opcode <= 0x4b ? 0 : 2 ** (opcode - 0x4c)
    let length = opcode
    if (lengthBytes > 0) {
      length = 0
      for (let i = 0; i < lengthBytes; i++) length += (script[at + i] ?? 0) * 256 ** i
      at += lengthBytes
    }
    if (at + length > script.length) {
      words.push('<push past end>')
      break
    }
    words.push(lengthBytes > 0 ? `OP_PUSHDATA${lengthBytes}` : `OP_PUSHBYTES_${opcode}`)
    words.push(toHex(script.subarray(at, at + length)))
    at += length
  }
  return words.join(' ')
}

function nameOpcode(opcode: number): string {
  if (opcode === 0x4f) return 'OP_PUSHNUM_NEG1'
  if (opcode >= 0x51 && opcode <= 0x60) return `OP_PUSHNUM_${opcode - 0x50}`
  if (opcode === 0) return 'OP_0'
  if (opcode === opcodes.OP_CHECKLOCKTIMEVERIFY) return 'OP_CLTV'
  if (opcode === opcodes.OP_CHECKSEQUENCEVERIFY) return 'OP_CSV'
  return OPCODE_NAMES.get(opcode) ?? `OP_RETURN_${opcode}`
}

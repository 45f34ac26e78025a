import { concatBytes, fromHex } from '../../bytes.ts'
import { encodePushes } from '../../script.ts'
import { encodeNumber } from '../script-number.ts'

/** Opcodes from OP_NOP on, in their order, as Bitcoin Core's test files name them. */
const NAMES = [
  'NOP VER IF NOTIF VERIF VERNOTIF ELSE ENDIF VERIFY RETURN TOALTSTACK FROMALTSTACK 2DROP 2DUP 3DUP 2OVER 2ROT 2SWAP',
  'IFDUP DEPTH DROP DUP NIP OVER PICK ROLL ROT SWAP TUCK CAT SUBSTR LEFT RIGHT SIZE INVERT AND OR XOR EQUAL EQUALVERIFY',
  'RESERVED1 RESERVED2 1ADD 1SUB 2MUL 2DIV NEGATE ABS NOT 0NOTEQUAL ADD SUB MUL DIV MOD LSHIFT RSHIFT BOOLAND BOOLOR',
  'NUMEQUAL NUMEQUALVERIFY NUMNOTEQUAL LESSTHAN GREATERTHAN LESSTHANOREQUAL GREATERTHANOREQUAL MIN MAX WITHIN',
  'RIPEMD160 SHA1 SHA256 HASH160 HASH256 CODESEPARATOR CHECKSIG CHECKSIGVERIFY CHECKMULTISIG CHECKMULTISIGVERIFY',
  'NOP1 CHECKLOCKTIMEVERIFY CHECKSEQUENCEVERIFY NOP4 NOP5 NOP6 NOP7 NOP8 NOP9 NOP10 CHECKSIGADD',
]
  .join(' ')
  .split(' ')

const OPCODES = new Map(NAMES.map((name, i) => [name, 0x61 + i]))

/** Reads a script in the notation of Bitcoin Core's test files (`ParseScript`): numbers, 0x raw bytes, 'texts', opcodes with OP_ or without. */
export function parseCoreScript(text: string): Uint8Array {
  return concatBytes(
    ...text
      .split(/\s+/)
      .filter(word => word !== '')
      .map(parseWord),
  )
}

function parseWord(word: string): Uint8Array {
  if (/^-?\d+$/.test(word)) return pushNumber(Number(word))
  if (word.startsWith('0x')) return fromHex(word.slice(2))
  if (/^'.*'$/.test(word)) return encodePushes([Uint8Array.from(Buffer.from(word.slice(1, -1)))])
  const name = word.replace(/^OP_/, '')
  const opcode = name === 'RESERVED' ? 0x50 : OPCODES.get(name)
  if (opcode === undefined) throw new Error(`script of a test: no opcode ${word}`)
  return Uint8Array.of(opcode)
}

function pushNumber(value: number): Uint8Array {
  if (value === 0) return Uint8Array.of(0)
  if (value === -1 || (value >= 1 && value <= 16)) return Uint8Array.of(0x50 + value)
  return encodePushes([encodeNumber(value)])
}

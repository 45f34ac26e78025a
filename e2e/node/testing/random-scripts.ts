import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes } from '../../../src/bitcoin/bytes.ts'
import { pick, type Random } from '../../../src/bitcoin/testing/signable-psbts.ts'

/** How a script locks a coin. */
export type Sort = 'bare' | 'p2sh' | 'p2wsh' | 'p2sh-p2wsh' | 'leaf'

/** A signature of what the script's bytes from `codeStart` on sign; `isOfOther` for another key's. */
export type SignedPart = {
  sighash: number
  codeStart: number
  isHighS: boolean
  isOfOther: boolean
}

/** A script, what is on the stack when it starts, and the fields of the transaction that spends it. */
export type RandomScript = {
  sort: Sort
  script: Uint8Array
  items: readonly ({ bytes: Uint8Array } | SignedPart)[]
  version: number
  locktime: number
  sequence: number
}

/** The key that the scripts' public keys belong to. */
export const KEY = new Uint8Array(32).fill(0x5c)

const SORTS: readonly Sort[] = ['bare', 'p2sh', 'p2wsh', 'p2sh-p2wsh', 'leaf']
const CODESEPARATOR = 0xab
const IF = 0x63
const NOTIF = 0x64
const ELSE = 0x67
const ENDIF = 0x68
const VERIFY = 0x69
const DROP = 0x75
const NIP = 0x77

/** Opcodes that a script may have anywhere, by how many items they need and how many more there are afterwards. */
const OPERATIONS: readonly (readonly [needs: number, change: number, ...opcodes: number[]])[] = [
  // NOP
  [0, 0, 0x61],
  // DEPTH, numbers
  [0, 1, 0x74],
  // 1ADD, 1SUB, NEGATE, ABS, NOT, 0NOTEQUAL
  [1, 0, 0x8b, 0x8c, 0x8f, 0x90, 0x91, 0x92],
  // RIPEMD160, SHA1, SHA256, HASH160, HASH256
  [1, 0, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa],
  // DUP, IFDUP, SIZE
  [1, 1, 0x76, 0x73, 0x82],
  [1, -1, DROP],
  // ADD, SUB, BOOLAND, BOOLOR, NUMEQUAL, NUMNOTEQUAL, LESSTHAN to MAX
  [2, -1, 0x93, 0x94, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],
  // EQUAL, NIP
  [2, -1, 0x87, NIP],
  // SWAP
  [2, 0, 0x7c],
  // OVER, TUCK
  [2, 1, 0x78, 0x7d],
  // 2DUP
  [2, 2, 0x6e],
  // 2DROP
  [2, -2, 0x6d],
  // ROT
  [3, 0, 0x7b],
  // WITHIN
  [3, -2, 0xa5],
  // 3DUP
  [3, 3, 0x6f],
  // 2OVER
  [4, 2, 0x70],
  // 2SWAP
  [4, 0, 0x72],
  // 2ROT
  [6, 0, 0x71],
]

/** Opcodes that mostly end a script: VERIFY and its like, RETURN, disabled, reserved, unknown, of upgrades, signatures of nothing. */
const ENDING = [
  VERIFY,
  0x88,
  0x9d,
  0x6a,
  0x7e,
  0x95,
  0x50,
  0x62,
  0x65,
  0x66,
  0x89,
  0xb0,
  0xb3,
  0xb9,
  0xba,
  0xbb,
  0xff,
  0xac,
  0xad,
  0xae,
  0xaf,
  CODESEPARATOR,
  IF,
  ELSE,
  ENDIF,
  0x6b,
  0x6c,
  0x79,
  0x7a,
]

/** Bytes that push an item as BIP-62 asks for. */
export function pushOf(item: Uint8Array): Uint8Array {
  const [first = 0] = item
  if (item.length === 0) return Uint8Array.of(0)
  if (item.length === 1 && first >= 1 && first <= 16) return Uint8Array.of(0x50 + first)
  if (item.length === 1 && first === 0x81) return Uint8Array.of(0x4f)
  if (item.length < 0x4c) return concatBytes(Uint8Array.of(item.length), item)
  if (item.length < 0x100) return concatBytes(Uint8Array.of(0x4c, item.length), item)
  return concatBytes(Uint8Array.of(0x4d, item.length & 0xff, item.length >> 8), item)
}

/** A script that is not all nonsense: its opcodes mostly find what they need on the stack. */
export function randomScript(random: Random): RandomScript {
  const sort = pick(random, SORTS)
  const parts: Uint8Array[] = []
  const items: ({ bytes: Uint8Array } | SignedPart)[] = Array.from({ length: random(4) }, () => ({
    bytes: randomItem(random),
  }))
  let depth = items.length
  if (random(2) === 0) depth += addSignatureCheck(random, sort, parts, items)
  if (random(6) === 0) parts.push(lockOf(random))
  depth = addOperations(random, parts, depth, random(14), 0)
  while (depth > 1 && random(12) > 0) {
    parts.push(Uint8Array.of(DROP))
    depth--
  }
  if (depth <= 0 || random(3) === 0)
    parts.push(Uint8Array.of(0x51), ...(depth > 0 ? [Uint8Array.of(NIP)] : []))
  // The node keeps no coin whose script begins with RETURN.
  if (sort === 'bare' && parts[0]?.[0] === 0x6a) parts.unshift(Uint8Array.of(0x61))
  return {
    sort,
    script: concatBytes(...parts),
    items,
    version: 1 + random(2),
    locktime: random(2) * random(90),
    sequence: pick(random, [0xffffffff, 0xfffffffe, 0, 1, 2]),
  }
}

function addOperations(
  random: Random,
  parts: Uint8Array[],
  start: number,
  count: number,
  nesting: number,
): number {
  let depth = start
  for (let i = 0; i < count; i++) {
    const choice = random(20)
    if (choice < 6) {
      parts.push(pushOrLarger(random))
      depth++
    } else if (choice < 7 && nesting < 3) {
      parts.push(pushOf(Uint8Array.of(...Array(random(2)).fill(1))))
      if (random(12) === 0) parts.push(pushOf(Uint8Array.of(2)), Uint8Array.of(NIP))
      parts.push(Uint8Array.of(pick(random, [IF, NOTIF])))
      addBranch(random, parts, depth, nesting)
      if (random(2) === 0) {
        parts.push(Uint8Array.of(ELSE))
        addBranch(random, parts, depth, nesting)
      }
      parts.push(Uint8Array.of(ENDIF))
    } else if (choice === 7 && random(4) === 0) {
      parts.push(Uint8Array.of(pick(random, ENDING)))
    } else {
      const fitting = OPERATIONS.filter(([needs]) => needs <= depth || random(60) === 0)
      const [, change, ...opcodes] = pick(random, fitting)
      parts.push(Uint8Array.of(pick(random, opcodes)))
      depth = Math.max(0, depth + change)
    }
  }
  return depth
}

/** A branch that leaves as many items as it finds. */
function addBranch(random: Random, parts: Uint8Array[], depth: number, nesting: number): void {
  let left = addOperations(random, parts, depth, random(4), nesting + 1)
  for (; left > depth; left--) parts.push(Uint8Array.of(DROP))
  for (; left < depth; left++) parts.push(Uint8Array.of(0x51 + random(3)))
}

/** A check of signatures that are on the stack, at the script's start; how many items it leaves more. */
function addSignatureCheck(
  random: Random,
  sort: Sort,
  parts: Uint8Array[],
  items: ({ bytes: Uint8Array } | SignedPart)[],
): number {
  const codeStart = random(6) === 0 ? 1 : 0
  if (codeStart) parts.push(Uint8Array.of(CODESEPARATOR))
  const signature = (): { bytes: Uint8Array } | SignedPart => {
    const choice = random(14)
    if (choice === 0) return { bytes: new Uint8Array() }
    if (choice === 1) return { bytes: randomBytes(random, pick(random, [9, 64, 65, 71])) }
    const sighashes = sort === 'leaf' ? [0, 1, 2, 3, 0x81, 0x83] : [1, 2, 3, 0x81, 0x82, 0x83, 1, 1]
    return {
      sighash: pick(random, sighashes),
      codeStart,
      isHighS: random(14) === 0,
      isOfOther: random(10) === 0,
    }
  }
  const isVerify = random(2)
  if (sort === 'leaf' || random(3) > 0) {
    items.push(signature())
    parts.push(pushOf(randomKey(random, sort)), Uint8Array.of(0xac + isVerify))
    return 1 - isVerify
  }
  const keys = 1 + random(3)
  const wanted = 1 + random(keys)
  items.push({ bytes: random(12) === 0 ? Uint8Array.of(1) : new Uint8Array() })
  for (let i = 0; i < wanted; i++) items.push(signature())
  parts.push(Uint8Array.of(0x50 + wanted))
  for (let i = 0; i < keys; i++) parts.push(pushOf(randomKey(random, sort)))
  parts.push(
    Uint8Array.of(0x50 + keys + (random(30) === 0 ? 9 : 0)),
    Uint8Array.of(0xae + isVerify),
  )
  return 1 - isVerify
}

function randomKey(random: Random, sort: Sort): Uint8Array {
  const choice = random(12)
  if (choice === 0) return randomBytes(random, pick(random, [20, 31, 32, 33, 65]))
  if (sort === 'leaf') {
    if (choice === 1) return new Uint8Array()
    return choice === 2 ? secp256k1.getPublicKey(KEY) : schnorr.getPublicKey(KEY)
  }
  if (choice > 2) return secp256k1.getPublicKey(KEY)
  const whole = secp256k1.getPublicKey(KEY, false)
  // A hybrid key: 6 or 7 by the parity of y, and both coordinates.
  const prefix = 6 + ((whole[64] ?? 0) & 1)
  return choice === 1 ? whole : Uint8Array.of(prefix, ...whole.subarray(1))
}

/** An absolute or relative lock that a random transaction may or may not have reached. */
function lockOf(random: Random): Uint8Array {
  const value = pick(random, [
    Uint8Array.of(),
    Uint8Array.of(1),
    Uint8Array.of(2),
    Uint8Array.of(40),
    Uint8Array.of(0x81),
    // An hour of the clock, not a height.
    Uint8Array.of(0, 0x65, 0xcd, 0x1d),
    // Relative locks that are switched off, and of time.
    Uint8Array.of(0, 0, 0, 0x80, 0),
    Uint8Array.of(0, 0, 0x40),
    Uint8Array.of(1, 2, 3, 4, 5, 6),
  ])
  const drop = random(20) === 0 ? [] : [DROP]
  return concatBytes(pushOf(value), Uint8Array.of(pick(random, [0xb1, 0xb2]), ...drop))
}

/** A push, rarely with more bytes than it needs. */
function pushOrLarger(random: Random): Uint8Array {
  const item = randomItem(random)
  if (random(60) > 0) return pushOf(item)
  return item.length < 0x100
    ? concatBytes(Uint8Array.of(0x4c, item.length), item)
    : concatBytes(Uint8Array.of(0x4e, item.length & 0xff, item.length >> 8, 0, 0), item)
}

/** Small numbers mostly; numbers at the limits of their size, ones with a byte too many, bytes that are no numbers. */
function randomItem(random: Random): Uint8Array {
  switch (random(10)) {
    case 0:
      return pick(random, [
        Uint8Array.of(0x80),
        Uint8Array.of(0),
        Uint8Array.of(1, 0),
        Uint8Array.of(0xff, 0xff, 0xff, 0x7f),
        Uint8Array.of(0xff, 0xff, 0xff, 0xff),
        Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f),
        Uint8Array.of(0xff, 0),
      ])
    case 1:
      return randomBytes(random, random(5))
    case 2:
      return randomBytes(random, random(40) === 0 ? 519 + random(3) : random(80))
    case 3:
      return Uint8Array.of(0x81)
    default:
      return random(5) === 0 ? new Uint8Array() : Uint8Array.of(1 + random(20))
  }
}

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random(256))
}

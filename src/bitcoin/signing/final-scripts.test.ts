import { p2ms, p2pk, p2pkh, p2tr, p2tr_ms, p2wpkh, p2wsh, Script } from '@scure/btc-signer'
import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { describe, expect, it } from 'vitest'
import { concatBytes, toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { leavesOf } from '../testing/signed-psbt.ts'
import { checkFinalScripts, everyValid } from './final-scripts.ts'

const KEYS = [1, 2, 3].map(byte => publicKeyOf(new Uint8Array(32).fill(byte)))
const [KEY = new Uint8Array()] = KEYS
/** Taken for a right signature; as long as one. */
const RIGHT = new Uint8Array(71).fill(0x30)
const WRONG = new Uint8Array(71).fill(0x31)
const NOTHING = new Uint8Array(0)

function validate(scriptPubKey: Uint8Array, scriptSig: Uint8Array, witness: Uint8Array[] = []) {
  const isRight = (_: unknown, __: Uint8Array, [first]: Uint8Array) => first === RIGHT[0]
  return checkFinalScripts(scriptPubKey, { scriptSig, witness }, isRight).valid
}

/** Pushes by PUSHDATA1, which is longer than any of these items needs. */
const pushLonger = (...items: Uint8Array[]) =>
  concatBytes(...items.flatMap(item => [Uint8Array.of(0x4c, item.length), item]))
const push = (...items: Uint8Array[]) => Script.encode(items)
const scriptHash = (script: Uint8Array) => Script.encode(['HASH160', hash160(script), 'EQUAL'])

const PUSHED_NUMBERS = [0x4f, ...Array.from({ length: 16 }, (_, i) => 0x51 + i)]

describe('a scriptSig with a number opcode', () => {
  const either = Script.encode(['IF', KEY, 'ELSE', KEYS[1] ?? KEY, 'ENDIF', 'CHECKSIG'])

  it.each(PUSHED_NUMBERS)('%i is not called wrong where it chooses a branch', opcode => {
    const scriptSig = concatBytes(push(RIGHT), Uint8Array.of(opcode), push(either))
    expect(validate(scriptHash(either), scriptSig)).toBeNull()
  })

  it('is wrong where the script behind it is not the output’s', () => {
    const scriptSig = concatBytes(push(RIGHT), Uint8Array.of(0x51), push(either))
    expect(validate(scriptHash(p2pk(KEY).script), scriptSig)).toBe(false)
  })

  it('is wrong in the place of the empty item of a multisig (BIP-147), and beneath a signature', () => {
    const { script } = p2ms(1, KEYS)
    const right = concatBytes(Uint8Array.of(0), push(RIGHT, script))
    expect(validate(scriptHash(script), right)).toBe(true)
    for (const opcode of PUSHED_NUMBERS) {
      const other = concatBytes(Uint8Array.of(opcode), push(RIGHT, script))
      expect(validate(scriptHash(script), other)).toBe(false)
      const more = concatBytes(Uint8Array.of(opcode), push(RIGHT, KEY))
      expect(validate(p2pkh(KEY).script, more)).toBe(false)
    }
  })
})

describe('a scriptSig that pushes in a longer form', () => {
  const multisig = p2ms(1, KEYS).script

  it('is neither right nor wrong: blocks may hold it, and nodes do not relay it', () => {
    expect(validate(p2pkh(KEY).script, push(RIGHT, KEY))).toBe(true)
    expect(validate(p2pkh(KEY).script, pushLonger(RIGHT, KEY))).toBeNull()
    expect(validate(p2pk(KEY).script, pushLonger(RIGHT))).toBeNull()
    expect(validate(multisig, pushLonger(NOTHING, RIGHT))).toBeNull()
    expect(validate(scriptHash(multisig), pushLonger(NOTHING, RIGHT, multisig))).toBeNull()
  })

  it('is wrong with a wrong signature, and with an item too many', () => {
    expect(validate(p2pkh(KEY).script, pushLonger(WRONG, KEY))).toBe(false)
    expect(validate(p2pkh(KEY).script, pushLonger(RIGHT, RIGHT, KEY))).toBe(false)
    expect(validate(scriptHash(multisig), pushLonger(NOTHING, WRONG, multisig))).toBe(false)
  })

  it('is wrong where it pushes a witness program (BIP-141)', () => {
    const program = p2wpkh(KEY).script
    expect(validate(scriptHash(program), push(program), [RIGHT, KEY])).toBe(true)
    expect(validate(scriptHash(program), pushLonger(program), [RIGHT, KEY])).toBe(false)
  })
})

describe('a scriptSig that does more than push', () => {
  it('is wrong: no node relays it, and P2SH cannot be spent by it (BIP-16)', () => {
    const nop = Uint8Array.of(0x61)
    const { script } = p2pk(KEY)
    expect(validate(scriptHash(script), concatBytes(nop, push(RIGHT, script)))).toBe(false)
    expect(validate(p2pkh(KEY).script, concatBytes(nop, push(RIGHT, KEY)))).toBe(false)
  })
})

describe('a script that the wallet does not understand', () => {
  const locked = Script.encode([500, 'CHECKLOCKTIMEVERIFY', 'DROP', KEY, 'CHECKSIG'])

  it.each<[string, Uint8Array, Uint8Array, Uint8Array[]]>([
    ['in P2SH', scriptHash(locked), push(RIGHT, locked), []],
    ['in P2WSH', p2wsh({ type: 'sh', script: locked }).script, NOTHING, [RIGHT, locked]],
    ['bare', locked, push(RIGHT), []],
    ['P2A', Uint8Array.of(0x51, 2, 0x4e, 0x73), NOTHING, []],
    ['of a later witness version', Uint8Array.of(0x60, 2, 1, 2), NOTHING, [RIGHT]],
  ])('is not called wrong: %s', (_, scriptPubKey, scriptSig, witness) => {
    expect(validate(scriptPubKey, scriptSig, witness)).toBeNull()
  })

  it('is wrong in a leaf that the output does not commit to, else unknown', () => {
    const leaf = Script.encode([500, 'CHECKLOCKTIMEVERIFY', 'DROP', KEY.slice(1), 'CHECKSIG'])
    const { script, fields } = leavesOf([{ script: leaf }])
    const [[{ version, internalKey } = { version: 0, internalKey: NOTHING }] = []] =
      fields.tapLeafScript ?? []
    const controlBlock = concatBytes(Uint8Array.of(version), internalKey)
    expect(validate(script, NOTHING, [RIGHT, leaf, controlBlock])).toBeNull()
    expect(validate(p2tr(KEY.slice(1)).script, NOTHING, [RIGHT, leaf, controlBlock])).toBe(false)
    expect(validate(script, NOTHING, [RIGHT, leaf.slice(1), controlBlock])).toBe(false)
  })

  it('is not called wrong in a leaf of a later version', () => {
    const script = Script.encode([KEY.slice(1), 'CHECKSIG'])
    const output = p2tr(KEY.slice(1), { script, leafVersion: 0xc2 }, undefined, true)
    const [[{ version, internalKey } = { version: 0, internalKey: NOTHING }] = []] =
      output.tapLeafScript ?? []
    const controlBlock = concatBytes(Uint8Array.of(version), internalKey)
    expect(version & 0xfe).toBe(0xc2)
    expect(validate(output.script, NOTHING, [RIGHT, script, controlBlock])).toBeNull()
  })

  it('is not called wrong with an annex, which no node relays', () => {
    const annex = Uint8Array.of(0x50, 1)
    expect(validate(p2tr(KEY.slice(1)).script, NOTHING, [RIGHT, annex])).toBeNull()
    expect(validate(p2tr(KEY.slice(1)).script, NOTHING, [RIGHT])).toBe(true)
    expect(validate(p2tr(KEY.slice(1)).script, NOTHING, [annex])).toBe(false)
  })
})

describe('a key in a form that blocks may hold and nodes do not relay', () => {
  // x and y of the generator.
  const point = [
    '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    '483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
  ].join('')
  const form = (prefix: string) => Uint8Array.from(Buffer.from(prefix + point, 'hex'))
  const keyHash = (key: Uint8Array) => hash160(key)

  it('is not called wrong: uncompressed in segwit (BIP-143)', () => {
    const key = form('04')
    const program = concatBytes(Uint8Array.of(0, 20), keyHash(key))
    expect(validate(program, NOTHING, [RIGHT, key])).toBeNull()
    expect(validate(program, NOTHING, [RIGHT, KEY])).toBe(false)
    expect(validate(scriptHash(program), push(program), [RIGHT, key])).toBeNull()
  })

  it.each(['06', '07'])('is not called wrong: hybrid, %s', prefix => {
    const key = form(prefix)
    const script = Script.encode(['DUP', 'HASH160', keyHash(key), 'EQUALVERIFY', 'CHECKSIG'])
    expect(validate(script, push(RIGHT, key))).toBeNull()
    expect(validate(Script.encode([key, 'CHECKSIG']), push(RIGHT))).toBeNull()
  })
})

describe('the signatures of a multisig', () => {
  /** Of the key in this place. */
  const by = (place: number) => new Uint8Array(71).fill(place)
  const { script } = p2ms(2, KEYS)
  const check = (
    signatures: Uint8Array[],
    verify = (key: Uint8Array, [first]: Uint8Array): boolean | null => KEYS[first ?? 9] === key,
  ) => {
    const scriptSig = push(NOTHING, ...signatures)
    return checkFinalScripts(script, { scriptSig, witness: [] }, (_, key, signature) =>
      verify(KEYS.find(known => toHex(known) === toHex(key)) ?? key, signature),
    )
  }

  it('are right in the order of the keys alone, each by a key of its own', () => {
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      expect(check([by(a), by(b)]).valid).toBe(true)
      expect(check([by(b), by(a)]).valid).toBe(false)
      expect(check([by(a), by(a)]).valid).toBe(false)
    }
  })

  it('are wrong where there are more or fewer of them than the script takes', () => {
    expect(check([by(0)]).valid).toBe(false)
    expect(check([]).valid).toBe(false)
    expect(check([by(0), by(1), by(2)]).valid).toBe(false)
  })

  it('are shown with the keys that made them', () => {
    const { signatures } = check([by(0), by(2)])
    expect(signatures.map(({ key }) => key && toHex(key))).toEqual(
      [KEYS[0], KEYS[2]].map(key => key && toHex(key)),
    )
    expect(check([by(7), by(0)]).signatures).toEqual([
      { key: null, signature: by(7), valid: false },
      { key: null, signature: by(0), valid: false },
    ])
  })

  it('are not called wrong where they cannot be verified', () => {
    const unknown = check([by(0), by(1)], () => null)
    expect(unknown.valid).toBeNull()
    expect(unknown.signatures.map(({ valid }) => valid)).toEqual([null, null])
  })

  it('fill one place for each key of a leaf, with nothing for those that did not sign', () => {
    const leaf = p2tr_ms(
      2,
      KEYS.map(key => key.slice(1)),
    )
    const { script, fields } = leavesOf([{ script: leaf.script }])
    const [[{ version, internalKey } = { version: 0, internalKey: NOTHING }] = []] =
      fields.tapLeafScript ?? []
    const controlBlock = concatBytes(Uint8Array.of(version), internalKey)
    const spend = (...places: Uint8Array[]) =>
      validate(script, NOTHING, [...places, leaf.script, controlBlock])
    expect(spend(RIGHT, NOTHING, RIGHT)).toBe(true)
    expect(spend(NOTHING, RIGHT, RIGHT)).toBe(true)
    expect(spend(RIGHT, RIGHT)).toBe(false)
    expect(spend(RIGHT, RIGHT, RIGHT)).toBe(false)
    expect(spend(NOTHING, RIGHT, NOTHING)).toBe(false)
    expect(spend(RIGHT, NOTHING, WRONG)).toBe(false)
    expect(spend(NOTHING, NOTHING, RIGHT, RIGHT)).toBe(false)
  })
})

describe('everyValid', () => {
  const of = (...all: (boolean | null)[]) => everyValid(all.map(valid => ({ valid })))

  it('never calls an input valid that nobody signed', () => {
    expect(of()).toBeNull()
  })

  it('is false with one that is wrong, and null with one that is unknown', () => {
    expect(of(true, true)).toBe(true)
    expect(of(true, null)).toBeNull()
    expect(of(true, null, false)).toBe(false)
  })
})

import { p2ms, p2sh, p2tr_ms, p2tr_ns, p2wpkh, p2wsh, Script } from '@scure/btc-signer'
import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { describe, expect, it } from 'vitest'
import { concatBytes, toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { envelopeLeaf, leavesOf } from '../testing/signed-psbt.ts'
import { listTemplates, parseLeaf, type Revealed } from './spending-template.ts'

type Code = Parameters<typeof Script.encode>[0]

const KEYS = Array.from({ length: 21 }, (_, i) => publicKeyOf(new Uint8Array(32).fill(i + 1)))
const [KEY = new Uint8Array(), OTHER = new Uint8Array(), THIRD = new Uint8Array()] = KEYS
const THREE = [KEY, OTHER, THIRD]
const [X, Y, Z] = [KEY.slice(1), OTHER.slice(1), THIRD.slice(1)]

function readLeaf(script: Uint8Array, leafVersion = 0xc0) {
  const template = parseLeaf({ script, leafVersion, controlBlock: new Uint8Array(33) })
  return template && { required: template.required, keys: template.keys.map(toHex) }
}

const of = (required: number, ...keys: Uint8Array[]) => ({ required, keys: keys.map(toHex) })

describe('a tapscript leaf', () => {
  it('is understood as the independent library writes it', () => {
    expect(readLeaf(Script.encode([X, 'CHECKSIG']))).toEqual(of(1, X))
    for (const { script } of p2tr_ns(2, [X, Y])) expect(readLeaf(script)).toEqual(of(2, X, Y))
    for (const { script } of p2tr_ns(3, [X, Y, Z])) expect(readLeaf(script)).toEqual(of(3, X, Y, Z))
    for (const required of [1, 2, 3])
      expect(readLeaf(p2tr_ms(required, [X, Y, Z]).script)).toEqual(of(required, X, Y, Z))
    // 17 needs a push where 16 has an opcode of its own.
    const many = KEYS.slice(0, 18).map(key => key.slice(1))
    expect(readLeaf(p2tr_ms(17, many).script)).toEqual(of(17, ...many))
  })

  it.each<[string, Code]>([
    ['leaves nothing true on the stack', [X, 'CHECKSIGVERIFY']],
    ['takes any signature', [X, 'DROP']],
    ['has a key and no check', [X]],
    ['has a check and no key', ['CHECKSIG']],
    ['is empty', []],
    ['has a key of 33 bytes, whose signatures are not verified (BIP-342)', [KEY, 'CHECKSIG']],
    ['checks a second key after a first that may fail', [X, 'CHECKSIG', Y, 'CHECKSIG']],
    ['ends in VERIFY', [X, 'CHECKSIGVERIFY', Y, 'CHECKSIGVERIFY']],
    ['ends in a key', [X, 'CHECKSIGVERIFY', Y]],
    ['adds to no count', [X, 'CHECKSIGADD', Y, 'CHECKSIGADD', 2, 'NUMEQUAL']],
    ['counts anew', [X, 'CHECKSIG', Y, 'CHECKSIG', 1, 'NUMEQUAL']],
    ['asks for more than it has', [X, 'CHECKSIG', Y, 'CHECKSIGADD', 3, 'NUMEQUAL']],
    ['asks for none', [X, 'CHECKSIG', Y, 'CHECKSIGADD', 0, 'NUMEQUAL']],
    ['says no number', [X, 'CHECKSIG', Y, 'CHECKSIGADD', 'NUMEQUAL']],
    ['compares otherwise', [X, 'CHECKSIG', Y, 'CHECKSIGADD', 2, 'EQUAL']],
    ['compares alone', ['NUMEQUAL']],
  ])('is not understood where it %s', (_, code) => {
    expect(readLeaf(Script.encode(code))).toBeNull()
  })

  it('is not understood with a key in a longer push, nor in another leaf version', () => {
    const longer = concatBytes(Uint8Array.of(0x4c, 32), X, Uint8Array.of(0xac))
    expect(readLeaf(longer)).toBeNull()
    expect(readLeaf(Script.encode([X, 'CHECKSIG']), 0xc2)).toBeNull()
  })
})

describe('an inscription behind the key of a leaf', () => {
  const ord = new TextEncoder().encode('ord')

  it.each<[string, Uint8Array]>([
    ['one', envelopeLeaf(X)],
    ['two', concatBytes(envelopeLeaf(X), Script.encode([0, 'IF', ord, 'ENDIF']))],
    ['an empty one', Script.encode([X, 'CHECKSIG', 0, 'IF', 'ENDIF'])],
    ['numbers', Script.encode([X, 'CHECKSIG', 0, 'IF', ord, '1NEGATE', 1, 16, 'ENDIF'])],
  ])('changes nothing: %s', (_, script) => {
    expect(readLeaf(script)).toEqual(of(1, X))
  })

  it.each<[string, Code]>([
    ['is executed', [1, 'IF', ord, 'ENDIF']],
    ['has no condition', [0, ord, 'ENDIF']],
    ['is inverted, and so executed', [0, 'NOTIF', ord, 'ENDIF']],
    ['does not end', [0, 'IF', ord]],
    ['has an ELSE, which is executed', [0, 'IF', ord, 'ELSE', 'RETURN', 'ENDIF']],
    ['has code that anyone can spend (OP_SUCCESS)', [0, 'IF', ord, 'RESERVED', 'ENDIF']],
    ['is followed by code', [0, 'IF', ord, 'ENDIF', 'DROP']],
    ['comes after code', ['NOP', 0, 'IF', ord, 'ENDIF']],
  ])('is not understood where it %s', (_, code) => {
    expect(readLeaf(Script.encode([X, 'CHECKSIG', ...code]))).toBeNull()
  })

  it('is not understood without the check of the key', () => {
    expect(readLeaf(Script.encode([X, 'CHECKSIGVERIFY', 0, 'IF', ord, 'ENDIF']))).toBeNull()
  })
})

const NOTHING_REVEALED: Revealed = {
  redeemScript: null,
  witnessScript: null,
  leaves: [],
  publicKeys: [],
}

/** The keys and how many must sign of each way; null where it is not understood. */
function list(scriptPubKey: Uint8Array, revealed: Partial<Revealed> = {}) {
  const templates = listTemplates(scriptPubKey, { ...NOTHING_REVEALED, ...revealed })
  return templates?.map(({ required, keys }) => ({ required, keys: keys.map(toHex) })) ?? null
}

describe('a multisig', () => {
  it('may have twenty keys and no more (MAX_PUBKEYS_PER_MULTISIG of Bitcoin Core)', () => {
    const multisig = (count: number) =>
      Script.encode([15, ...KEYS.slice(0, count), count, 'CHECKMULTISIG'])
    const twenty = multisig(20)
    const { script } = p2wsh({ type: 'sh', script: twenty })
    expect(list(script, { witnessScript: twenty })).toEqual([of(15, ...KEYS.slice(0, 20))])
    const more = multisig(21)
    const over = p2wsh({ type: 'sh', script: more })
    expect(list(over.script, { witnessScript: more })).toBeNull()
  })

  it('of all of its keys, or of one, is understood', () => {
    for (const required of [1, 2, 3])
      expect(list(p2ms(required, THREE).script)).toEqual([of(required, ...THREE)])
  })

  it.each<[string, Code]>([
    ['asks for more keys than it has', [3, KEY, OTHER, 2, 'CHECKMULTISIG']],
    ['asks for none, as anyone can spend it', [0, KEY, OTHER, 2, 'CHECKMULTISIG']],
    ['counts more keys than it has', [1, KEY, OTHER, 3, 'CHECKMULTISIG']],
    ['counts fewer keys than it has', [1, KEY, OTHER, 1, 'CHECKMULTISIG']],
    ['has no key', [1, 0, 'CHECKMULTISIG']],
    ['has a key of 32 bytes', [1, X, 1, 'CHECKMULTISIG']],
    ['only verifies', [1, KEY, 1, 'CHECKMULTISIGVERIFY']],
    ['has nothing but the check', ['CHECKMULTISIG']],
    ['has nothing but a number and the check', [1, 'CHECKMULTISIG']],
  ])('is not understood where it %s', (_, code) => {
    expect(list(Script.encode(code))).toBeNull()
  })
})

describe('an output that pays to a key', () => {
  it('is not understood where the key is not checked, or not the only thing that is', () => {
    expect(list(Script.encode([KEY, 'CHECKSIG']))).toEqual([of(1, KEY)])
    expect(list(Script.encode([KEY, 'CHECKSIGVERIFY']))).toBeNull()
    expect(list(Script.encode([KEY, 'CHECKSIG', 'NOT']))).toBeNull()
    expect(list(Script.encode([KEY, 'DROP', OTHER, 'CHECKSIG']))).toBeNull()
    expect(list(Script.encode([KEY, 'CHECKSIGVERIFY', OTHER, 'CHECKSIG']))).toBeNull()
    expect(list(Script.encode(['CHECKSIG']))).toBeNull()
    expect(list(Script.encode([X, 'CHECKSIG']))).toBeNull()
    const longer = concatBytes(Uint8Array.of(0x4c, 33), KEY, Uint8Array.of(0xac))
    expect(list(longer)).toBeNull()
  })

  it('cannot be spent with another key than the one that it has the hash of', () => {
    const { script } = p2wpkh(KEY)
    expect(list(script, { publicKeys: [OTHER, KEY] })).toEqual([of(1, KEY)])
    expect(list(script, { publicKeys: [OTHER] })).toEqual([])
    const nested = p2sh(p2wpkh(KEY)).script
    expect(list(nested, { publicKeys: [OTHER, KEY] })).toEqual([of(1, KEY)])
    expect(list(nested, { publicKeys: [OTHER] })).toBeNull()
  })
})

describe('an output that pays to the hash of a script', () => {
  const script = p2ms(2, THREE).script
  const other = p2ms(1, THREE).script
  const witness = p2wsh({ type: 'sh', script }).script
  const nested = Script.encode(['HASH160', hash160(witness), 'EQUAL'])
  const plain = Script.encode(['HASH160', hash160(script), 'EQUAL'])
  const found = [of(2, ...THREE)]

  it('is understood with the script, unknown without, and never spent with another', () => {
    expect(list(plain, { redeemScript: script })).toEqual(found)
    expect(list(plain)).toBeNull()
    expect(list(plain, { redeemScript: other })).toEqual([])
    expect(list(witness, { witnessScript: script })).toEqual(found)
    expect(list(witness)).toBeNull()
    expect(list(witness, { witnessScript: other })).toEqual([])
  })

  it('is understood with both scripts where one wraps the other', () => {
    expect(list(nested, { redeemScript: witness, witnessScript: script })).toEqual(found)
    expect(list(nested, { redeemScript: witness })).toBeNull()
    expect(list(nested, { redeemScript: witness, witnessScript: other })).toEqual([])
    expect(list(nested, { redeemScript: script, witnessScript: script })).toEqual([])
  })
})

describe('a taproot output', () => {
  it('can be spent by its key and by the leaves that it commits to, whatever else is revealed', () => {
    const script = Script.encode([X, 'CHECKSIG'])
    const output = leavesOf([{ script }])
    const [[{ version, internalKey } = { version: 0, internalKey: X }] = []] =
      output.fields.tapLeafScript ?? []
    const controlBlock = concatBytes(Uint8Array.of(version), internalKey)
    const own = { script, leafVersion: 0xc0, controlBlock }
    const foreign = { ...own, script: Script.encode([Y, 'CHECKSIG']) }
    const key = of(1, output.script.slice(2))
    expect(list(output.script, { leaves: [foreign, own] })).toEqual([key, of(1, X)])
    expect(list(output.script)).toEqual([key])
  })
})

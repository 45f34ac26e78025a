import { p2tr_ns, Script } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { privateKeys } from '../testing/keys.ts'
import { finalizableLocks, leavesOf, type SignedLock, signCoins } from '../testing/signed-psbt.ts'
import { extractTransaction, IncompletePsbtError } from './extract.ts'
import { finalizePsbt } from './finalize.ts'
import { readPrevouts } from './prevouts.ts'
import { encodePsbt, parsePsbt } from './psbt.ts'
import { checkSignatures, type InputCheck } from './signatures.ts'

const threeKeys = fc.tuple(privateKeys, privateKeys, privateKeys)
const KEYS: [Uint8Array, Uint8Array, Uint8Array] = [key(1), key(2), key(3)]
const LOCKS = finalizableLocks(KEYS)
const KINDS = Object.keys(LOCKS) as (keyof typeof LOCKS)[]

/** BIP-174: PSBT_IN_REDEEM_SCRIPT. */
const REDEEM_SCRIPT = 0x04

function key(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte)
}

function read(bytes: Uint8Array) {
  const psbt = parsePsbt(bytes)
  return { psbt, prevouts: readPrevouts(psbt, new Map()) }
}

/** What a check found, whatever the order of the fields. */
const sortSignatures = (check: InputCheck | undefined) =>
  check?.signatures
    .map(({ publicKey, sighash, valid }) => `${toHex(publicKey)} ${sighash} ${valid}`)
    .sort()

describe('finalizing', () => {
  it.each(KINDS)('gives %s the scripts that an independent library gives it', kind => {
    fc.assert(
      fc.property(threeKeys, fc.constantFrom(undefined, 1, 0x81, 0x83), (keys, sighash) => {
        const lock: SignedLock = finalizableLocks(keys)[kind]
        const { bytes, signed } = signCoins([lock], keys, sighash)
        const { psbt, prevouts } = read(bytes)
        const [before] = checkSignatures(psbt, prevouts)
        expect(before?.signatures.map(({ valid }) => valid)).toEqual(lock.signers.map(() => true))
        expect(before).toMatchObject({ final: false, valid: true })
        const final = finalizePsbt(psbt, prevouts, [0])
        signed.finalize()
        expect(toHex(extractTransaction(final))).toBe(toHex(signed.extract()))
        const [after] = checkSignatures(final, prevouts)
        expect(after).toMatchObject({ final: true, valid: true })
        expect(sortSignatures(after)).toEqual(sortSignatures(before))
      }),
      { numRuns: 3, endOnFailure: true },
    )
  })

  it('needs no redeemScript for a nested address, which follows from the key', () => {
    const { bytes, signed } = signCoins([LOCKS['p2sh-p2wpkh']], KEYS)
    const { maps, ...rest } = parsePsbt(bytes)
    const inputs = maps.inputs.map(map => map.filter(({ key }) => key[0] !== REDEEM_SCRIPT))
    const { psbt, prevouts } = read(encodePsbt({ ...rest, maps: { ...maps, inputs } }))
    expect(psbt.inputs[0]?.redeemScript).toBeNull()
    signed.finalize()
    const raw = extractTransaction(finalizePsbt(psbt, prevouts, [0]))
    expect(toHex(raw)).toBe(toHex(signed.extract()))
  })

  it('does so in one transaction of every kind, and only to the inputs that are named', () => {
    const locks: SignedLock[] = Object.values(LOCKS)
    const { bytes, signed } = signCoins(locks, KEYS)
    const { psbt, prevouts } = read(bytes)
    const named = locks.map((_, i) => i).filter(i => i % 3 !== 1)
    const partly = finalizePsbt(psbt, prevouts, [...named, 99])
    const finals = checkSignatures(partly, prevouts).map(({ final }) => final)
    expect(finals).toEqual(locks.map((_, i) => named.includes(i)))
    for (const [i, isFinal] of finals.entries())
      if (!isFinal) expect(partly.inputs[i]).toEqual(psbt.inputs[i])
    expect(() => extractTransaction(partly)).toThrow(new IncompletePsbtError(1))
    const all = finalizePsbt(partly, prevouts, [...locks.keys()])
    signed.finalize()
    expect(toHex(extractTransaction(all))).toBe(toHex(signed.extract()))
    expect(checkSignatures(all, prevouts).every(({ valid }) => valid)).toBe(true)
  })

  it('takes the signatures of the first keys where there are more than needed, and none where there are fewer', () => {
    for (const kind of [
      'bare multisig',
      'p2sh-p2wsh multisig',
      'two of three in a leaf',
    ] as const) {
      const { lock } = LOCKS[kind]
      const more = signCoins([{ lock, signers: [2, 1, 0] }], KEYS)
      const { psbt, prevouts } = read(more.bytes)
      const final = finalizePsbt(psbt, prevouts, [0])
      more.signed.finalize()
      expect(toHex(extractTransaction(final))).toBe(toHex(more.signed.extract()))
      const fewer = read(signCoins([{ lock, signers: [1] }], KEYS).bytes)
      expect(finalizePsbt(fewer.psbt, fewer.prevouts, [0])).toEqual(fewer.psbt)
      expect(checkSignatures(fewer.psbt, fewer.prevouts)[0]).toMatchObject({ valid: true })
    }
  })

  it('prefers the key to any leaf, and the leaf that makes the smallest transaction', () => {
    const [first, second] = KEYS.map(each => publicKeyOf(each).slice(1))
    if (!first || !second) expect.fail('no keys')
    const [small, large] = [first, second].flatMap(each => p2tr_ns(1, [each]))
    if (!small || !large) expect.fail('no leaves')
    const lock = leavesOf([
      { script: small.script },
      { script: Script.encode([...Script.decode(large.script), 0, 'IF', key(9), 'ENDIF']) },
    ])
    const { psbt, prevouts } = read(signCoins([{ lock, signers: [0, 1] }], KEYS).bytes)
    const witness = finalizePsbt(psbt, prevouts, [0]).inputs[0]?.finalScriptWitness
    expect(witness?.[1]).toEqual(small.script)
  })
})

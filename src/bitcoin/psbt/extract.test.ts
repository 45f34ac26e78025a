import * as ecc from '@bitcoinerlab/secp256k1'
import { Transaction } from '@scure/btc-signer'
import { initEccLib, Psbt as Library } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { fromBase64, toHex } from '../bytes.ts'
import { PSBT_VECTORS, readBip174Roles } from '../testing/psbt-vectors.ts'
import bitcoinjs from '../testing/vectors/bitcoinjs-psbt.json' with { type: 'json' }
import { extractTransaction, IncompletePsbtError } from './extract.ts'
import { finalizePsbt } from './finalize.ts'
import { readPrevouts } from './prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt } from './psbt.ts'
import { checkSignatures } from './signatures.ts'

initEccLib(ecc)

const prevoutsOf = (psbt: Psbt) => readPrevouts(psbt, new Map())

function finalizeAll(bytes: Uint8Array): Psbt {
  const psbt = parsePsbt(bytes)
  return finalizePsbt(psbt, prevoutsOf(psbt), [...psbt.inputs.keys()])
}

const verdictsOf = (psbt: Psbt) => checkSignatures(psbt, prevoutsOf(psbt)).map(({ valid }) => valid)

describe('the example of BIP-174', () => {
  const roles = readBip174Roles()

  it('is finalized and extracted to the published bytes', () => {
    const final = finalizeAll(roles.combined)
    expect(toHex(encodePsbt(final))).toBe(toHex(roles.finalized))
    expect(toHex(extractTransaction(final))).toBe(toHex(roles.extracted))
    expect(verdictsOf(final)).toEqual([true, true])
  })

  it('stays as it is while one of two has signed, and cannot be extracted', () => {
    for (const step of [roles.signedByOne, roles.signedByOther]) {
      const psbt = parsePsbt(step)
      expect(verdictsOf(psbt)).toEqual([true, true])
      expect(toHex(encodePsbt(finalizeAll(step)))).toBe(toHex(step))
    }
    for (const step of [roles.created, roles.updated, roles.combined])
      expect(() => extractTransaction(parsePsbt(step))).toThrow(new IncompletePsbtError(0))
  })
})

type Finalizing = { description?: string; type?: string; psbt: string; result: string }

/** All but the one in which the caller chooses the leaf that costs more. */
const finalizing: Finalizing[] = [...bitcoinjs.bip174.finalizer, ...bitcoinjs.finalizeAllInputs]
const cases = finalizing
  .filter(({ description = '' }) => !description.includes('explicitly'))
  .map(each => ({ name: each.description ?? each.type ?? 'BIP-174', ...each }))

/** Inputs whose signature that library itself calls wrong, though it finalizes them. */
const WRONG: Record<string, number> = { 'Finalze taproot key-path': 1, 'P2SH-P2WPKH': 0 }

function isRightByBitcoinjs(psbt: Library, index: number): boolean {
  return psbt.validateSignaturesOfInput(index, (key, hash, signature) =>
    key.length === 32
      ? ecc.verifySchnorr(hash, key, signature)
      : ecc.verify(hash, key, signature, true),
  )
}

describe('the finalizer vectors of bitcoinjs-lib', () => {
  it.each(cases)('$name: right signatures give the published scripts, wrong ones none', vector => {
    const bytes = fromBase64(vector.psbt)
    const before = parsePsbt(bytes)
    const library = Library.fromBuffer(bytes)
    const right = before.inputs.map((_, index) => WRONG[vector.name] !== index)
    if (!right.every(Boolean))
      expect(before.inputs.map((_, index) => isRightByBitcoinjs(library, index))).toEqual(right)
    expect(verdictsOf(before)).toEqual(right)
    const final = finalizeAll(bytes)
    const expected = parsePsbt(fromBase64(vector.result))
    for (const [index, isRight] of right.entries()) {
      const { finalScriptSig, finalScriptWitness } = expected.inputs[index] ?? {}
      if (isRight) expect(final.inputs[index]).toMatchObject({ finalScriptSig, finalScriptWitness })
      else expect(final.inputs[index]).toEqual(before.inputs[index])
    }
    expect(verdictsOf(final)).toEqual(right)
    expect(verdictsOf(expected)).toEqual(right)
  })
})

describe('the signed PSBTs of BIP-371', () => {
  const signed = PSBT_VECTORS[371].filter(
    ({ name, verdict }) => verdict === 'valid' && /signature/.test(name),
  )

  it('have right signatures, and give the transaction that an independent library makes of them', () => {
    expect(signed).toHaveLength(2)
    for (const { psbt } of signed) {
      const bytes = fromBase64(psbt)
      expect(verdictsOf(parsePsbt(bytes))).toEqual([true])
      const theirs = Transaction.fromPSBT(bytes, { allowUnknownOutputs: true })
      theirs.finalize()
      expect(toHex(extractTransaction(finalizeAll(bytes)))).toBe(toHex(theirs.extract()))
    }
  })
})

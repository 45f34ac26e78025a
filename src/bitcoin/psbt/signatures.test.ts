import { sha256 } from '@noble/hashes/sha2.js'
import { p2pkh, p2tr_ms, Script } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../bytes.ts'
import { publicKeyOf, signEcdsa, signSchnorr } from '../secp256k1.ts'
import { checkFinalScripts } from '../signing/final-scripts.ts'
import { createSighashes } from '../signing/sighash.ts'
import { buildPsbt } from '../testing/psbt-building.ts'
import { finalizableLocks, leavesOf, type SignedLock, signCoins } from '../testing/signed-psbt.ts'
import { finalizePsbt, finalizePsbtInSteps } from './finalize.ts'
import { readPrevouts } from './prevouts.ts'
import { type InputChange, type Psbt, parsePsbt, unsignedTransaction, withInputs } from './psbt.ts'
import { checkSignatures, checkSignaturesInSteps } from './signatures.ts'

const key = (byte: number) => new Uint8Array(32).fill(byte)
const KEYS: [Uint8Array, Uint8Array, Uint8Array] = [key(1), key(2), key(3)]
const FOREIGN = key(4)
const LOCKS = finalizableLocks(KEYS)
const KINDS = Object.keys(LOCKS) as (keyof typeof LOCKS)[]

function read(bytes: Uint8Array) {
  const psbt = parsePsbt(bytes)
  return { psbt, prevouts: readPrevouts(psbt, new Map()) }
}

/** The one input of a PSBT with this signature in place of its first, whichever field that is in. */
function replaceSignature(
  psbt: Psbt,
  change: (signature: Uint8Array, publicKey: Uint8Array) => Uint8Array,
): Psbt {
  const [input] = psbt.inputs
  if (!input) expect.fail('no input')
  const each = <T extends { signature: Uint8Array; publicKey: Uint8Array }>(sigs: readonly T[]) =>
    sigs.map((sig, i) =>
      i === 0 ? { ...sig, signature: change(sig.signature, sig.publicKey) } : sig,
    )
  const changed: InputChange = input.tapKeySig
    ? { tapKeySig: change(input.tapKeySig, new Uint8Array()) }
    : input.tapScriptSigs.length > 0
      ? { tapScriptSigs: each(input.tapScriptSigs) }
      : { partialSigs: each(input.partialSigs) }
  return withInputs(psbt, new Map([[0, changed]]))
}

/** Says that the first signature is wrong and the others are right, and that no final script is made. */
function expectRefused(psbt: Psbt, prevouts: ReturnType<typeof readPrevouts>, others: number) {
  const [check] = checkSignatures(psbt, prevouts)
  expect(check?.signatures.map(({ valid }) => valid)).toEqual([
    false,
    ...Array.from({ length: others }, () => true),
  ])
  expect(check?.valid).toBe(false)
  expect(finalizePsbt(psbt, prevouts, [0])).toEqual(psbt)
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same ECDSA signature with the other S, which anybody could make of it and nodes do not relay (BIP-146). */
function makeHighS(der: Uint8Array): Uint8Array {
  const sStart = 4 + (der[3] ?? 0)
  const s = BigInt(`0x${toHex(der.slice(sStart + 2, -1))}`)
  const high = concatBytes(Uint8Array.of(0), fromHex((ORDER - s).toString(16).padStart(64, '0')))
  const body = concatBytes(der.slice(2, sStart), Uint8Array.of(2, high.length), high)
  return concatBytes(Uint8Array.of(0x30, body.length), body, der.slice(-1))
}

/** What a stranger's key makes of the hash that the first signature of an input signs. */
function signForeign(psbt: Psbt, prevouts: ReturnType<typeof readPrevouts>): Uint8Array {
  const [prevout] = prevouts
  const template = checkSignatures(psbt, prevouts)[0]?.templates.at(-1)
  if (!template || !prevout) expect.fail('no template')
  const { scheme, script, leafHash } = template
  const hashes = createSighashes(unsignedTransaction(psbt), prevouts)
  if (scheme === 'taproot') return signSchnorr(hashes.taproot(0, 0, leafHash ?? undefined), FOREIGN)
  const hash =
    scheme === 'v0' ? hashes.v0(0, script, prevout.amount, 1) : hashes.legacy(0, script, 1)
  return signEcdsa(hash, FOREIGN)
}

describe.each(KINDS)('a wrong signature for %s is called wrong and never used', kind => {
  const { lock, signers }: SignedLock = LOCKS[kind]
  const { psbt, prevouts } = read(signCoins([{ lock, signers }], KEYS).bytes)
  const others = signers.length - 1
  const isSchnorr = psbt.inputs[0]?.partialSigs.length === 0
  const refuse = (change: Parameters<typeof replaceSignature>[1]) =>
    expectRefused(replaceSignature(psbt, change), prevouts, others)

  it('when any bit of it is another', () => {
    fc.assert(
      fc.property(fc.nat(isSchnorr ? 63 : 69), fc.nat(7), (place, bit) => {
        refuse(signature => signature.map((byte, i) => (i === place ? byte ^ (1 << bit) : byte)))
      }),
      { numRuns: 4, endOnFailure: true },
    )
  })

  it('when it states a sighash that it does not sign', () => {
    for (const sighash of [0, 1, 2, 3, 4, 0x41, 0x81, 0x82, 0x83]) {
      if (isSchnorr) refuse(signature => concatBytes(signature, Uint8Array.of(sighash)))
      else if (sighash !== 1)
        refuse(signature => concatBytes(signature.slice(0, -1), Uint8Array.of(sighash)))
    }
  })

  it('when the input asks for another sighash', () => {
    const [input] = psbt.inputs
    if (!input) expect.fail('no input')
    for (const sighashType of isSchnorr ? [1, 0x83] : [0, 0x81]) {
      const asking = { ...psbt, inputs: [{ ...input, sighashType }] }
      const [check] = checkSignatures(asking, prevouts)
      expect(check?.signatures.every(({ valid }) => valid === false)).toBe(true)
      expect(finalizePsbt(asking, prevouts, [0])).toEqual(asking)
    }
  })

  it('when a stranger made it', () => {
    const foreign = signForeign(psbt, prevouts)
    refuse(() => foreign)
  })

  it('when it is of another transaction', () => {
    const { bytes } = signCoins([{ lock, signers }, LOCKS.p2wpkh], KEYS)
    const [other] = parsePsbt(bytes).inputs
    const first = other?.tapKeySig ?? other?.tapScriptSigs[0]?.signature
    const signature = first ?? other?.partialSigs[0]?.signature
    if (!signature) expect.fail('no signature')
    refuse(() => signature)
  })

  if (isSchnorr) return

  it('when it has the other S, or a byte too many', () => {
    refuse(makeHighS)
    refuse(signature => concatBytes(signature.slice(0, -1), Uint8Array.of(0, 1)))
    refuse(signature => concatBytes(signature, Uint8Array.of(1)))
  })
})

describe.each(KINDS)('the final scripts of %s', kind => {
  const { bytes, signed } = ((lock: SignedLock) => signCoins([lock], KEYS))(LOCKS[kind])
  signed.finalize()
  const [final] = parsePsbt(signed.toPSBT()).inputs
  const { psbt, prevouts } = read(bytes)
  const scriptSig = final?.finalScriptSig ?? new Uint8Array()
  const witness = final?.finalScriptWitness ?? []

  /** The verdict on these instead. */
  function validate(finalScriptSig: Uint8Array, finalScriptWitness: readonly Uint8Array[]) {
    const change = { finalScriptSig, finalScriptWitness }
    return checkSignatures(withInputs(psbt, new Map([[0, change]])), prevouts)[0]
  }

  it('are right as the independent library made them, and wrong with any bit changed', () => {
    expect(validate(scriptSig, witness)).toMatchObject({ final: true, valid: true })
    const flip = (at: number, bit: number) => (item: Uint8Array, from: number) =>
      item.map((byte, i) => (from + i === at ? byte ^ (1 << bit) : byte))
    const total = witness.reduce((size, { length }) => size + length, scriptSig.length)
    fc.assert(
      fc.property(fc.nat(total - 1), fc.nat(7), (at, bit) => {
        let from = scriptSig.length
        const items = witness.map(item => {
          const flipped = flip(at, bit)(item, from)
          from += item.length
          return flipped
        })
        expect(validate(flip(at, bit)(scriptSig, 0), items)).toMatchObject({
          final: true,
          valid: false,
        })
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })

  it('are wrong with anything added, left out or moved', () => {
    const extra = Uint8Array.of(1)
    expect(validate(concatBytes(extra, extra, scriptSig), witness)?.valid).toBe(false)
    expect(validate(concatBytes(scriptSig, extra, extra), witness)?.valid).toBe(false)
    expect(validate(scriptSig, [extra, ...witness])?.valid).toBe(false)
    expect(validate(scriptSig, [...witness, extra])?.valid).toBe(false)
    if (witness.length > 1) {
      for (const left of witness.keys())
        expect(validate(scriptSig, witness.toSpliced(left, 1))?.valid).toBe(false)
      expect(validate(scriptSig, witness.toReversed())?.valid).toBe(false)
    }
    if (scriptSig.length > 0 && witness.length > 0)
      expect(validate(new Uint8Array(), witness)?.valid).toBe(false)
  })
})

describe('a multisig witness of far more signatures than keys', () => {
  it('costs no more than a try of each key', () => {
    const keys = Array.from({ length: 20 }, (_, i) => publicKeyOf(key(i + 1)))
    const witnessScript = Script.encode([2, ...keys, 20, 'CHECKMULTISIG'])
    const witness = [new Uint8Array(), ...Array.from({ length: 500 }, () => key(7)), witnessScript]
    const scriptPubKey = concatBytes(Uint8Array.of(0, 32), sha256(witnessScript))
    let tries = 0
    const check = checkFinalScripts(scriptPubKey, { scriptSig: new Uint8Array(), witness }, () => {
      tries++
      return false
    })
    expect(check.valid).toBe(false)
    expect(tries).toBe(20)
  })
})

describe('what cannot be judged', () => {
  const publicKey = publicKeyOf(KEYS[0])
  const delayed = (of: Uint8Array) =>
    Script.encode([of, 'CHECKSIGVERIFY', 144, 'CHECKSEQUENCEVERIFY'])
  const witnessScript = delayed(publicKey)
  const UNKNOWN = {
    'a script with a delay': {
      script: concatBytes(Uint8Array.of(0, 32), sha256(witnessScript)),
      fields: { witnessScript },
    },
    'a leaf with a delay': leavesOf([{ script: delayed(publicKey.slice(1)) }]),
  }

  it.each(Object.entries(UNKNOWN))(
    '%s is neither right nor wrong, and left as it is',
    (_, lock) => {
      const { bytes, signed } = signCoins([{ lock, signers: [0] }, LOCKS.p2wpkh], KEYS)
      const { psbt, prevouts } = read(bytes)
      const [check] = checkSignatures(psbt, prevouts)
      expect(check?.signatures.map(({ valid }) => valid)).toEqual([null])
      expect(check?.valid).toBeNull()
      const final = finalizePsbt(psbt, prevouts, [0, 1])
      expect(checkSignatures(final, prevouts).map(each => each.final)).toEqual([false, true])
      signed.finalize()
      const finalized = read(signed.toPSBT())
      const [done, ours] = checkSignatures(finalized.psbt, prevouts)
      expect([done?.final, done?.valid, ours?.valid]).toEqual([true, null, true])
    },
  )

  it('an input of an unknown coin, and a taproot signature that covers one', () => {
    const { psbt, prevouts } = read(signCoins([LOCKS.p2wpkh, LOCKS.p2tr, LOCKS.p2pkh], KEYS).bytes)
    const without = (index: number) => prevouts.map((prevout, i) => (i === index ? null : prevout))
    const validOf = (known: typeof prevouts) =>
      checkSignatures(psbt, known).map(({ valid }) => valid)
    expect(validOf(prevouts)).toEqual([true, true, true])
    expect(validOf(without(0))).toEqual([null, null, true])
    expect(validOf(without(1))).toEqual([true, null, true])
    const finals = finalizePsbt(psbt, without(0), [0, 1, 2])
    expect(checkSignatures(finals, prevouts).map(({ final }) => final)).toEqual([
      false,
      false,
      true,
    ])
    const alone = read(signCoins([LOCKS.p2wpkh, LOCKS.p2tr], KEYS, 0x83).bytes)
    expect(
      checkSignatures(alone.psbt, [null, ...alone.prevouts.slice(1)]).map(({ valid }) => valid),
    ).toEqual([null, true])
  })

  /** The first key's signatures of the second input, with this sighash byte, of a transaction with one output. */
  function signSecond(kind: 'p2pkh' | 'p2wpkh' | 'p2tr', sighash: number, hash: Uint8Array | null) {
    const { bytes } = buildPsbt({
      inputs: ['p2wpkh' as const, LOCKS[kind].lock].map(type => ({
        type,
        key: KEYS[0],
        amount: 100_000n,
        proof: 'previous' as const,
      })),
      outputs: [{ type: 'p2tr', amount: 90_000n }],
    })
    const { psbt, prevouts } = read(bytes)
    const transaction = unsignedTransaction(psbt)
    const { script = new Uint8Array() } = p2pkh(publicKey)
    const signed =
      hash ??
      (kind === 'p2pkh'
        ? transaction.hashForSignature(1, script, sighash)
        : transaction.hashForWitnessV0(1, script, 100_000n, sighash))
    const signature = concatBytes(signEcdsa(signed, KEYS[0]).slice(0, -1), Uint8Array.of(sighash))
    const schnorr = concatBytes(signSchnorr(signed, KEYS[0]), Uint8Array.of(sighash))
    const change =
      kind === 'p2tr' ? { tapKeySig: schnorr } : { partialSigs: [{ publicKey, signature }] }
    return checkSignatures(withInputs(psbt, new Map([[1, change]])), prevouts)[1]?.valid
  }

  it('SINGLE without an output of that index, which nodes take before taproot', () => {
    for (const sighash of [3, 0x83]) {
      expect(signSecond('p2pkh', sighash, null)).toBeNull()
      expect(signSecond('p2wpkh', sighash, null)).toBeNull()
      expect(signSecond('p2tr', sighash, key(7))).toBe(false)
    }
    expect(signSecond('p2pkh', 1, null)).toBe(true)
  })

  it('a right signature with a sighash that means nothing, which blocks may hold', () => {
    for (const kind of ['p2pkh', 'p2wpkh'] as const) {
      for (const sighash of [0, 4, 0x41, 0x80, 0xff]) {
        expect(signSecond(kind, sighash, null)).toBeNull()
        expect(signSecond(kind, sighash, key(7))).toBe(false)
      }
    }
  })

  it('a signature beside a script that is not the output’s', () => {
    for (const kind of ['p2sh multisig', 'p2wsh multisig', 'p2sh-p2wsh multisig'] as const) {
      const { psbt, prevouts } = read(signCoins([LOCKS[kind]], KEYS).bytes)
      const [input] = psbt.inputs
      if (!input) expect.fail('no input')
      const other = Script.encode([publicKey, 'CHECKSIG'])
      for (const field of ['redeemScript', 'witnessScript'] as const) {
        if (!input[field]) continue
        const [check] = checkSignatures(
          { ...psbt, inputs: [{ ...input, [field]: other }] },
          prevouts,
        )
        expect(check?.signatures.map(({ valid }) => valid)).toEqual([null, null])
      }
    }
  })

  it('a witness with an annex', () => {
    const { psbt, prevouts } = read(signCoins([LOCKS.p2tr], KEYS).bytes)
    const finalScriptWitness = [psbt.inputs[0]?.tapKeySig ?? key(0), Uint8Array.of(0x50, 1)]
    const annexed = withInputs(psbt, new Map([[0, { finalScriptWitness }]]))
    expect(checkSignatures(annexed, prevouts)[0]).toMatchObject({ final: true, valid: null })
  })

  it('is not what a stranger adds to a right signature: that is wrong, and stays out', () => {
    const { psbt, prevouts } = read(signCoins([LOCKS.p2wpkh], KEYS).bytes)
    const partialSigs = [
      { publicKey: publicKeyOf(FOREIGN), signature: signForeign(psbt, prevouts) },
      ...(psbt.inputs[0]?.partialSigs ?? []),
    ]
    const joined = withInputs(psbt, new Map([[0, { partialSigs }]]))
    const [check] = checkSignatures(joined, prevouts)
    expect(check?.signatures.map(({ valid }) => valid)).toEqual([false, true])
    const witness = finalizePsbt(joined, prevouts, [0]).inputs[0]?.finalScriptWitness
    expect(witness?.map(toHex)).toEqual(
      finalizePsbt(psbt, prevouts, [0]).inputs[0]?.finalScriptWitness?.map(toHex),
    )
  })
})

describe('work on one input that is long', () => {
  const COUNT = 12
  const keys = Array.from({ length: COUNT }, (_, i) => key(0x10 + i))
  const xOnly = keys.map(each => publicKeyOf(each).slice(1))
  const all = keys.map((_, i) => i)
  const together = leavesOf([{ script: p2tr_ms(COUNT, xOnly).script }])
  const apart = leavesOf(xOnly.map(each => ({ script: p2tr_ms(1, [each]).script })))

  function countSteps(steps: Generator<void, unknown>): number {
    let count = 0
    while (!steps.next().done) count++
    return count
  }

  it('can be left between any two signatures, not final and final', () => {
    const { psbt, prevouts } = read(signCoins([{ lock: together, signers: all }], keys).bytes)
    expect(psbt.inputs[0]?.tapScriptSigs).toHaveLength(COUNT)
    expect(countSteps(checkSignaturesInSteps(psbt, prevouts))).toBeGreaterThanOrEqual(COUNT)
    expect(countSteps(finalizePsbtInSteps(psbt, prevouts, [0]))).toBeGreaterThanOrEqual(COUNT)
    const final = finalizePsbt(psbt, prevouts, [0])
    expect(checkSignatures(final, prevouts)).toMatchObject([{ final: true, valid: true }])
    expect(countSteps(checkSignaturesInSteps(final, prevouts))).toBeGreaterThanOrEqual(COUNT)
  })

  it('can be left between any two leaves, which are looked at once', () => {
    const { psbt, prevouts } = read(signCoins([{ lock: apart, signers: [0] }], keys).bytes)
    expect(psbt.inputs[0]?.tapLeafScripts).toHaveLength(COUNT)
    expect(countSteps(checkSignaturesInSteps(psbt, prevouts))).toBeGreaterThanOrEqual(COUNT)
    expect(countSteps(finalizePsbtInSteps(psbt, prevouts, [0]))).toBeGreaterThanOrEqual(COUNT)
    const [check] = checkSignatures(psbt, prevouts)
    expect(check?.templates.map(({ leafHash }) => leafHash !== null)).toEqual([
      false,
      ...all.map(() => true),
    ])
  })
})

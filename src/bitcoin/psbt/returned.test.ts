import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { fromHex, toHex } from '../bytes.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { AWAY_KEY, redeemScriptOf, sendAway, signAway } from '../testing/away-signing.ts'
import { FOREIGN_KEY } from '../testing/psbt-building.ts'
import { PERMISSIVE, verifyIndependently } from '../testing/signature-oracle.ts'
import { ADDRESS_TYPES, spendOf } from '../testing/spending.ts'
import { extractTransaction } from './extract.ts'
import { finalizePsbt } from './finalize.ts'
import { encodeMaps } from './maps.ts'
import { encodePsbt, type Psbt, parsePsbt } from './psbt.ts'
import { ReturnedPsbtError, takeSignatures } from './returned.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const SINGLE_ANYONE = 0x83

type FactOfInput = { txid: Uint8Array; sequence: number; amount: bigint }
type FactOfOutput = { script: Uint8Array; amount: bigint }

type Facts = {
  version: number
  lockTime: number
  sighash?: number
  inputs: [FactOfInput, FactOfInput]
  outputs: [FactOfOutput, FactOfOutput]
}

type Sent = ReturnType<typeof sendAway>

const take = (sent: Sent, returned: Uint8Array) => takeSignatures({ ...sent, returned })

function complete({ prevouts }: Sent, psbt: Psbt): string {
  const all = [...psbt.inputs.keys()]
  return toHex(extractTransaction(finalizePsbt(psbt, prevouts, all)))
}

const CHANGES: [string, (facts: Facts) => unknown, string][] = [
  ['another amount', ({ outputs }) => (outputs[0].amount -= 1n), 'output 0: expected 30000 sats'],
  ['another receiver', ({ outputs }) => (outputs[0].script = outputs[1].script), 'output 0'],
  ['an output less', ({ outputs }) => outputs.pop(), 'output 1: expected 60000 sats'],
  ['an input less', ({ inputs }) => inputs.pop(), 'input 1: expected'],
  ['inputs in another order', ({ inputs }) => inputs.reverse(), 'input 0: expected'],
  ['another sequence', ({ inputs }) => (inputs[1].sequence = 0), 'input 1: expected'],
  ['another locktime', facts => (facts.lockTime = 5), 'locktime: expected 0, found 5'],
  ['another version', facts => (facts.version = 1), 'version: expected 2, found 1'],
  ['another amount of a coin', ({ inputs }) => (inputs[1].amount += 1n), 'input 1: it spends'],
]

/** The PSBT of another transaction, or of the same, that a signer made and signed by itself. */
function signChanged(sent: Sent, change: (facts: Facts) => unknown, key = AWAY_KEY): Uint8Array {
  const { unsigned, script, prevouts, key: own } = sent
  const facts: Facts = {
    version: 2,
    lockTime: 0,
    inputs: unsigned.ins.map(({ hash, sequence }, at) => ({
      txid: hash.toReversed(),
      sequence,
      amount: prevouts[at]?.amount ?? 0n,
    })) as Facts['inputs'],
    outputs: unsigned.outs.map(({ script, value }) => ({
      script,
      amount: value,
    })) as Facts['outputs'],
  }
  change(facts)
  const { version, lockTime, inputs, outputs, sighash } = facts
  const transaction = new ScureTransaction({ version, lockTime, ...PERMISSIVE })
  const redeemScript = redeemScriptOf(own.addressType)
  for (const { txid, sequence, amount } of inputs)
    transaction.addInput({
      txid,
      index: 0,
      sequence,
      ...(own.addressType === 'p2pkh'
        ? { nonWitnessUtxo: sent.previous.get(toHex(txid)) as Uint8Array }
        : { witnessUtxo: { script, amount } }),
      ...(redeemScript && { redeemScript }),
      ...(own.addressType === 'p2tr' && { tapInternalKey: publicKeyOf(key).slice(1) }),
      ...(sighash !== undefined && { sighashType: sighash }),
    })
  for (const output of outputs) transaction.addOutput(output)
  try {
    transaction.sign(key, sighash === undefined ? [0, 1] : [sighash])
  } catch {
    // A key that nothing is locked to signs nothing.
  }
  return transaction.toPSBT(0)
}

describe('what a signer hands back', () => {
  it.each(ADDRESS_TYPES)('of %s, signed, becomes the transaction that the signer made', type => {
    const sent = sendAway(type)
    const signed = signAway(sent.sent)
    const taken = take(sent, signed.toPSBT(0))
    signed.finalize()
    expect(complete(sent, taken)).toBe(toHex(signed.extract()))
  })

  it.each(ADDRESS_TYPES)(
    'of %s may be in the other version, final, or the raw transaction',
    type => {
      const sent = sendAway(type)
      const partial = signAway(sent.sent)
      const expected = encodePsbt(take(sent, partial.toPSBT(0)))
      const final = partial.clone()
      final.finalize()
      for (const bytes of [partial.toPSBT(2), final.toPSBT(0), final.extract()])
        expect(encodePsbt(take(sent, bytes))).toEqual(expected)
    },
  )

  it('brings nothing into the PSBT but signatures', () => {
    const sent = sendAway('p2wpkh')
    const signed = signAway(sent.sent)
    const { maps } = parsePsbt(signed.toPSBT(0))
    const more = { key: fromHex('f001'), value: fromHex('02') }
    const returned = encodeMaps({
      global: [...maps.global, more],
      inputs: maps.inputs.map(map => [...map, more]),
      outputs: maps.outputs.map(map => [...map, more]),
    })
    const taken = take(sent, returned)
    const withoutSignatures = taken.maps.inputs.map(map => map.filter(({ key }) => key[0] !== 0x02))
    expect(withoutSignatures).toEqual(sent.sent.maps.inputs)
    expect(taken.maps.global).toEqual(sent.sent.maps.global)
    expect(taken.maps.outputs).toEqual(sent.sent.maps.outputs)
  })

  const problems: [string, (signed: ScureTransaction, sent: Sent) => Uint8Array, string][] = [
    ['no PSBT', () => fromHex('00'), 'psbt: expected a PSBT or a signed transaction'],
    ['half a PSBT', signed => signed.toPSBT(0).slice(0, 100), 'expected'],
    ['the PSBT as it was', (_, { sent }) => encodePsbt(sent), 'input 0: it has no signature'],
    [
      'another transaction',
      () => signAway(sendAway('p2wpkh', 3).sent).toPSBT(0),
      'input 2: expected none, found',
    ],
    [
      'a signature with another bit',
      signed => {
        const bytes = signed.toPSBT(0)
        const signature = toHex(signed.getInput(0).partialSig?.[0]?.[1] ?? new Uint8Array())
        const at = toHex(bytes).indexOf(signature) / 2 + 40
        return bytes.with(at, (bytes[at] ?? 0) ^ 1)
      },
      'input 0: it has a signature that is wrong',
    ],
  ]
  it.each(problems)('is refused where it is %s', (_, alter, message) => {
    const sent = sendAway('p2wpkh')
    expect(() => take(sent, alter(signAway(sent.sent), sent))).toThrow(message)
    expect(() => take(sent, alter(signAway(sent.sent), sent))).toThrow(ReturnedPsbtError)
  })

  it('is refused with a signature in its other form, which anybody can make and nodes do not relay', () => {
    const sent = sendAway('p2wpkh')
    const signed = signAway(sent.sent)
    const der = signed.getInput(0).partialSig?.[0]?.[1] ?? new Uint8Array()
    const { r, s } = secp256k1.Signature.fromBytes(der.slice(0, -1), 'der')
    const other = new secp256k1.Signature(r, secp256k1.Point.CURVE().n - s).toBytes('der')
    const { maps } = parsePsbt(signed.toPSBT(0))
    const inputs = maps.inputs.map((map, at) =>
      map.map(entry =>
        at === 0 && entry.key[0] === 0x02 ? { ...entry, value: Uint8Array.of(...other, 1) } : entry,
      ),
    )
    const returned = encodeMaps({ ...maps, inputs })
    expect(() => take(sent, returned)).toThrow('input 0: it has a signature that is wrong')
  })

  it.each(CHANGES)('is refused with what differs: %s', (_, change, message) => {
    const sent = sendAway('p2tr')
    expect(() => take(sent, signChanged(sent, change))).toThrow(message)
  })

  it('is refused with a signature that covers less than was asked for', () => {
    const sent = sendAway('p2tr')
    const open = signChanged(sent, facts => Object.assign(facts, { sighash: SINGLE_ANYONE }))
    expect(() => take(sent, open)).toThrow('expected a signature with the sighash 0, found 131')
  })
})

const { count: COUNT, seed: SEED } = campaign('answers of couriers')

/**
 * Independent of the code on trial: what is altered and how it is signed (scure-btc-signer), and the judgement: the transaction that comes
 * out has the txid of what was sent, and each of its signatures is right by another library.
 */
describe(`${COUNT} answers that a courier altered (seed ${SEED})`, () => {
  it(
    'give the transaction that was sent, rightly signed, or an error with a name',
    () => {
      const kinds = fc.constantFrom(...ADDRESS_TYPES)
      const outcomes = { taken: 0, refused: 0 }
      fc.assert(
        fc.property(kinds, alterations, (type, alteration) => {
          const sent = ofType(type)
          const answer = alterAnswer(sent, alteration)
          try {
            const taken = take(sent, answer)
            expectRightlySigned(sent, taken)
            outcomes.taken++
          } catch (error) {
            if (!(error instanceof ReturnedPsbtError)) throw error
            outcomes.refused++
          }
        }),
        { numRuns: COUNT, seed: SEED },
      )
      // If all were refused, nothing would have been shown of those that are taken.
      expect(outcomes.taken).toBeGreaterThan(COUNT / 50)
      expect(outcomes.refused).toBeGreaterThan(COUNT / 4)
    },
    Math.max(120_000, 20 * COUNT),
  )
})

type Alteration = {
  kind: 'facts' | 'bytes' | 'foreign' | 'other' | 'final' | 'raw' | 'cut'
  a: number
  b: number
}

const alterations = fc.record({
  kind: fc.constantFrom(
    ...(['facts', 'bytes', 'foreign', 'other', 'final', 'raw', 'cut'] as const),
  ),
  a: fc.nat(),
  b: fc.nat(),
})

const honest = new Map<string, Sent & { honest: ScureTransaction }>()

function ofType(type: (typeof ADDRESS_TYPES)[number]) {
  const known = honest.get(type)
  if (known) return known
  const sent = sendAway(type)
  const made = { ...sent, honest: signAway(sent.sent) }
  honest.set(type, made)
  return made
}

function alterAnswer(sent: ReturnType<typeof ofType>, { kind, a, b }: Alteration): Uint8Array {
  const flip = (bytes: Uint8Array) => {
    const altered = bytes.slice()
    altered[a % altered.length] = b & 0xff
    return altered
  }
  switch (kind) {
    case 'facts':
      return signChanged(sent, CHANGES[a % CHANGES.length]?.[1] ?? (() => {}))
    case 'bytes':
      return flip(sent.honest.toPSBT(b % 2 === 0 ? 0 : 2))
    case 'foreign':
      return signChanged(sent, () => {}, FOREIGN_KEY)
    case 'other':
      return signAway(sendAway(sent.key.addressType, 1 + (a % 3)).sent).toPSBT(0)
    case 'final': {
      const final = sent.honest.clone()
      final.finalize()
      return a % 4 === 0 ? final.toPSBT(0) : flip(final.toPSBT(0))
    }
    case 'raw': {
      const final = sent.honest.clone()
      final.finalize()
      return a % 4 === 0 ? final.extract() : flip(final.extract())
    }
    case 'cut':
      return sent.honest.toPSBT(0).slice(0, a % 2_000)
  }
}

/** By other libraries: the same transaction, and right signatures of the key. */
function expectRightlySigned(sent: Sent, taken: Psbt): void {
  const { key, prevouts, script } = sent
  const read = ScureTransaction.fromRaw(fromHex(complete(sent, taken)), PERMISSIVE)
  expect(toHex(read.unsignedTx)).toBe(toHex(sent.unsigned.toBuffer()))
  const keyHash = spendOf('p2pkh', key.publicKey).script
  for (const [index, { partialSigs, tapKeySig }] of taken.inputs.entries()) {
    const isTaproot = key.addressType === 'p2tr'
    const signature = isTaproot ? tapKeySig : partialSigs[0]?.signature
    const signed = isTaproot
      ? ({ scheme: 'taproot', publicKey: script.slice(2) } as const)
      : ({
          scheme: key.addressType === 'p2pkh' ? 'legacy' : 'v0',
          publicKey: key.publicKey,
          script: keyHash,
        } as const)
    const outputs = prevouts.map(prevout => {
      if (!prevout) throw new Error('an unknown coin')
      return prevout
    })
    const type = isTaproot ? 0 : 1
    const right = signature && verifyIndependently(read, outputs, index, signed, type, signature)
    expect(right).toBe(true)
  }
}

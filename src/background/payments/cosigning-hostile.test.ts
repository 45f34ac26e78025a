import { p2tr_ms } from '@scure/btc-signer'
import { opcodes, script } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import { addCosignatures } from '../../bitcoin/psbt/cosign.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError } from '../../bitcoin/psbt/returned.ts'
import { sizeOfSpend } from '../../bitcoin/transaction-size.ts'
import { createDevice } from '../testing/device-wallet.ts'
import { draft, RECIPIENT } from '../testing/funded-wallet.ts'
import { COSIGNED_SCRIPTS, startCosigned } from './testing/cosigners.ts'

const signaturesOf = ({ inputs }: Psbt) =>
  inputs.flatMap(({ partialSigs, tapScriptSigs }) =>
    [...partialSigs, ...tapScriptSigs].map(({ publicKey, signature }) =>
      [publicKey, signature].map(toHex).join(' '),
    ),
  )

/** What a courier may do to bytes; nothing of it knows what they mean. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.nat(7) }),
  fc.record({
    kind: fc.constant('cut' as const),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 80 }),
  }),
  fc.record({
    kind: fc.constant('copy' as const),
    at: fc.nat(),
    from: fc.nat(),
    length: fc.integer({ min: 1, max: 80 }),
  }),
)

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

function mutate(bytes: Uint8Array, change: Mutation): Uint8Array {
  const at = change.at % bytes.length
  if (change.kind === 'flip') {
    const copy = bytes.slice()
    copy[at] = (copy[at] ?? 0) ^ (1 << change.bit)
    return copy
  }
  if (change.kind === 'cut') return concatBytes(bytes.slice(0, at), bytes.slice(at + change.length))
  const from = change.from % bytes.length
  const copied = bytes.slice(from, from + change.length)
  return concatBytes(bytes.slice(0, at), copied, bytes.slice(at + copied.length))
}

describe.each(COSIGNED_SCRIPTS)('what a hostile courier makes of a cosigner’s answer: %s', kind => {
  it('adds the signatures that were made, or nothing', async () => {
    const { worker, cosigners } = await startCosigned(kind, 40_000n, 30_000n)
    const recipients = [{ to: RECIPIENT, sats: '60000' }]
    const { planId, digest } = await worker.ui('planPayment', draft({ recipients }))
    const { psbt } = await worker.ui('getCosigning', { planId, digest })
    const sent = parsePsbt(fromHex(psbt))
    const prevouts = readPrevouts(sent, new Map())
    const answer = fromHex(cosigners.sign(0, cosigners.sign(1, psbt)))
    const made = new Set(signaturesOf(parsePsbt(answer)))
    expect(made.size).toBe(4)
    let taken = 0
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), changes => {
        const returned = changes.reduce(mutate, answer)
        let added: Psbt
        try {
          added = addCosignatures({ sent, returned, prevouts })
        } catch (error) {
          expect(error).toBeInstanceOf(ReturnedPsbtError)
          return
        }
        taken++
        const signatures = signaturesOf(added)
        expect(signatures.filter(one => !made.has(one))).toEqual([])
        // Without them it is what was sent, byte for byte.
        const without = { ...added.maps, inputs: sent.maps.inputs }
        expect(toHex(encodePsbt({ ...added, maps: without }))).toBe(psbt)
      }),
      { numRuns: 1_000 },
    )
    expect(taken).toBeGreaterThan(0)
  })
})

describe('the size of an input of many signers', () => {
  const keys = Array.from({ length: 20 }, (_, at) =>
    createDevice(new Uint8Array(32).fill(at + 1)).publicKeyAt("48'/1'/0'/2'/0/0"),
  )

  it.each([
    [1, 1],
    [15, 16],
    [16, 17],
    [17, 20],
    [20, 20],
  ])('is that of another library’s script: %i of %i', (threshold, count) => {
    const some = keys.slice(0, count)
    const sizeOf = (items: readonly number[]) =>
      items.reduce((size, item) => size + (item < 0xfd ? 1 : 3) + item, items.length < 0xfd ? 1 : 3)
    const multisig = script.compile([
      script.number.encode(threshold),
      ...some,
      script.number.encode(count),
      opcodes.OP_CHECKMULTISIG ?? 0,
    ])
    const signed = Array.from({ length: threshold }, () => 72)
    const p2wsh = sizeOfSpend(`p2wsh ${threshold} of ${count}`)
    expect(p2wsh).toEqual({ base: 41, witness: sizeOf([0, ...signed, multisig.length]) })
    expect(sizeOfSpend(`p2sh-p2wsh ${threshold} of ${count}`)).toEqual({ ...p2wsh, base: 76 })
    const leaf = p2tr_ms(
      threshold,
      some.map(key => key.slice(1)),
    )
    const places = some.map((_, at) => (at < threshold ? 64 : 0))
    expect(sizeOfSpend(`p2tr ${threshold} of ${count}`)).toEqual({
      ...{ base: 41, witness: sizeOf([...places, leaf.script.length, 33]) },
    })
  })
})

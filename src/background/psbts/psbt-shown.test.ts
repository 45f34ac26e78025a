import { Psbt } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOfScript } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { type BuiltInput, buildPsbt, LOCKS, lockOf } from '../../bitcoin/testing/psbt-building.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import {
  approveSigning,
  isSignedElsewhere,
  publishPrevious,
  startSigner,
  trySigning,
} from '../testing/psbt-site.ts'

/** What a random PSBT may hold: any coins, ours among them, with or without proof and sighash. */
const inputs = fc.record({
  type: fc.constantFrom(...LOCKS),
  ours: fc.boolean(),
  amount: fc.bigInt(1_000n, 1_000_000n),
  proof: fc.constantFrom('previous' as const, 'witness' as const, 'both' as const, 'none' as const),
  sighash: fc.constantFrom(undefined, undefined, 0, 1, 0x81, 0x83),
})
const outputs = fc.record({
  type: fc.constantFrom(...LOCKS),
  ours: fc.boolean(),
  amount: fc.bigInt(0n, 200_000n),
})
const shapes = fc.record({
  inputs: fc.array(inputs, { minLength: 1, maxLength: 5 }),
  outputs: fc.array(outputs, { minLength: 1, maxLength: 4 }),
  version: fc.constantFrom(0 as const, 2 as const),
  named: fc.boolean(),
})

describe('what a site gets', () => {
  it.each(ADDRESS_TYPES)(
    'is what was shown, for random PSBTs of a %s account',
    async type => {
      const site = await startSigner(type)
      const { key, account } = site
      let signed = 0
      let from = 0
      const property = fc.asyncProperty(shapes, async shape => {
        from += 10
        const keyOf = (ours: boolean) => (ours ? { key } : {})
        const built = buildPsbt({
          version: shape.version,
          from,
          inputs: shape.inputs.map(
            ({ ours, sighash, ...rest }, index): BuiltInput => ({
              ...rest,
              // Every PSBT has something to sign.
              ...(index === 0 && { type, proof: 'both' as const }),
              ...keyOf(ours || index === 0),
              ...(sighash !== undefined && { sighash }),
            }),
          ),
          outputs: shape.outputs.map(({ ours, ...rest }) => ({ ...rest, ...keyOf(ours) })),
        })
        publishPrevious(site, built)
        const toSignInputs = shape.inputs.flatMap(({ sighash }, index) =>
          index === 0
            ? { index, address: account.address, ...(sighash && { sighashTypes: [sighash] }) }
            : [],
        )
        const options = { autoFinalized: false, ...(shape.named && { toSignInputs }) }
        const asked = await trySigning(site, 'signPsbt', toHex(built.bytes), options)
        const { review, response } = asked
        if (!review || !('result' in response)) {
          // A refusal is one of those that are known.
          expect(asked).toMatchObject({
            review: null,
            response: { error: { code: expect.toBeOneOf([-32000, -32602]) } },
          })
          return
        }
        signed++
        const [item] = review.items
        const hex = String(response.result)

        // The facts as they were built, against the question.
        const mine = toHex(lockOf(type, key).script)
        const bare = toHex(lockOf('raw-p2tr', key).script)
        const isOurs = (script: Uint8Array) => toHex(script) === mine || toHex(script) === bare
        const spent = built.prevouts.map(prevout =>
          isOurs(prevout.scriptPubKey) ? prevout.amount : 0n,
        )
        const got = shape.outputs.map(({ type: lock, ours, amount }) =>
          toHex(lockOf(lock, ...(ours ? [key] : [])).script) === mine ? amount : 0n,
        )
        const total = (sats: bigint[]) => sats.reduce((sum, each) => sum + each, 0n)
        expect(item?.net.sats).toBe(String(total(got) - total(spent)))
        expect(item?.outputs.map(({ sats }) => sats)).toEqual(
          shape.outputs.map(({ amount }) => String(amount)),
        )

        // The signatures that came, against the question.
        const planned =
          item?.inputs.flatMap(({ state }, index) => (state === 'to-sign' ? index : [])) ?? []
        expect(planned).toContain(0)
        expect(hex.length).toBeGreaterThan(2 * built.bytes.length)
        if (shape.version === 0) {
          const result = Psbt.fromHex(hex)
          const carrying = result.data.inputs.flatMap(
            ({ partialSig, tapKeySig, tapScriptSig }, index) =>
              partialSig || tapKeySig || tapScriptSig ? index : [],
          )
          expect(carrying).toEqual(planned)
          // The other library knows only what the PSBT tells: of all inputs for taproot, else of the one; of a legacy one, whole.
          const told = result.data.inputs.flatMap(({ witnessUtxo, nonWitnessUtxo }, index) =>
            (witnessUtxo && type !== 'p2pkh') || (nonWitnessUtxo && type !== 'p2tr') ? index : [],
          )
          const needed = type === 'p2tr' ? [...result.data.inputs.keys()] : planned
          if (needed.every(index => told.includes(index)))
            expect(isSignedElsewhere(hex, ...planned)).toBe(true)
          const unsigned = Psbt.fromHex(toHex(built.bytes)).data.getTransaction()
          expect(toHex(result.data.getTransaction())).toBe(toHex(unsigned))
        }
      })
      await fc.assert(property, { numRuns: 75 })
      expect(signed).toBeGreaterThan(10)
    },
    120_000,
  )
})

describe('a recipient', () => {
  it('that only looks like a contact is pointed at, with the name of whom it passes for', async () => {
    const site = await startSigner()
    const known = addressOfScript(lockOf('p2wpkh').script, 'regtest') ?? ''
    await site.worker.ui('saveContact', { id: null, name: 'Ann', address: known })
    const forged = forge(lockOf('p2wpkh').script, known)
    const psbt = buildPsbt({
      inputs: [{ type: 'p2tr', key: site.key, amount: 10_000n }],
      outputs: [
        { type: 'p2wpkh', amount: 4_000n },
        { type: { script: forged }, amount: 5_000n },
      ],
    })
    const { review } = await approveSigning(site, 'signPsbt', toHex(psbt.bytes))
    const to = addressOfScript(forged, 'regtest')
    expect(review.items[0]?.outputs.map(({ name }) => name)).toEqual(['Ann', null])
    expect(review.items[0]?.warnings).toContainEqual({ kind: 'looks-like', to, known, name: 'Ann' })
  })
})

/** A script whose address has the ends of a known one: what an attacker reckons out in a second. */
function forge(script: Uint8Array, known: string): Uint8Array {
  for (let guess = 1; ; guess++) {
    const forged = Uint8Array.from(script)
    new DataView(forged.buffer).setUint32(10, guess)
    if (addressOfScript(forged, 'regtest')?.endsWith(known.slice(-3))) return forged
  }
}

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { equalBytes } from '../../bitcoin/bytes.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { fund } from '../../bitcoin/testing/funding.ts'
import { privateKeys } from '../../bitcoin/testing/keys.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { decodeTransaction, parseTransaction } from '../../bitcoin/transaction.ts'
import { assertEtching, type NewEtching } from '../runes/etching.ts'
import { commitmentOf, formatRuneName } from '../runes/rune-name.ts'
import { decipherRunestone } from '../runes/runestone.ts'
import { etchElsewhere } from '../testing/etching-oracle.ts'
import { accountOf, feeOf, spentBy } from '../testing/inscribings.ts'
import { parseEnvelopes } from './envelope.ts'
import { buildCommitmentLeaf, type EnvelopeContent } from './envelope-script.ts'
import { bumpReveals, signFeeBumpedReveals } from './fee-bumped-reveals.ts'
import { buildEtching, rebuildInscribing } from './inscribing.ts'
import { signInscribing } from './inscribing-signature.ts'
import { buildRefund, signRefund } from './refund.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** A block whose names have 13 letters or more, whatever they are. */
const HEIGHT = 1_000
const POEM: EnvelopeContent = {
  contentType: 'text/plain;charset=utf-8',
  body: new TextEncoder().encode('A rune has a poem'),
}

const aName = fc
  .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), { minLength: 13, maxLength: 26 })
  .chain(letters =>
    fc
      .nat({ max: 2 ** (letters.length - 1) - 1 })
      .map(spacers => ({ letters: letters.join(''), spacers })),
  )
  .map(({ letters, spacers }) => ({
    rune: [...letters].reduce(
      (sum, letter) => (sum + 1n) * 26n + BigInt(letter.charCodeAt(0) - 65),
      -1n,
    ),
    spacers,
  }))
const anAmount = fc.bigInt({ min: 1n, max: 2n ** 40n })
const anEtching: fc.Arbitrary<NewEtching> = fc.record({
  name: aName,
  divisibility: fc.nat({ max: 38 }),
  symbol: fc.constantFrom('$', '⧉', '🐶'),
  premine: fc.oneof(fc.constant(0n), anAmount),
  terms: fc.record({
    amount: anAmount,
    cap: anAmount,
    height: fc.constant({ start: null, end: null }),
    offset: fc.record({
      start: fc.constant(null),
      end: fc.option(fc.bigInt({ min: 1n, max: 1_000n })),
    }),
  }),
  turbo: fc.boolean(),
})

const situations = fc.record({
  key: privateKeys,
  addressType: fc.constantFrom(...ADDRESS_TYPES),
  etching: anEtching,
  content: fc.constantFrom(null, POEM),
  postage: fc.constantFrom(546n, 10_000n),
  feeRate: fc.integer({ min: 100, max: 20_000 }).map(milli => milli / 1000),
})

type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

function layOut({ key, addressType, ...rest }: Situation) {
  const account = accountOf(key, addressType)
  const { own } = account
  const { utxos, previous } = fund(key, addressType, [900_000n, 900_000n])
  const inscribing = buildEtching({ ...rest, own, utxos, seed: '' })
  const script = scriptPubKeyOf(own.publicKey, addressType)
  return { inscribing, account, utxos, previous, script }
}

describe('an etching', () => {
  it('is that of an independent index from the sixth confirmation of its commit on, with the premine on an own output', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(situations, async situation => {
        const { etching, content, postage } = situation
        assertEtching(etching, { network: 'regtest', height: HEIGHT })
        const { inscribing, account, previous, script } = layOut(situation)
        const { commit, reveals } = signInscribing(inscribing, account, previous)
        const [reveal] = reveals
        if (!reveal) throw new Error('nothing is revealed')
        const raws = { commit: commit.rawTx, reveal: reveal.rawTx }
        const early = await etchElsewhere(raws, { commitHeight: HEIGHT - 4, height: HEIGHT })
        expect(early.etchings).toEqual([])
        const told = await etchElsewhere(raws, { commitHeight: HEIGHT - 5, height: HEIGHT })
        expect(told.etchings).toMatchObject([
          {
            valid: true,
            runeName: formatRuneName(etching.name),
            symbol: etching.symbol,
            ...(etching.divisibility > 0 && { divisibility: etching.divisibility }),
            ...(etching.premine > 0n && { premine: etching.premine }),
            terms: { amount: etching.terms?.amount, cap: etching.terms?.cap },
          },
        ])
        const hasPremine = etching.premine > 0n
        const vout = hasPremine && content ? 1 : 0
        expect(told.balances).toEqual(hasPremine ? [{ vout, amount: etching.premine }] : [])
        const { outputs, inputs, version } = parseTransaction(reveal.rawTx)
        // What is spent is the account's again, but for the fee; the runestone comes last and has no sats.
        expect(outputs.at(-1)?.amount).toBe(0n)
        expect(outputs.slice(0, -1).map(({ amount }) => amount)).toEqual(
          Array(vout + 1).fill(postage),
        )
        for (const output of outputs.slice(0, -1))
          expect(equalBytes(output.scriptPubKey, script)).toBe(true)
        // `Sequence::from_height(Runestone::COMMIT_CONFIRMATIONS - 1)` and version 2, as ord's wallet has them.
        expect([version, ...inputs.map(({ sequence }) => sequence)]).toEqual([2, 5])
        seen.add(`${content === null ? 'bare' : 'inscribed'} ${hasPremine ? 'premine' : 'none'}`)
      }),
      { numRuns: 24, seed: 5 },
    )
    expect(seen.size).toBe(4)
  })

  it('pays the fee that was asked, of the size that it has', () => {
    fc.assert(
      fc.property(situations, situation => {
        const { inscribing, account, previous, utxos } = layOut(situation)
        const { commit, reveals } = signInscribing(inscribing, account, previous)
        const { rawTx } = reveals[0] ?? { rawTx: new Uint8Array() }
        const { vsize } = parseTransaction(rawTx)
        const fee = feeOf(spentBy(rawTx, [commit.rawTx], utxos), rawTx)
        expect(fee).toBe(feeForVsize(vsize, situation.feeRate))
        expect(inscribing.reveals).toMatchObject([{ fee, vsize }])
      }),
      { numRuns: 12 },
    )
  })

  it('carries the name in its inscription, by the tag that ord has for that', () => {
    const [situation] = fc.sample(situations, { numRuns: 1, seed: 1 })
    if (!situation) throw new Error('no situation')
    const { inscribing, account, previous } = layOut({ ...situation, content: POEM })
    const { reveals } = signInscribing(inscribing, account, previous)
    const witnesses = reveals.flatMap(({ rawTx }) =>
      decodeTransaction(rawTx).ins.map(({ witness }) => witness),
    )
    const [envelope, ...others] = parseEnvelopes(witnesses)
    expect(others).toEqual([])
    expect(envelope?.fields.rune).toEqual(commitmentOf(situation.etching.name.rune))
    expect(envelope?.fields.body).toEqual(POEM.body)
    expect(envelope).toMatchObject({
      pushnum: false,
      duplicateField: false,
      incompleteField: false,
    })
  })

  it('has a leaf without an inscription where nothing is inscribed', () => {
    const key = new Uint8Array(32).fill(3)
    // <key> OP_CHECKSIG OP_FALSE OP_IF <100> OP_ENDIF
    expect([...buildCommitmentLeaf(key, Uint8Array.of(100))]).toEqual([
      32,
      ...key,
      0xac,
      0,
      0x63,
      1,
      100,
      0x68,
    ])
    expect(() => buildCommitmentLeaf(new Uint8Array(33), Uint8Array.of(1))).toThrow(RangeError)
  })

  it('etches the same with a higher fee, and its money can be taken back at once', async () => {
    await fc.assert(
      fc.asyncProperty(situations, async situation => {
        const { key, etching } = situation
        const { inscribing, account, utxos, previous } = layOut(situation)
        const { own } = account
        const { commit } = signInscribing(inscribing, account, previous)
        const feeRate = situation.feeRate + 10
        const bumped = bumpReveals({
          ...{ inscribing, commitTxid: commit.txid, waiting: [0], replaced: [null] },
          ...{ parentCoin: null, own, feeRate },
          utxos: utxos.slice(1),
        })
        const [raised] = signFeeBumpedReveals(bumped, account)
        const rebuilt = signInscribing(
          rebuildInscribing({ before: inscribing, evictedFee: 0n, utxos, own, feeRate, seed: '' }),
          account,
          previous,
        )
        for (const raws of [
          { commit: commit.rawTx, reveal: raised?.rawTx ?? new Uint8Array() },
          { commit: rebuilt.commit.rawTx, reveal: rebuilt.reveals[0]?.rawTx ?? new Uint8Array() },
        ]) {
          const told = await etchElsewhere(raws, { commitHeight: HEIGHT - 5, height: HEIGHT })
          expect(told.etchings).toMatchObject([
            { valid: true, runeName: formatRuneName(etching.name) },
          ])
          expect(told.balances.map(({ amount }) => amount)).toEqual(
            etching.premine > 0n ? [etching.premine] : [],
          )
          expect(parseTransaction(raws.reveal).inputs[0]?.sequence).toBe(5)
        }
        const refund = signRefund(
          buildRefund({
            inscribing,
            commitTxid: commit.txid,
            left: [0],
            replaced: [],
            own,
            feeRate: 1,
          }),
          key,
        )
        const { inputs, outputs } = parseTransaction(refund.rawTx)
        expect(inputs.map(({ sequence }) => sequence)).toEqual([0xfffffffd])
        expect(decipherRunestone(outputs.map(({ scriptPubKey }) => scriptPubKey)).kind).toBe('none')
      }),
      { numRuns: 8 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { FeeBumpError } from '../../bitcoin/payments/fee-bump.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import { fund } from '../../bitcoin/testing/funding.ts'
import { spendOf } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { commitmentOf, parseRuneName } from '../runes/rune-name.ts'
import {
  accountOf,
  feeOf,
  layOut,
  type Situation,
  situations,
  spentBy,
} from '../testing/inscribings.ts'
import { findCommitOutputs, type KnownLeaf } from './commit-recovery.ts'
import { buildEtching, rebuildInscribing } from './inscribing.ts'
import { signInscribing } from './inscribing-signature.ts'
import { layOutRefund, signRefund } from './refund.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** What somebody knows who has no record of the job. */
function listKnown({ items }: Situation, parent: string | null): KnownLeaf[] {
  return items.map(content => ({
    kind: 'content',
    content: { ...content, ...(parent && { parents: [parent as `${string}i${number}`] }) },
  }))
}

describe('the outputs of a commit', () => {
  it('are found by the account’s key, the commit and the content alone, also of one that took the place of another', () => {
    fc.assert(
      fc.property(situations, fc.boolean(), (situation, isReplaced) => {
        const { inscribing: first, own, account, previous, parent, utxos } = layOut(situation)
        const terms = { before: first, evictedFee: 0n, utxos, own, seed: 'anew' }
        const feeRate = Math.ceil(first.commit.feeRate) + 2
        const made = isReplaced ? rebuildInscribing({ ...terms, feeRate }) : first
        const { commit } = signInscribing(made, account, previous)
        const found = findCommitOutputs({
          commit: parseTransaction(commit.rawTx),
          baseKey: own.publicKey,
          leaves: listKnown(situation, parent?.id ?? null),
        })
        const { length } = situation.items
        const vouts = [...Array(parent ? 2 * length : length).keys()]
        expect(found.inputs.map(({ vout }) => vout)).toEqual(vouts)
        const refund = layOutRefund({ ...found, replaced: [], own, feeRate: 1 })
        const { rawTx } = signRefund(refund, situation.key)
        const { outputs } = parseTransaction(rawTx)
        const { script } = spendOf(own.addressType, own.publicKey)
        expect(outputs.map(({ scriptPubKey }) => toHex(scriptPubKey))).toEqual([toHex(script)])
        expect(feeOf(spentBy(rawTx, [commit.rawTx], []), rawTx)).toBe(refund.fee)
      }),
      { numRuns: 20 },
    )
  })

  it('are found by the hashes of the leaves, too', () => {
    const [situation] = fc.sample(situations, { numRuns: 1, seed: 11 })
    if (!situation) throw new Error('no situation')
    const { inscribing, own, account, previous } = layOut(situation)
    const { commit } = signInscribing(inscribing, account, previous)
    const leaves = inscribing.reveals.map(
      ({ leaf }): KnownLeaf => ({ kind: 'leaf-hash', hash: leafHash(leaf) }),
    )
    const parsed = parseTransaction(commit.rawTx)
    const found = findCommitOutputs({ commit: parsed, baseKey: own.publicKey, leaves })
    expect(found.nonce).toEqual(inscribing.nonce)
    expect(found.inputs.length).toBeGreaterThanOrEqual(leaves.length)
  })

  it('are not found with other content, or another account’s key', () => {
    const [situation] = fc.sample(situations, { numRuns: 1, seed: 12 })
    if (!situation) throw new Error('no situation')
    const { inscribing, own, account, previous } = layOut({ ...situation, hasParent: false })
    const commit = parseTransaction(signInscribing(inscribing, account, previous).commit.rawTx)
    const leaves = listKnown(situation, null)
    const [item] = situation.items
    const other: KnownLeaf = { kind: 'content', content: { ...item, contentType: 'text/html' } }
    const find = (known: readonly KnownLeaf[], baseKey = own.publicKey) =>
      findCommitOutputs({ commit, baseKey, leaves: known }).inputs
    expect(find(leaves)).toHaveLength(leaves.length)
    expect(find([other])).toEqual([])
    expect(find(leaves, publicKeyOf(new Uint8Array(32).fill(9)))).toEqual([])
  })

  it('of an etching are found by the name of the rune, with or without an inscription', () => {
    const key = new Uint8Array(32).fill(0x31)
    const { utxos, previous } = fund(key, 'p2wpkh', [500_000n])
    const account = accountOf(key, 'p2wpkh')
    const { own } = account
    const name = parseRuneName('SATCHELTESTRUNE') ?? { rune: 0n, spacers: 0 }
    const etching = { name, divisibility: 0, symbol: '$', premine: 5n, terms: null, turbo: false }
    const content = { contentType: 'text/plain', body: Uint8Array.of(1) }
    const commitment = commitmentOf(name.rune)
    for (const inscribed of [null, content]) {
      const inscribing = buildEtching({
        ...{ etching, content: inscribed, postage: 546n, utxos, own, feeRate: 3, seed: '' },
      })
      const { commit } = signInscribing(inscribing, account, previous)
      const leaf: KnownLeaf = inscribed
        ? { kind: 'content', content: { ...inscribed, rune: commitment } }
        : { kind: 'rune', commitment }
      const parsed = parseTransaction(commit.rawTx)
      const found = findCommitOutputs({ commit: parsed, baseKey: own.publicKey, leaves: [leaf] })
      expect(found.inputs.map(({ vout }) => vout)).toEqual([0])
    }
  })

  it('are taken back at no less than what replaces the reveals that spend them', () => {
    const [situation] = fc.sample(situations, { numRuns: 1, seed: 13 })
    if (!situation) throw new Error('no situation')
    const { inscribing, own, account, previous, parent } = layOut({
      ...situation,
      postage: 10_000n,
    })
    const { commit } = signInscribing(inscribing, account, previous)
    const found = findCommitOutputs({
      commit: parseTransaction(commit.rawTx),
      baseKey: own.publicKey,
      leaves: listKnown(situation, parent?.id ?? null),
    })
    const replaced = inscribing.reveals
    expect(() => layOutRefund({ ...found, replaced, own, feeRate: 0.1 })).toThrow(FeeBumpError)
  })
})

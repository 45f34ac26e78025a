import { p2tr, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { OutOrdinalReveal, p2tr_ord_reveal } from 'micro-ordinals'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { spendOf } from '../../bitcoin/testing/spending.ts'
import { accountOf, layOut, type Situation, situations } from '../testing/inscribings.ts'
import { noise } from '../testing/noise.ts'
import { deriveInscribingPrivateKey } from './inscribing-key.ts'
import { signInscribing } from './inscribing-signature.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** The reveal of an item as an independent library makes it from the content alone. */
function revealByOracle(
  situation: Situation,
  item: number,
  nonce: Uint8Array,
  commit: { txid: string; amount: bigint },
) {
  const { key, postage, addressType } = situation
  const inscribingKey = deriveInscribingPrivateKey(key, nonce)
  const xOnly = publicKeyOf(inscribingKey).slice(1)
  const { contentType, body } = situation.items[item] ?? { contentType: '', body: xOnly }
  const script = p2tr_ord_reveal(xOnly, [{ tags: { contentType }, body }])
  const customScripts = [OutOrdinalReveal]
  // The leaf alone is told: with the internal key, which is its key too, the library would take the shorter way.
  const { tapLeafScript = [], ...payment } = p2tr(xOnly, script, undefined, false, customScripts)
  const transaction = new Transaction({ version: 2, customScripts, allowUnknownOutputs: true })
  transaction.addInput({
    tapLeafScript,
    txid: commit.txid,
    index: item,
    sequence: 0xfffffffd,
    witnessUtxo: { script: payment.script, amount: commit.amount },
  })
  transaction.addOutput({
    script: spendOf(addressType, publicKeyOf(key)).script,
    amount: postage,
  })
  transaction.sign(inscribingKey, undefined, new Uint8Array(32))
  transaction.finalize()
  return { hex: transaction.hex, script: payment.script }
}

describe('signed reveals', () => {
  it('are byte for byte those of an independent library, for any content and account', () => {
    fc.assert(
      fc.property(situations, sample => {
        const situation = { ...sample, hasParent: false }
        const { inscribing, account, previous } = layOut(situation)
        const { commit, reveals } = signInscribing(inscribing, account, previous)
        for (const [k, { rawTx }] of reveals.entries()) {
          const { amount, scriptPubKey } = inscribing.commit.outputs[k] ?? { amount: 0n }
          const expected = revealByOracle(situation, k, inscribing.nonce, {
            txid: commit.txid,
            amount,
          })
          expect(toHex(rawTx)).toBe(expected.hex)
          expect(scriptPubKey && toHex(scriptPubKey)).toBe(toHex(expected.script))
        }
      }),
      { numRuns: 15 },
    )
  })

  it('never print the account’s own key', () => {
    const [situation] = fc.sample(situations, { numRuns: 1, seed: 7 })
    if (!situation) throw new Error('no situation')
    const taproot = { ...situation, addressType: 'p2tr' as const, hasParent: true }
    const { inscribing, own, account, previous } = layOut(taproot)
    const { commit, reveals } = signInscribing(inscribing, account, previous)
    for (const { rawTx } of [commit, ...reveals])
      expect(toHex(rawTx)).not.toContain(toHex(own.publicKey.subarray(1)))
  })

  it('are refused for another account’s key, another nonce, and amounts or sizes that are not as said', () => {
    const [situation] = fc.sample(situations, { numRuns: 1, seed: 8 })
    if (!situation) throw new Error('no situation')
    const { inscribing, previous } = layOut({ ...situation, hasParent: true })
    const { reveals } = inscribing
    const sign = (changed: object, key = situation.key) => {
      const account = accountOf(key, situation.addressType)
      const { commit } = signInscribing({ ...inscribing, ...changed }, account, previous)
      return commit.txid
    }
    expect(sign({})).toMatch(/^[0-9a-f]{64}$/)
    expect(() => sign({}, new Uint8Array(32).fill(9))).toThrow('not of this key')
    expect(() => sign({ nonce: noise(32, 1) })).toThrow('not of this account and inscribing')
    for (const [changed, why] of [
      [{ fee: 1n }, 'not the fee'],
      [{ vsize: 1 }, 'were reckoned'],
      [{ leaf: noise(80, 1) }, 'not of this account and inscribing'],
    ] as const)
      expect(() => sign({ reveals: reveals.map(one => ({ ...one, ...changed })) })).toThrow(why)
    expect(() => sign({ postage: 547n })).toThrow('not the fee')
  })
})

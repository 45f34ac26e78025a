import { Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildPsbt, FOREIGN_KEY } from '../testing/psbt-building.ts'
import { ACCOUNTS } from '../testing/signable-psbts.ts'
import { PERMISSIVE } from '../testing/signature-oracle.ts'
import { finalizableLocks, signCoins } from '../testing/signed-psbt.ts'
import { extractTransaction } from './extract.ts'
import { finalizePsbt } from './finalize.ts'
import { planSigning } from './plan.ts'
import { readPrevouts } from './prevouts.ts'
import { encodePsbt, parsePsbt, withInputs } from './psbt.ts'
import { reviewPsbt } from './review.ts'
import { signPsbt } from './sign.ts'
import { checkSignatures } from './signatures.ts'

const KEYS: [Uint8Array, Uint8Array, Uint8Array] = [
  new Uint8Array(32).fill(0x61),
  new Uint8Array(32).fill(0x62),
  new Uint8Array(32).fill(0x63),
]

function reviewOf(bytes: Uint8Array) {
  const psbt = parsePsbt(bytes)
  const prevouts = readPrevouts(psbt, new Map())
  const signatures = checkSignatures(psbt, prevouts)
  return reviewPsbt({ psbt, prevouts, plan: [], own: ACCOUNTS, signatures })
}

/** Any other script can be opened by witnesses of other sizes, which no signature of ours covers. */
const FORCED = ['p2pkh', 'p2wpkh']

/** With these no other way of spending is smaller. */
const SMALLEST = ['p2tr', 'p2tr beside leaves', 'one leaf', 'leaf with an envelope']

describe('the size of a transaction that is not signed yet', () => {
  it.each(Object.entries(finalizableLocks(KEYS)))(
    'is near what it will be for %s, and what the flow shows once that is final',
    (name, lock) => {
      const { bytes, signed } = signCoins([lock, lock], KEYS)
      const unsigned = parsePsbt(bytes)
      const withoutSignatures = withInputs(
        unsigned,
        new Map([0, 1].map(i => [i, { partialSigs: [], tapKeySig: null, tapScriptSigs: [] }])),
      )
      const prevouts = readPrevouts(unsigned, new Map())
      const estimate = reviewPsbt({
        psbt: withoutSignatures,
        prevouts,
        plan: [],
        own: ACCOUNTS,
        signatures: checkSignatures(withoutSignatures, prevouts),
      })
      signed.finalize()
      const final = reviewOf(signed.toPSBT())
      const { vsize } = Transaction.fromRaw(signed.extract(), PERMISSIVE)
      const vsizeExact = FORCED.includes(name)
      expect(final).toMatchObject({ vsize, vsizeExact, after: 'complete' })
      expect(estimate).toMatchObject({ vsizeExact: false, after: 'needs-others' })
      // Nobody knows yet which way of spending a taproot output, or what sizes of signatures, there will be.
      expect(Math.abs(estimate.vsize - vsize)).toBeLessThan(vsize / 2)
      expect(final.leastVsize).toBeLessThanOrEqual(vsize)
      if (SMALLEST.includes(name)) expect(estimate.leastVsize).toBe(vsize)
    },
  )

  it('is exact for own addresses of every kind together', () => {
    const account = fc.constantFrom(...ACCOUNTS)
    fc.assert(
      fc.property(fc.array(account, { minLength: 1, maxLength: 5 }), owners => {
        const { bytes } = buildPsbt({
          inputs: owners.map(({ addressType: type, privateKey: key }) => ({
            type,
            key,
            amount: 50_000n,
            proof: 'previous',
          })),
          outputs: [{ type: 'p2wpkh', key: FOREIGN_KEY, amount: 40_000n }],
        })
        const signed = ACCOUNTS.reduce((psbt, account) => {
          const prevouts = readPrevouts(psbt, new Map())
          if (!owners.includes(account)) return psbt
          const plan = planSigning({ psbt, prevouts, key: account, inputs: null, expert: false })
          return signPsbt({ psbt, prevouts, plan, ...account })
        }, parsePsbt(bytes))
        const final = finalizePsbt(signed, readPrevouts(signed, new Map()), [...owners.keys()])
        const { vsize } = Transaction.fromRaw(extractTransaction(final), PERMISSIVE)
        for (const psbt of [bytes, encodePsbt(signed), encodePsbt(final)])
          expect(reviewOf(psbt)).toMatchObject({ vsize, vsizeExact: true })
      }),
      { numRuns: 30 },
    )
  })

  it('counts the byte of a sighash that taproot has to write out', () => {
    const [account] = ACCOUNTS
    if (!account) throw new Error('no account')
    const sizes = [null, 1].map(sighash => {
      const { bytes, previous } = buildPsbt({
        inputs: Array.from({ length: 8 }, () => ({
          type: 'p2tr' as const,
          key: account.privateKey,
          amount: 5000n,
          ...(sighash !== null && { sighash }),
        })),
        outputs: [{ type: 'p2tr', amount: 1000n }],
      })
      const psbt = parsePsbt(bytes)
      const prevouts = readPrevouts(psbt, previous)
      const plan = planSigning({ psbt, prevouts, key: account, inputs: null, expert: false })
      const signatures = checkSignatures(psbt, prevouts)
      return reviewPsbt({ psbt, prevouts, plan, own: ACCOUNTS, signatures }).vsize
    })
    expect(sizes).toEqual([sizes[0], (sizes[0] ?? 0) + 2])
  })
})

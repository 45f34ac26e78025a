import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { FeeBumpError } from '../../bitcoin/payments/fee-bump.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund } from '../../bitcoin/testing/funding.ts'
import { spendOf } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import {
  accountOf,
  feeOf,
  layOut,
  type Situation,
  situations,
  spentBy,
} from '../testing/inscribings.ts'
import { walkSat } from '../testing/sat-walk.ts'
import {
  bumpReveals,
  type ChangeScripts,
  leastBumpFeeRate,
  signFeeBumpedReveals,
} from './fee-bumped-reveals.ts'
import { signInscribing } from './inscribing-signature.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const sent = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })
const FRESH = [80_000n, 70_000n, 60_000n, 50_000n]

/** Signed reveals, and those of them that wait, fee-bumped with coins that were not there before. */
function bump(
  situation: Situation,
  { first, isSent, more }: { first: number; isSent: readonly boolean[]; more: number },
  fresh: readonly bigint[] = FRESH,
) {
  const { inscribing, own, account, previous, utxos, parent } = layOut(situation)
  const { key, addressType } = situation
  const { commit, reveals } = signInscribing(inscribing, account, previous)
  const before = reveals[first - 1]
  const coins = fund(key, addressType, fresh, 9_000).utxos
  const receiver = coins[0]?.scriptPubKey ?? new Uint8Array()
  const moved = before && parent && { ...parent.coin, txid: before.txid, vout: 1, height: 120 }
  const waiting = [...reveals.keys()].slice(first)
  const replaced = waiting.map(k => {
    const { fee = 0n, vsize = 0 } = inscribing.reveals[k] ?? {}
    return isSent[k] ? { fee, vsize } : null
  })
  const feeRate = Math.round((leastBumpFeeRate(inscribing, replaced) + more / 1000) * 1000) / 1000
  const terms = {
    inscribing,
    commitTxid: commit.txid,
    waiting,
    replaced,
    parentCoin: moved ?? parent?.coin ?? null,
    utxos: coins,
    own,
    feeRate,
  }
  const raws = [commit, ...reveals].map(({ rawTx }) => rawTx)
  return { account, terms, coins, utxos, parent, raws, receiver, bumped: bumpReveals(terms) }
}

describe('fee-bumped reveals', () => {
  it('spend and pay what the first ones did, and pay the rate and for what they drive out', () => {
    const seen = { parent: 0, replaced: 0, chained: 0 }
    const pick = fc.record({
      first: fc.nat({ max: 3 }),
      isSent: sent,
      more: fc.nat({ max: 9_000 }),
    })
    fc.assert(
      fc.property(situations, pick, (situation, { first, ...rest }) => {
        const { postage, items } = situation
        const from = first % items.length
        const made = bump(situation, { first: from, ...rest })
        const { account, terms, coins, parent, raws, bumped } = made
        const signed = signFeeBumpedReveals(bumped, account)
        const known = [...raws, ...signed.map(({ rawTx }) => rawTx)]
        const confirmed = new Set(coins.map(formatOutpoint))
        const total = terms.replaced.reduce((sum, one) => sum + (one?.fee ?? 0n), 0n)
        for (const [i, { rawTx }] of signed.entries()) {
          const plan = bumped.reveals[i]
          const inputs = spentBy(rawTx, known, parent ? [...coins, parent.coin] : coins)
          const { outputs, vsize } = parseTransaction(rawTx)
          const fee = feeOf(inputs, rawTx)
          expect(plan).toMatchObject({ item: from + i, fee, vsize })
          expect(fee).toBeGreaterThanOrEqual(feeForVsize(vsize, terms.feeRate))
          const evicted = parent ? (i === 0 ? total : 0n) : (terms.replaced[i]?.fee ?? 0n)
          if (evicted > 0n) expect(fee - evicted).toBeGreaterThanOrEqual(BigInt(vsize))
          const fixed = parent ? 3 : 1
          expect(inputs[0]).toMatchObject({ txid: terms.commitTxid, vout: from + i })
          expect(outputs[0]?.amount).toBe(postage)
          expect(walkSat({ inputs, outputs }, 0, 0n)).toEqual({ output: 0, offset: 0n })
          if (parent) {
            expect(outputs[1]?.amount).toBe(parent.coin.amount)
            expect(walkSat({ inputs, outputs }, 1, 0n)).toEqual({ output: 1, offset: 0n })
            expect(inputs[2]).toMatchObject({
              txid: terms.commitTxid,
              vout: items.length + from + i,
            })
            seen.parent++
          }
          const added = inputs.slice(fixed)
          if (terms.replaced[i] && !parent) {
            expect(added.every(coin => confirmed.has(formatOutpoint(coin)))).toBe(true)
            seen.replaced++
          }
          if (added.some(coin => !confirmed.has(formatOutpoint(coin)))) seen.chained++
          expect([null, outputs.length - 1]).toContain(plan?.changeIndex)
        }
        const spent = signed.flatMap(({ rawTx }) => parseTransaction(rawTx).inputs)
        expect(new Set(spent.map(formatOutpoint)).size).toBe(spent.length)
      }),
      { numRuns: 40 },
    )
    expect(Math.min(seen.parent, seen.replaced, seen.chained)).toBeGreaterThan(0)
  })

  const [sample] = fc.sample(situations, { numRuns: 1, seed: 3 })
  if (!sample) throw new Error('no situation')
  const two: Situation = {
    ...sample,
    hasParent: false,
    feeRate: 2,
    items: [0, 1].map(n => ({
      contentType: 'text/plain',
      body: Uint8Array.of(n),
    })),
  }

  it('share one coin where there is but one: the second waits for the change of the first', () => {
    const { bumped } = bump(two, { first: 0, isSent: [true, true], more: 5_000 }, [40_000n])
    expect(bumped.reveals.map(({ inputs }) => inputs.at(-1)?.of)).toEqual([expect.any(String), 0])
  })

  describe('of an account of many addresses', () => {
    const keys = [31, 32, 33].map(fill => new Uint8Array(32).fill(fill))
    const [kept = two.key, ...others] = keys
    const scriptOf = (key: Uint8Array) => spendOf(two.addressType, publicKeyOf(key)).script
    const fresh = others.map(scriptOf)

    /** The scripts of all changes, of reveals that are signed with the keys of these addresses too. */
    function changesOf(scripts: ChangeScripts, coins: readonly bigint[], isSent = [true, true]) {
      const { terms } = bump(two, { first: 0, isSent, more: 5_000 }, coins)
      const bumped = bumpReveals({ ...terms, changeScripts: scripts })
      const account = accountOf(two.key, two.addressType)
      const further = keys.map(privateKey => ({ privateKey, addressType: two.addressType }))
      const signed = signFeeBumpedReveals(bumped, {
        ...account,
        keys: [...account.keys, ...further],
      })
      return signed.map(({ rawTx }, at) => {
        const { outputs } = parseTransaction(rawTx)
        return toHex(
          outputs[bumped.reveals[at]?.changeIndex ?? -1]?.scriptPubKey ?? new Uint8Array(),
        )
      })
    }

    it('have change at an address each, and back at that of the one before where it has one', () => {
      const none = [null, null]
      const coins = [60_000n, 50_000n]
      expect(changesOf({ kept: none, fresh }, coins)).toEqual(fresh.map(toHex))
      const second = { kept: [null, scriptOf(kept)], fresh }
      expect(changesOf(second, coins)).toEqual(
        [fresh[0], scriptOf(kept)].map(one => toHex(one ?? kept)),
      )
      const first = { kept: [scriptOf(kept), null], fresh }
      expect(changesOf(first, coins)).toEqual(
        [scriptOf(kept), fresh[0]].map(one => toHex(one ?? kept)),
      )
    })

    it('share the last address where there are not enough', () => {
      const [one = kept] = fresh
      const changes = changesOf({ kept: [null, null], fresh: [one] }, [60_000n, 50_000n])
      expect(changes).toEqual([one, one].map(toHex))
    })

    it('pass change on through addresses of their own where one coin pays for all', () => {
      const changes = changesOf({ kept: [null, null], fresh }, [60_000n], [false, false])
      expect(changes).toEqual(fresh.map(toHex))
    })
  })

  it('are refused without money, and below the least fee rate', () => {
    const waiting = { first: 0, isSent: [true, false], more: 0 }
    expect(() => bump(two, waiting, [400n])).toThrow(InsufficientFundsError)
    expect(() => bump(two, waiting, [])).toThrow(InsufficientFundsError)
    expect(() => bump(two, { ...waiting, more: -1 })).toThrow(FeeBumpError)
  })
})

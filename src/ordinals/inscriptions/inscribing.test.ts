import { Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { FeeBumpError } from '../../bitcoin/payments/fee-bump.ts'
import { DustError } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund } from '../../bitcoin/testing/funding.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import {
  accountOf,
  feeOf,
  layOut,
  leavesOf,
  situations,
  spentBy,
  TEXTS,
} from '../testing/inscribings.ts'
import { noise } from '../testing/noise.ts'
import { walkSat } from '../testing/sat-walk.ts'
import {
  buildInscribing,
  InscribingLimitError,
  leastRebuildFeeRate,
  listCommitAddresses,
  rebuildInscribing,
} from './inscribing.ts'
import { nonceOfCommit } from './inscribing-key.ts'
import { signInscribing } from './inscribing-signature.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const KEY = new Uint8Array(32).fill(0x21)

/** One account with a coin of 1 BTC. */
function terms(addressType: (typeof ADDRESS_TYPES)[number] = 'p2tr') {
  const { utxos, previous } = fund(KEY, addressType, [100_000_000n])
  const own = { publicKey: publicKeyOf(KEY), addressType }
  return { utxos, own, previous, parent: null, postage: 546n, feeRate: 7, seed: '' }
}

describe('inscribing', () => {
  it('two texts from a taproot coin at 7 sat/vB takes the fees 973, 973 and 1379', () => {
    const { commit, reveals } = buildInscribing({ ...terms(), items: TEXTS })
    expect(reveals.map(({ fee, vsize }) => [fee, vsize])).toEqual([
      [973n, 139],
      [973n, 139],
    ])
    expect([commit.fee, commit.vsize]).toEqual([1379n, 197])
    expect(commit.outputs.map(({ amount }) => amount)).toEqual([
      1519n,
      1519n,
      100_000_000n - 2n * 1519n - 1379n,
    ])
    expect(commit.changeIndex).toBe(2)
  })

  it('names the address of every leaf’s output', () => {
    const addresses = listCommitAddresses(buildInscribing({ ...terms(), items: TEXTS }), 'regtest')
    expect(addresses).toHaveLength(2)
    for (const address of addresses) expect(address).toMatch(/^bcrt1p[0-9a-z]{58}$/)
  })

  it('pays to the sat what was asked, and puts each inscription on the first sat of its own output', () => {
    const seen = { parent: 0, none: 0 }
    fc.assert(
      fc.property(situations, situation => {
        const { inscribing, account, previous, utxos, parent } = layOut(situation)
        const { postage, feeRate } = situation
        const { commit, reveals } = signInscribing(inscribing, account, previous)
        const coins = parent ? [...utxos, parent.coin] : utxos
        const raws = [commit.rawTx, ...reveals.map(({ rawTx }) => rawTx)]
        for (const [k, { rawTx }] of reveals.entries()) {
          const { outputs, vsize, version, inputs } = parseTransaction(rawTx)
          const spent = spentBy(rawTx, raws, coins)
          const fee = feeOf(spent, rawTx)
          const asked = feeForVsize(vsize, feeRate)
          // The coin that pays the fee beside a parent is at least 330 sats.
          expect(fee).toBe(parent && asked < 330n ? 330n : asked)
          expect(inscribing.reveals[k]).toMatchObject({ fee, vsize, amount: spent[0]?.amount })
          expect([version, ...inputs.map(({ sequence }) => sequence)]).toEqual([
            2,
            ...inputs.map(() => 0xfffffffd),
          ])
          expect(spent[0]).toMatchObject({ txid: commit.txid, vout: k })
          expect(outputs.map(({ amount }) => amount)).toEqual(
            parent ? [postage, parent.coin.amount] : [postage],
          )
          const dealt = { inputs: spent, outputs }
          expect(walkSat(dealt, 0, 0n)).toEqual({ output: 0, offset: 0n })
          if (!parent) continue
          const last = parent.coin.amount - 1n
          expect(walkSat(dealt, 1, 0n)).toEqual({ output: 1, offset: 0n })
          expect(walkSat(dealt, 1, last)).toEqual({ output: 1, offset: last })
        }
        const fee = feeOf(spentBy(commit.rawTx, [], utxos), commit.rawTx)
        expect(fee).toBe(inscribing.commit.fee)
        expect(fee).toBeGreaterThanOrEqual(feeForVsize(commit.vsize, feeRate))
        if (inscribing.commit.changeIndex !== null)
          expect(fee).toBe(feeForVsize(commit.vsize, feeRate))
        seen[parent ? 'parent' : 'none']++
      }),
      { numRuns: 30 },
    )
    expect(Math.min(seen.parent, seen.none)).toBeGreaterThan(0)
  })

  it('never spends the coin of the parent for the commit', () => {
    const { utxos, ...rest } = terms()
    const [coin] = fund(KEY, 'p2tr', [90_000_000n], 50).utxos
    if (!coin) throw new Error('no coin')
    const parent = { id: `${coin.txid}i0`, coin }
    const { commit } = buildInscribing({ ...rest, utxos: [...utxos, coin], parent, items: TEXTS })
    expect(commit.inputs.map(formatOutpoint)).not.toContain(formatOutpoint(coin))
    expect(() => buildInscribing({ ...rest, utxos: [coin], parent, items: TEXTS })).toThrow(
      InsufficientFundsError,
    )
  })

  it('takes 24 reveals, 400,000 weight units in one and 101 kvB in all, and names what is more', () => {
    const build = (...sizes: number[]) =>
      buildInscribing({
        ...terms(),
        feeRate: 0.1,
        items: sizes.map(size => ({ contentType: 'image/png', body: noise(size, size) })),
      })
    const limitOf = (...sizes: number[]) => {
      try {
        return build(...sizes).reveals.length
      } catch (error) {
        if (!(error instanceof InscribingLimitError)) throw error
        return [error.limit, error.got, error.allowed]
      }
    }
    expect(limitOf(...Array.from({ length: 24 }, () => 5))).toBe(24)
    expect(limitOf(...Array.from({ length: 25 }, () => 5))).toEqual(['reveals', 25, 24])
    expect(limitOf(390_000)).toBe(1)
    expect(limitOf(398_000)).toEqual(['weight', expect.any(Number), 400_000])
    expect(limitOf(390_000, 9_000)).toBe(2)
    expect(limitOf(390_000, 12_000)).toEqual(['size', expect.any(Number), 101_000])
    expect(() => build()).toThrow(RangeError)
  })

  it('takes a reveal up to the last of 400,000 weight units, as it is signed', () => {
    const { previous, ...rest } = terms()
    const build = (size: number) =>
      buildInscribing({ ...rest, feeRate: 0.1, items: [{ body: noise(size, 1) }] })
    let [most, tooMuch] = [390_000, 400_000]
    while (tooMuch - most > 1) {
      const size = Math.floor((most + tooMuch) / 2)
      try {
        build(size)
        most = size
      } catch (error) {
        if (!(error instanceof InscribingLimitError)) throw error
        tooMuch = size
      }
    }
    const [reveal] = signInscribing(build(most), accountOf(KEY, 'p2tr'), previous).reveals
    const raw = Transaction.fromRaw(reveal?.rawTx ?? KEY, { allowUnknownOutputs: true })
    expect(raw.weight).toBeGreaterThan(399_990)
    expect(raw.weight).toBeLessThanOrEqual(400_000)
  })

  it.each(ADDRESS_TYPES)(
    'with postage below what a %s address may hold is refused',
    addressType => {
      const [coin] = fund(KEY, addressType, [1n]).utxos
      const limit = dustLimit(coin?.scriptPubKey ?? KEY)
      const build = (postage: bigint) =>
        buildInscribing({ ...terms(addressType), postage, items: TEXTS }).postage
      expect(build(limit)).toBe(limit)
      expect(() => build(limit - 1n)).toThrow(DustError)
    },
  )

  it('without the money is refused, with what is needed', () => {
    const { utxos } = fund(KEY, 'p2tr', [4_000n])
    try {
      buildInscribing({ ...terms(), utxos, items: TEXTS })
      expect.unreachable()
    } catch (error) {
      if (!(error instanceof InsufficientFundsError)) throw error
      expect([error.needed, error.available]).toEqual([2n * 1519n + 1379n - 43n * 7n, 4_000n])
    }
  })
})

describe('inscribing built anew', () => {
  it('has the same leaves and all coins of the first, and pays for all that it drives out and for itself', () => {
    fc.assert(
      fc.property(situations, fc.nat({ max: 5_000 }), fc.boolean(), (situation, more, isSent) => {
        const { inscribing: before, own, account, previous, utxos } = layOut(situation)
        const feeRate = leastRebuildFeeRate(before) + more / 1000
        const sent = before.reveals.reduce((sum, { fee }) => sum + fee, before.commit.fee)
        const evictedFee = isSent ? sent : 0n
        const rebuild = (rate: number) =>
          rebuildInscribing({ before, evictedFee, utxos, own, feeRate: rate, seed: 'anew' })
        const after = rebuild(Math.round(feeRate * 1000) / 1000)
        expect(leavesOf(after).map(toHex)).toEqual(leavesOf(before).map(toHex))
        expect([after.nonce, after.parent]).toEqual([before.nonce, before.parent])
        expect(after.nonce).toEqual(nonceOfCommit(before.commit.inputs[0] ?? { txid: '', vout: 0 }))
        expect(after.commit.inputs[0]).toEqual(before.commit.inputs[0])
        expect(after.commit.inputs.map(formatOutpoint)).toEqual(
          expect.arrayContaining(before.commit.inputs.map(formatOutpoint)),
        )
        const { fee, vsize } = after.commit
        expect(fee).toBeGreaterThanOrEqual(feeForVsize(vsize, feeRate))
        if (isSent) {
          expect(fee - sent).toBeGreaterThanOrEqual(BigInt(vsize))
          const { commit } = before
          expect(fee * BigInt(commit.vsize)).toBeGreaterThan(commit.fee * BigInt(vsize))
        }
        for (const [k, reveal] of after.reveals.entries())
          expect(reveal.fee).toBeGreaterThanOrEqual(before.reveals[k]?.fee ?? 0n)
        expect(signInscribing(after, account, previous).reveals).toHaveLength(before.reveals.length)
        expect(() => rebuild(before.commit.feeRate)).toThrow(FeeBumpError)
      }),
      { numRuns: 20 },
    )
  })

  it('adds no coin that is in no block', () => {
    const { previous: _, utxos, own, ...rest } = terms()
    const small = fund(KEY, 'p2tr', [5_000n]).utxos
    const before = buildInscribing({ ...rest, own, utxos: small, items: TEXTS })
    const bump = { before, evictedFee: 0n, own, feeRate: 20, seed: '' }
    const late = utxos.map(coin => ({ ...coin, txid: 'ab'.repeat(32) }))
    expect(rebuildInscribing({ ...bump, utxos: late }).commit.inputs).toHaveLength(2)
    const unconfirmed = late.map(coin => ({ ...coin, height: null }))
    expect(() => rebuildInscribing({ ...bump, utxos: unconfirmed })).toThrow(InsufficientFundsError)
  })
})

import { Transaction as ScureTransaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import {
  buildCancellation,
  buildReplacement,
  leastCancellationFeeRate,
} from '../../bitcoin/payments/fee-bump.ts'
import { type Payment, signPayment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS, sumOf } from '../../bitcoin/testing/funding.ts'
import { privateKeys } from '../../bitcoin/testing/keys.ts'
import { ADDRESS_TYPES } from '../../bitcoin/testing/spending.ts'
import { LARGE_POSTAGE } from '../asset.ts'
import { walkSat } from '../testing/sat-walk.ts'
import { allTo, inscription } from '../testing/test-assets.ts'
import type { AssetCoin } from '../transfers/coin-cut.ts'
import { buildSplit, NothingToSplitError } from '../transfers/split-output.ts'
import { buildTransfer, POSTAGE } from '../transfers/transfer.ts'

// Pure JavaScript signatures are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const BTC = 100_000_000n

const amounts = fc.oneof(
  fc.bigInt({ min: 546n, max: 3_000n }),
  fc.bigInt({ min: 546n, max: 60_000n }),
  fc.bigInt({ min: 60_000n, max: BTC }),
)
/** Places within a coin: thousandths of it, and sats more, so that some lie close together. */
const places = fc.array(
  fc.record({
    share: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999 })),
    more: fc.nat({ max: 700 }),
    asked: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)
const situations = fc.record({
  key: privateKeys,
  addressType: fc.constantFrom(...ADDRESS_TYPES),
  coins: fc.oneof(
    {
      weight: 2,
      arbitrary: fc.array(fc.record({ sats: amounts, places }), { minLength: 1, maxLength: 1 }),
    },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ sats: amounts, places }), { minLength: 2, maxLength: 4 }),
    },
  ),
  clean: fc.array(fc.bigInt({ min: 600n, max: 200_000n }), { minLength: 1, maxLength: 4 }),
  further: fc.array(fc.bigInt({ min: 600n, max: 200_000n }), { maxLength: 2 }),
  to: fc.constantFrom(...RECIPIENT_SCRIPTS),
  feeRate: fc.integer({ min: 100, max: 30_000 }).map(milli => milli / 1000),
  postage: fc.bigInt({ min: 546n, max: 10_000n }),
  seed: fc.string(),
})

/** The coins of a situation with what sits on them; the first of each coin is asked for at least. */
function buildSituation({
  key,
  addressType,
  coins,
  clean,
  further,
}: typeof situations extends fc.Arbitrary<infer T> ? T : never) {
  const moved = fund(
    key,
    addressType,
    coins.map(({ sats }) => sats),
  )
  const free = fund(key, addressType, clean, 100)
  const more = fund(key, addressType, further, 200)
  const asked = new Set<string>()
  let count = 0
  const assetCoins = moved.utxos.map((utxo, c): AssetCoin => {
    const assets = (coins[c]?.places ?? []).map(({ share, more, asked: isAsked }, i) => {
      const offset = (utxo.amount * BigInt(share)) / 1000n + BigInt(more)
      const asset = inscription(++count, offset < utxo.amount ? offset : utxo.amount - 1n)
      if (isAsked || i === 0) asked.add(asset.id)
      return asset
    })
    return { ...utxo, assets }
  })
  return {
    assetCoins,
    asked,
    utxos: free.utxos,
    further: more.utxos,
    previous: new Map([...moved.previous, ...free.previous, ...more.previous]),
    own: { publicKey: publicKeyOf(key), addressType },
  }
}

/** Where every inscription of these coins comes to lie, by the independent count. */
function landings(payment: Payment, coins: readonly AssetCoin[]) {
  return coins.flatMap(coin => {
    const input = payment.inputs.findIndex(one => formatOutpoint(one) === formatOutpoint(coin))
    return coin.assets.flatMap(asset => {
      if (asset.kind !== 'inscription' || asset.offset === null) return []
      const landing = walkSat(payment, input, asset.offset)
      const script = landing && payment.outputs[landing.output]?.scriptPubKey
      return [{ id: asset.id, offset: asset.offset, landing, script: script && toHex(script) }]
    })
  })
}

/** Signed bytes as an independent library reads them have the size and pay the fee that the payment says, and make no dust. */
function expectExact(payment: Payment, key: Uint8Array, previous: Map<string, Uint8Array>) {
  const { rawTx } = signPayment(
    payment,
    [{ privateKey: key, addressType: payment.addressType }],
    previous,
  )
  const read = ScureTransaction.fromRaw(rawTx, {
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  })
  expect(read.vsize).toBe(payment.vsize)
  let paid = sumOf(payment.inputs)
  for (let i = 0; i < read.outputsLength; i++) {
    const { amount = 0n, script = new Uint8Array() } = read.getOutput(i)
    expect(amount).toBeGreaterThanOrEqual(dustLimit(script))
    paid -= amount
  }
  expect(paid).toBe(payment.fee)
  expect(paid).toBeGreaterThanOrEqual(feeForVsize(read.vsize, payment.feeRate))
}

function isNear(a: bigint, b: bigint): boolean {
  return (a > b ? a - b : b - a) < 3n * POSTAGE
}

function tryBuild<T>(build: () => T, refusals: (new (...args: never[]) => Error)[]): T | null {
  try {
    return build()
  } catch (error) {
    if (refusals.some(refusal => error instanceof refusal)) return null
    throw error
  }
}

describe('whatever the coins', () => {
  it('what is asked for goes, what stays stays unless it cannot be parted, and no fee takes any of it; in replacements too', () => {
    const seen = {
      built: 0,
      cut: 0,
      batches: 0,
      padded: 0,
      kept: 0,
      along: 0,
      bumped: 0,
      cancelled: 0,
    }
    fc.assert(
      fc.property(situations, situation => {
        const { key, to, feeRate, seed } = situation
        const { assetCoins, asked, utxos, further, previous, own } = buildSituation(situation)
        const ownScript = toHex(assetCoins[0]?.scriptPubKey ?? new Uint8Array())
        const order = { coins: assetCoins, asked: allTo(to, asked), utxos, own, feeRate, seed }
        const payment = tryBuild(() => buildTransfer(order), [InsufficientFundsError])
        if (!payment) return
        seen.built++
        expectExact(payment, key, previous)
        const whole = assetCoins.length > 1 || sumOf(assetCoins) <= LARGE_POSTAGE
        seen.cut += Number(!whole)
        seen.batches += Number(assetCoins.length > 1)
        seen.padded += Number(payment.leading.inputs > assetCoins.length)
        const moves = landings(payment, assetCoins)
        for (const { id, offset, landing, script } of moves) {
          if (!landing || landing.output >= payment.leading.outputs) throw new Error('Not led')
          if (asked.has(id)) expect(script).toBe(toHex(to))
          else if (script === ownScript) seen.kept++
          else {
            seen.along++
            // From a coin that is cut only what lies too near to something that was asked for, at most two in between.
            const near = moves.some(other => asked.has(other.id) && isNear(other.offset, offset))
            expect(whole || near).toBe(true)
          }
        }
        if (whole)
          for (const [i, { offset, landing }] of landings(
            payment,
            assetCoins.slice(0, 1),
          ).entries())
            expect([i, landing]).toEqual([i, { output: 0, offset }])
        // No receiver gets more than postage unless what it gets needs it.
        if (!whole && asked.size === 1 && assetCoins[0]?.assets.length === 1)
          expect(
            sumOf(payment.outputs.filter(one => toHex(one.scriptPubKey) === toHex(to))),
          ).toBeLessThan(2n * POSTAGE + feeForVsize(200, feeRate))

        const bump = { sent: payment, utxos: further, own, seed }
        const least = leastCancellationFeeRate(payment, own)
        const faster = tryBuild(
          () => buildReplacement({ ...bump, feeRate: least }),
          [InsufficientFundsError],
        )
        if (faster) {
          seen.bumped++
          expectExact(faster, key, previous)
          expect(landings(faster, assetCoins)).toEqual(moves)
          expect(faster.leading).toEqual(payment.leading)
        }
        const back = tryBuild(
          () => buildCancellation({ ...bump, feeRate: least }),
          [InsufficientFundsError],
        )
        if (back) {
          seen.cancelled++
          expectExact(back, key, previous)
          expect(landings(back, assetCoins)).toEqual(
            moves.map(move => ({ ...move, script: ownScript })),
          )
          expect(back.outputs.every(({ scriptPubKey }) => toHex(scriptPubKey) === ownScript)).toBe(
            true,
          )
          expect(back.fee).toBeGreaterThanOrEqual(payment.fee + BigInt(back.vsize))
        }
      }),
      { numRuns: campaign('transfers of a coin’s sats').count },
    )
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
  })

  it('a split leaves every sat with the account, in outputs of the postage, and parts what can be parted', () => {
    const seen = { built: 0, parted: 0, refused: 0 }
    fc.assert(
      fc.property(situations, situation => {
        const { key, feeRate, postage, seed } = situation
        const { assetCoins, utxos, previous, own } = buildSituation(situation)
        const [coin] = assetCoins
        if (!coin) throw new Error('No coin')
        const refusals = [InsufficientFundsError, NothingToSplitError]
        const payment = tryBuild(
          () => buildSplit({ coin, postage, utxos, own, feeRate, seed }),
          refusals,
        )
        if (!payment) {
          seen.refused++
          return
        }
        seen.built++
        expectExact(payment, key, previous)
        for (const { amount } of payment.outputs.slice(0, payment.leading.outputs))
          expect(amount).toBeGreaterThanOrEqual(postage)
        const moves = landings(payment, [coin])
        for (const { landing, script } of moves) {
          if (!landing || landing.output >= payment.leading.outputs) throw new Error('Not led')
          expect(script).toBe(toHex(coin.scriptPubKey))
        }
        // Sats with enough room on both sides are alone.
        for (const { offset, landing } of moves) {
          const others = moves.filter(other => other.offset !== offset)
          const near = others.some(other => {
            const distance = other.offset - offset
            return (distance < 0n ? -distance : distance) < 2n * postage
          })
          if (near || others.length === 0) continue
          seen.parted++
          expect(others.some(other => other.landing?.output === landing?.output)).toBe(false)
        }
      }),
      { numRuns: campaign('transfers of a coin’s sats').count },
    )
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
  })
})

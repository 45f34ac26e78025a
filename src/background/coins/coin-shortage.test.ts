import { describe, expect, it } from 'vitest'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import type { HeldReason } from '../views/asset-views.ts'
import { buildOrThrowInsufficient, coinsHeld, takeCoins } from './coin-shortage.ts'
import type { Coin, Coins } from './coins.ts'

const CLEAN: CoinAssets = { known: true, assets: [] }

const coin = (
  outpoint: string,
  amount: bigint,
  held: HeldReason | null = null,
  assets: CoinAssets = CLEAN,
): Coin => ({
  ...{ outpoint, txid: outpoint, vout: 0, amount, height: 1, scriptPubKey: new Uint8Array() },
  ...{ held, assets, choice: null },
})

const coinsOf = (...all: Coin[]): Coins => ({
  all,
  spendable: all.filter(({ held }) => held === null),
  withRequired: chosen => [...chosen],
  isSecret: false,
})

const NOTHING_HELD = {
  ...{ heldByPayments: '0', heldUnconfirmed: '0', heldInscribed: '0', heldAtomical: '0' },
  ...{
    heldRunic: '0',
    heldSmall: '0',
    heldDust: '0',
    heldUnknown: '0',
    heldLocked: '0',
    unknownWhy: null,
  },
}

/** A payment that takes all coins and needs so many sats. */
const paying = (needed: bigint) => (utxos: readonly Coin[]) => {
  const available = utxos.reduce((sum, { amount }) => sum + amount, 0n)
  if (available < needed) throw new InsufficientFundsError(needed, available)
  return utxos.map(({ outpoint }) => outpoint)
}

function failureOf(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}

describe('a payment', () => {
  it('is built from the coins that are not held', () => {
    const coins = coinsOf(coin('a', 5n), coin('b', 9n, 'locked'), coin('c', 2n))
    expect(buildOrThrowInsufficient(coins, paying(7n))).toEqual(['a', 'c'])
  })

  it('that the held coins would pay for says that they are held, and why', () => {
    const coins = coinsOf(
      coin('a', 5n),
      ...(
        [
          ['reserved', 10n],
          ['unconfirmed', 20n],
          ['inscribed', 30n],
          ['atomical', 40n],
          ['runic', 50n],
          ['small', 60n],
          ['locked', 80n],
          ['locked', 1n],
        ] as const
      ).map(([held, sats], at) => coin(`held ${at}`, sats, held)),
      coin('u1', 300n, 'unknown', { known: false, why: 'behind' }),
      coin('u2', 200n, 'unknown', { known: false, why: 'unanswered' }),
      coin('u3', 200n, 'unknown', { known: false, why: 'unanswered' }),
      // Of a coin that is held for another reason it does not matter what is unknown.
      coin('u4', 900n, 'unconfirmed', { known: false, why: 'unconfirmed' }),
    )
    const thrown = failureOf(() => buildOrThrowInsufficient(coins, paying(100n)))
    expect(thrown).toMatchObject({
      code: -32000,
      cause: { name: 'InsufficientFundsError' },
      data: {
        ...{ reason: 'COINS_HELD', needed: '100', available: '5' },
        ...{ heldByPayments: '10', heldUnconfirmed: '920', heldInscribed: '30' },
        ...{ heldAtomical: '40', heldRunic: '50', heldSmall: '60', heldLocked: '81' },
        ...{ heldUnknown: '700', unknownWhy: 'unanswered' },
      },
    })
  })

  it('that all coins together cannot pay for says so', () => {
    const coins = coinsOf(coin('a', 5n), coin('b', 9n, 'locked'))
    expect(failureOf(() => buildOrThrowInsufficient(coins, paying(15n)))).toMatchObject({
      data: { ...NOTHING_HELD, reason: 'INSUFFICIENT_FUNDS', heldLocked: '9' },
    })
    expect(failureOf(() => buildOrThrowInsufficient(coins, paying(14n)))).toMatchObject({
      data: { reason: 'COINS_HELD' },
    })
  })

  it('that fails for another reason fails for that', () => {
    const broken = new TypeError('broken')
    const build = () => {
      throw broken
    }
    expect(failureOf(() => buildOrThrowInsufficient(coinsOf(), build))).toBe(broken)
  })
})

describe('coins that are asked for by name', () => {
  const coins = coinsOf(
    coin('a', 5n),
    coin('b', 9n, 'locked'),
    coin('c', 7n, 'small'),
    coin('d', 1n),
  )

  it('are taken in the order of the names', () => {
    expect(takeCoins(coins, ['d', 'a']).map(({ outpoint }) => outpoint)).toEqual(['d', 'a'])
  })

  it('are refused where one is not there, before anything is said of those that are held', () => {
    expect(failureOf(() => takeCoins(coins, ['b', 'x']))).toMatchObject({
      code: -32602,
      message: expect.stringContaining('coins: expected unspent coins of this account'),
    })
  })

  it('are refused where some are held, with those alone', () => {
    const refused = {
      ...{ code: -32000, message: 'These coins are held: b, c' },
      data: { ...NOTHING_HELD, reason: 'COINS_HELD', heldLocked: '9', heldSmall: '7' },
    }
    expect(failureOf(() => takeCoins(coins, ['a', 'b', 'c']))).toMatchObject(refused)
    expect(coinsHeld([coin('b', 9n, 'locked'), coin('c', 7n, 'small')])).toMatchObject(refused)
  })
})

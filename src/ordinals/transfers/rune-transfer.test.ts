import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { buildCancellation, buildReplacement } from '../../bitcoin/payments/fee-bump.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import type { Asset, RuneAsset } from '../asset.ts'
import type { RuneBalance, RuneMove } from '../flow/rune-flow.ts'
import { decipherRunestone } from '../runes/runestone.ts'
import { nftOf } from '../testing/atomical-assets.ts'
import { describeRuneMoves, flowElsewhere } from '../testing/rune-oracle.ts'
import { walkSat } from '../testing/sat-walk.ts'
import { inscription } from '../testing/test-assets.ts'
import { type AssetCoin, UncutAtomicalError, UnplacedInscriptionError } from './coin-cut.ts'
import {
  buildRuneTransfer,
  InsufficientRunesError,
  LongRunestoneError,
  type RuneOrder,
  type RuneTransfer,
  UnidentifiedRuneError,
} from './rune-transfer.ts'

vi.setConfig({ testTimeout: 60_000 })

const KEY = new Uint8Array(32).fill(7)
const OWN = { publicKey: publicKeyOf(KEY), addressType: 'p2tr' } as const
const [ALICE = new Uint8Array(), BOB = new Uint8Array(), , , CAROL = new Uint8Array()] =
  RECIPIENT_SCRIPTS
const MOST = 2n ** 128n - 1n
const GOLD = '840000:1'
const SILVER = '840000:2'

const rune = (id: string | null, amount: bigint): RuneAsset => ({
  kind: 'rune',
  name: 'SOME•RUNE',
  rune: id,
  amount,
  divisibility: 38,
  symbol: null,
})
const gold = (amount: bigint) => rune(GOLD, amount)
const silver = (amount: bigint) => rune(SILVER, amount)

function coinsWith(...contents: Asset[][]): AssetCoin[] {
  const { utxos } = fund(
    KEY,
    'p2tr',
    contents.map((_, i) => 546n + BigInt(i)),
  )
  return utxos.map((utxo, i) => ({ ...utxo, assets: contents[i] as Asset[] }))
}

const clean = (...amounts: bigint[]) => fund(KEY, 'p2tr', amounts, 1000).utxos

function send(coins: readonly AssetCoin[], ...orders: RuneOrder[]): RuneTransfer {
  const utxos = clean(90_000n)
  return buildRuneTransfer({ orders, coins, utxos, own: OWN, feeRate: 2, seed: 'seed' })
}

const NAMES = new Map([
  [toHex(ALICE), 'alice'],
  [toHex(BOB), 'bob'],
  [toHex(CAROL), 'carol'],
])
function nameOutput({ scriptPubKey }: { scriptPubKey: Uint8Array }): string {
  if (scriptPubKey[0] === 0x6a) return 'runestone'
  return NAMES.get(toHex(scriptPubKey)) ?? 'own'
}
const outputsOf = ({ outputs }: Payment) => outputs.map(nameOutput)
const runestoneOf = ({ outputs }: Pick<Payment, 'outputs'>) =>
  decipherRunestone(outputs.map(({ scriptPubKey }) => scriptPubKey))
const takenOf = ({ inputs }: Payment, coins: readonly AssetCoin[]) => {
  const spent = new Set(inputs.map(formatOutpoint))
  return coins.flatMap((coin, at) => (spent.has(formatOutpoint(coin)) ? at : []))
}

describe('a transfer of runes', () => {
  it('gives the receiver exactly so many, and brings the rest back on an output of its own', () => {
    const payment = send(coinsWith([gold(100n)]), { rune: GOLD, amount: 30n, to: ALICE })
    expect(outputsOf(payment)).toEqual(['own', 'alice', 'runestone', 'own'])
    expect(payment.outputs.slice(0, 3).map(({ amount }) => amount)).toEqual([546n, 546n, 0n])
    expect(runestoneOf(payment)).toMatchObject({
      edicts: [{ rune: GOLD, amount: 30n, output: 1 }],
      pointer: null,
    })
    expect(payment.changeIndex).toBe(3)
    expect(payment.leading).toEqual({ inputs: 1, outputs: 3 })
  })

  it('gives nobody but the account what an index did not tell of, of the same rune or another', async () => {
    const coins = coinsWith([gold(100n)], [gold(20n)])
    const payment = send(coins, { rune: GOLD, amount: 120n, to: ALICE })
    const scripts = payment.outputs.map(({ scriptPubKey }) => scriptPubKey)
    const real = [
      { rune: GOLD, amount: 5_000n },
      { rune: SILVER, amount: 7n },
    ]
    const home = { to: outputsOf(payment).indexOf('own') }
    expect(await flowElsewhere(real, scripts)).toEqual(
      describeRuneMoves([
        { rune: GOLD, amount: 120n, to: outputsOf(payment).indexOf('alice') },
        { rune: GOLD, amount: 4_880n, ...home },
        { rune: SILVER, amount: 7n, ...home },
      ]),
    )
  })

  it('keeps every sat of the coins, on which an inscription may be that no index told of', () => {
    const coins = coinsWith([gold(100n)], [gold(90n)], [gold(80n), inscription(1, 3n)])
    const payment = send(coins, { rune: GOLD, amount: 270n, to: ALICE })
    for (const [input, { amount }] of payment.inputs.slice(0, 3).entries()) {
      for (const sat of [0n, amount - 1n]) {
        const place = walkSat(payment, input, sat)?.output ?? -1
        expect(outputsOf(payment)[place]).toBe('own')
      }
    }
  })

  it('has a runestone also where one receiver gets all that there is by the index', () => {
    const payment = send(
      coinsWith([gold(100n), silver(1n)], [gold(MOST - 100n)]),
      { rune: GOLD, amount: MOST, to: ALICE },
      { rune: SILVER, amount: 1n, to: ALICE },
    )
    expect(outputsOf(payment)).toEqual(['own', 'alice', 'runestone', 'own'])
    expect(payment.landings).toEqual([1])
  })

  it('gives all to several receivers, each by edicts', () => {
    const payment = send(
      coinsWith([gold(100n), silver(9n)]),
      { rune: GOLD, amount: 30n, to: BOB },
      { rune: GOLD, amount: 70n, to: ALICE },
      { rune: SILVER, amount: 9n, to: ALICE },
    )
    expect(outputsOf(payment)).toEqual(['own', 'bob', 'alice', 'runestone', 'own'])
    expect(runestoneOf(payment)).toMatchObject({
      edicts: [
        { rune: GOLD, amount: 30n, output: 1 },
        { rune: GOLD, amount: 70n, output: 2 },
        { rune: SILVER, amount: 9n, output: 2 },
      ],
      pointer: null,
    })
  })

  it('adds up what one receiver is to get of a rune', () => {
    const payment = send(
      coinsWith([gold(100n)]),
      { rune: GOLD, amount: 30n, to: ALICE },
      { rune: GOLD, amount: 12n, to: ALICE },
    )
    expect(outputsOf(payment)).toEqual(['own', 'alice', 'runestone', 'own'])
    expect(runestoneOf(payment)).toMatchObject({
      edicts: [{ rune: GOLD, amount: 42n, output: 1 }],
    })
  })

  it('takes the coin that is just right, else the fewest, and of those the smallest that does', () => {
    const coins = coinsWith([gold(50n)], [gold(7n)], [gold(20n)], [gold(30n)])
    const taken = (amount: bigint) => takenOf(send(coins, { rune: GOLD, amount, to: ALICE }), coins)
    expect(taken(20n)).toEqual([2])
    expect(taken(21n)).toEqual([3])
    expect(taken(55n)).toEqual([0, 1])
    expect(taken(60n)).toEqual([0, 2])
    expect(taken(107n)).toEqual([0, 1, 2, 3])
  })

  it('leaves other runes and inscriptions where they are as long as it can', () => {
    const coins = coinsWith(
      [gold(1_000n), inscription(1, 3n)],
      [gold(500n), silver(5n)],
      [gold(10n)],
      [gold(10n)],
    )
    const taken = (amount: bigint) => takenOf(send(coins, { rune: GOLD, amount, to: ALICE }), coins)
    expect(taken(20n)).toEqual([2, 3])
    expect(taken(21n)).toEqual([1])
    expect(taken(521n)).toEqual([0])
  })

  it('gives back the coin with other runes where another that is needed makes up for it', () => {
    const other = (n: number) => rune(`5:${n}`, 1n)
    const coins = coinsWith([gold(4n)], [gold(6n), other(1)], [gold(6n), silver(1n), other(2)])
    const orders = [
      { rune: GOLD, amount: 10n, to: ALICE },
      { rune: SILVER, amount: 1n, to: ALICE },
    ]
    expect(takenOf(send(coins, ...orders), coins)).toEqual([0, 2])
  })

  it('keeps inscriptions that share a coin with them on an output of the same sats, and the rest apart', () => {
    const coins = coinsWith([gold(10n)], [gold(1_000n), inscription(1, 3n)])
    const payment = send(coins, { rune: GOLD, amount: 900n, to: ALICE })
    expect(outputsOf(payment)).toEqual(['own', 'own', 'alice', 'runestone', 'own'])
    expect(walkSat(payment, 0, 3n)).toEqual({ output: 0, offset: 3n })
    expect(runestoneOf(payment)).toMatchObject({
      edicts: [{ rune: GOLD, amount: 900n, output: 2 }],
      pointer: 1,
    })
  })

  it('is taken back to the account, all of it, by its cancellation, and kept by a faster one', () => {
    const sent = send(coinsWith([gold(100n)]), { rune: GOLD, amount: 30n, to: ALICE })
    const terms = { sent, utxos: clean(50_000n), own: OWN, feeRate: 20, seed: 'bump' }
    const cancelled = buildCancellation(terms)
    expect(cancelled.outputs.map(nameOutput)).toEqual(['own', 'own', 'own'])
    expect(cancelled.outputs.every(({ amount }) => amount >= 330n)).toBe(true)
    const faster = buildReplacement(terms)
    expect(faster.outputs.slice(0, 3)).toEqual(sent.outputs.slice(0, 3))
  })

  it('says what it cannot do, and with what', () => {
    const order = { rune: GOLD, amount: 101n, to: ALICE }
    const fails =
      (...contents: Asset[][]) =>
      () =>
        send(coinsWith(...contents), order)
    expect(fails([gold(100n)])).toThrow(new InsufficientRunesError(GOLD, 101n, 100n))
    expect(fails([silver(1_000n)])).toThrow(new InsufficientRunesError(GOLD, 101n, 0n))
    expect(fails([gold(200n), rune(null, 1n)])).toThrow(UnidentifiedRuneError)
    expect(fails([gold(200n), inscription(1, null)])).toThrow(UnplacedInscriptionError)
    expect(fails([gold(200n), nftOf(1)])).toThrow(UncutAtomicalError)
    expect(() => send(coinsWith([gold(1n)]))).toThrow('nothing is asked for')
    expect(() => send(coinsWith([gold(1n)]), { ...order, amount: 0n })).toThrow('not above 0')
    const params = { orders: [order], coins: coinsWith([gold(200n)]), own: OWN, feeRate: 2 }
    expect(() => buildRuneTransfer({ ...params, utxos: clean(600n), seed: '' })).toThrow(
      InsufficientFundsError,
    )
  })

  it('makes no runestone that some nodes do not relay', () => {
    const kinds = Array.from({ length: 8 }, (_, i) => rune(`${840_000 + i}:1`, MOST))
    const orders = kinds.map(({ rune }) => ({ rune: rune ?? '', amount: MOST - 1n, to: ALICE }))
    expect(() => send(coinsWith(kinds), ...orders)).toThrow(LongRunestoneError)
    const few = send(coinsWith(kinds), ...orders.slice(0, 3))
    const script = few.outputs.find(({ scriptPubKey }) => scriptPubKey[0] === 0x6a)?.scriptPubKey
    expect(script?.length).toBeLessThanOrEqual(83)
  })
})

const RECEIVERS = [ALICE, BOB, CAROL]
const anAmount = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 2n ** 100n))
const aRune = fc.constantFrom(GOLD, SILVER, '5:1', '840001:0')
const someContents = fc.array(
  fc.record({
    runes: fc.uniqueArray(fc.record({ id: aRune, amount: anAmount }), {
      selector: ({ id }) => id,
      minLength: 1,
      maxLength: 3,
    }),
    isShared: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('any transfer of runes', () => {
  it('lands, by the index of runestone-lib, as it was asked for, and nothing of it elsewhere or lost', async () => {
    let built = 0
    await fc.assert(
      fc.asyncProperty(
        someContents,
        fc.array(
          fc.record({
            rune: aRune,
            to: fc.nat(2),
            /** Of what there is, in parts of four, so that nothing is left over at times. */
            parts: fc.integer({ min: 1, max: 4 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
        async (contents, wishes) => {
          const coins = coinsWith(
            ...contents.map(({ runes, isShared }, at) => [
              ...runes.map(({ id, amount }) => rune(id, amount)),
              ...(isShared ? [inscription(at, BigInt(at))] : []),
            ]),
          )
          const left = new Map<string, bigint>()
          for (const { runes } of contents)
            for (const { id, amount } of runes) left.set(id, (left.get(id) ?? 0n) + amount)
          const orders = wishes.flatMap(({ rune, to, parts }): RuneOrder[] => {
            const there = left.get(rune) ?? 0n
            const amount = (there * BigInt(parts)) / 4n
            left.set(rune, there - amount)
            return amount === 0n ? [] : [{ rune, amount, to: RECEIVERS[to] as Uint8Array }]
          })
          if (orders.length === 0) return
          built++
          const payment = send(coins, ...orders)
          const taken = takenOf(payment, coins).map(at => coins[at] as AssetCoin)
          const balances = taken.flatMap(({ assets }) =>
            assets.flatMap((asset): RuneBalance[] =>
              asset.kind === 'rune' ? [{ rune: asset.rune ?? '', amount: asset.amount }] : [],
            ),
          )
          const scripts = payment.outputs.map(({ scriptPubKey }) => scriptPubKey)
          // What no index told of: more of a rune that is sent, and another one.
          balances.push(
            { rune: orders[0]?.rune ?? '', amount: 1_000n },
            { rune: '9:9', amount: 5n },
          )
          const landed = await flowElsewhere(balances, scripts)
          // What is asked for by receiver, and the rest of what was spent on one output of the account.
          const wanted = orders.map(
            ({ rune, amount, to }): RuneMove => ({
              rune,
              amount,
              to: scripts.findIndex(script => toHex(script) === toHex(to)),
            }),
          )
          const home = taken.filter(({ assets }) =>
            assets.some(({ kind }) => kind === 'inscription'),
          ).length
          const rest = [
            ...balances,
            ...orders.map(({ rune, amount }) => ({ rune, amount: -amount })),
          ]
          expect(landed).toEqual(
            describeRuneMoves(sumUp([...wanted, ...rest.map(one => ({ ...one, to: home }))])),
          )
          for (const [input, coin] of payment.inputs.entries()) {
            const { assets } = taken.find(one => formatOutpoint(one) === formatOutpoint(coin)) ?? {}
            for (const asset of assets ?? []) {
              if (asset.kind !== 'inscription') continue
              expect(walkSat(payment, input, asset.offset ?? 0n)?.output).toBe(input)
              expect(nameOutput(payment.outputs[input] ?? { scriptPubKey: ALICE })).toBe('own')
            }
          }
        },
      ),
    )
    expect(built).toBeGreaterThan(50)
  })
})

function sumUp(moves: readonly RuneMove[]): RuneMove[] {
  const sums = new Map<string, RuneMove>()
  for (const move of moves) {
    const key = `${move.rune} ${move.to}`
    sums.set(key, { ...move, amount: move.amount + (sums.get(key)?.amount ?? 0n) })
  }
  return [...sums.values()]
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { DustError, type Payment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { fund, RECIPIENT_SCRIPTS } from '../../bitcoin/testing/funding.ts'
import { type Asset, LARGE_POSTAGE } from '../asset.ts'
import { keyOfAsset } from '../asset-key.ts'
import { nftOf, tokenOf } from '../testing/atomical-assets.ts'
import { walkSat } from '../testing/sat-walk.ts'
import { allTo, idOf, inscription, RUNES } from '../testing/test-assets.ts'
import { type AssetCoin, UncutAtomicalError } from './coin-cut.ts'
import { buildSplit } from './split-output.ts'
import { buildTransfer, MixedTokensError } from './transfer.ts'

const KEY = new Uint8Array(32).fill(7)
const OWN = { publicKey: publicKeyOf(KEY), addressType: 'p2tr' } as const
const [P2WPKH = new Uint8Array(), , , , P2PKH = new Uint8Array()] = RECIPIENT_SCRIPTS
const terms = { own: OWN, feeRate: 2, seed: 'seed' }

function coinsWith(...contents: [bigint, ...Asset[]][]): AssetCoin[] {
  const { utxos } = fund(
    KEY,
    'p2tr',
    contents.map(([sats]) => sats),
  )
  return utxos.map((utxo, i) => ({ ...utxo, assets: contents[i]?.slice(1) as Asset[] }))
}

const cleanCoins = (...amounts: bigint[]) => fund(KEY, 'p2tr', amounts, 1000).utxos

/** Sends all that is on these coins. */
function send(coins: AssetCoin[], to = P2WPKH): Payment {
  const asked = allTo(
    to,
    coins.flatMap(({ assets }) => assets.map(keyOfAsset)),
  )
  return buildTransfer({ ...terms, coins, asked, utxos: cleanCoins(90_000n) })
}

const inputsOf = ({ inputs, leading }: Payment) =>
  inputs.slice(0, leading.inputs).map(formatOutpoint)
const satsOf = ({ outputs, leading }: Payment) =>
  outputs.slice(0, leading.outputs).map(({ amount }) => amount)

describe('a transfer with Atomicals', () => {
  it('pairs an NFT with an output of the same sats, and takes the fee from clean coins', () => {
    const coins = coinsWith([700n, nftOf(1)])
    const payment = send(coins)
    expect(inputsOf(payment)).toEqual(coins.map(formatOutpoint))
    expect(payment.outputs[0]).toEqual({ scriptPubKey: P2WPKH, amount: 700n })
    expect(payment.inputs[1]).toMatchObject({ amount: 90_000n })
    expect(payment.changeIndex).toBe(1)
  })

  it('puts the coins that hold NFTs first, and keeps the order within', () => {
    const coins = coinsWith(
      [600n, inscription(1, 5n)],
      [700n, nftOf(1)],
      [800n, inscription(2, 799n)],
      [900n, nftOf(2), inscription(3, 0n)],
    )
    const payment = send(coins)
    const order = [1, 3, 0, 2]
    expect(inputsOf(payment)).toEqual(order.map(i => coins[i] && formatOutpoint(coins[i])))
    expect(satsOf(payment)).toEqual([700n, 900n, 600n, 800n])
    expect(walkSat(payment, 1, 0n)).toEqual({ output: 1, offset: 0n })
    expect(walkSat(payment, 2, 5n)).toEqual({ output: 2, offset: 5n })
    expect(walkSat(payment, 3, 799n)).toEqual({ output: 3, offset: 799n })
  })

  it('never cuts a coin that holds one, however large', () => {
    for (const assets of [[nftOf(1)], [nftOf(1), inscription(1, 60_000n), RUNES]]) {
      const payment = send(coinsWith([LARGE_POSTAGE * 9n, ...assets]))
      expect(satsOf(payment)).toEqual([LARGE_POSTAGE * 9n])
    }
    const token = tokenOf(1, 40_000n)
    expect(satsOf(send(coinsWith([60_000n, inscription(1, 3n), token])))).toEqual([60_000n])
  })

  it('is not split', () => {
    const [coin] = coinsWith([90_000n, nftOf(1), inscription(1, 60_000n)])
    if (!coin) throw new Error('No coin')
    const order = { coin, postage: 546n, utxos: cleanCoins(9_000n), ...terms }
    expect(() => buildSplit(order)).toThrow(UncutAtomicalError)
  })

  it('raises a single output to what its address takes, and refuses that in a batch', () => {
    expect(satsOf(send(coinsWith([330n, nftOf(1), tokenOf(2, 330n)]), P2PKH))).toEqual([546n])
    expect(() => send(coinsWith([330n, nftOf(1)], [330n, nftOf(2)]), P2PKH)).toThrow(DustError)
  })

  it('moves what is asked only if it is on the coins', () => {
    const coins = coinsWith([600n, nftOf(1)])
    const order = { ...terms, coins, utxos: cleanCoins(9_000n) }
    // An inscription of the same id is another thing.
    expect(() => buildTransfer({ ...order, asked: allTo(P2WPKH, [nftOf(1).id]) })).toThrow(
      `${nftOf(1).id} is on none of the coins`,
    )
    expect(() => buildTransfer({ ...order, asked: allTo(P2WPKH, [idOf(9)]) })).toThrow(
      'none of the',
    )
    expect(() => buildTransfer({ ...order, coins: [], asked: new Map() })).toThrow('no coin')
  })
})

describe('units of tokens on coins that are moved', () => {
  it('go along where they fall onto the output of their coin', () => {
    const coins = coinsWith(
      [600n, inscription(1, 0n)],
      [700n, nftOf(1), tokenOf(2, 700n)],
      [800n, nftOf(3), tokenOf(4, 1n)],
    )
    expect(satsOf(send(coins))).toEqual([700n, 800n, 600n])
    const parts = coinsWith([700n, nftOf(1), tokenOf(2, 700n)], [800n, nftOf(3), tokenOf(2, 800n)])
    expect(satsOf(send(parts))).toEqual([700n, 800n])
  })

  it('come first among coins of the same kind', () => {
    const coins = coinsWith([600n, nftOf(1)], [700n, nftOf(2), tokenOf(3, 9n)])
    expect(satsOf(send(coins))).toEqual([700n, 600n])
    const others = coinsWith([600n, inscription(1, 0n)], [700n, inscription(2, 0n), tokenOf(3, 9n)])
    expect(satsOf(send(others))).toEqual([700n, 600n])
  })

  it.each<[string, [bigint, ...Asset[]][]]>([
    ['two of one coin', [[700n, nftOf(1), tokenOf(2, 300n), tokenOf(3, 300n)]]],
    [
      'one of a coin behind one without any',
      [
        [700n, nftOf(1)],
        [800n, inscription(1, 0n), tokenOf(2, 800n)],
      ],
    ],
    [
      'the same of two coins, of which the first is not full',
      [
        [700n, nftOf(1), tokenOf(2, 699n)],
        [800n, nftOf(3), tokenOf(2, 800n)],
      ],
    ],
  ])('refuse to go: %s', (_, contents) => {
    expect(() => send(coinsWith(...contents))).toThrow(MixedTokensError)
  })
})

const contents = fc.array(
  fc.record({
    sats: fc.bigInt({ min: 546n, max: 2_000n }),
    nft: fc.boolean(),
    inscribed: fc.boolean(),
    token: fc.option(
      fc.record({ id: fc.integer({ min: 101, max: 103 }), short: fc.bigInt({ min: 0n, max: 3n }) }),
      { freq: 2 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

/** Paints the units of coins onto outputs one by one, as somebody would with pen and paper; the outputs of each token. */
function paint(coins: readonly AssetCoin[], outputs: readonly { amount: bigint }[]) {
  const order: string[] = []
  const units = new Map<string, number>()
  for (const { assets } of coins)
    for (const asset of assets) {
      if (asset.kind !== 'atomical' || asset.type !== 'ft') continue
      if (!order.includes(asset.id)) order.push(asset.id)
      units.set(asset.id, (units.get(asset.id) ?? 0) + Number(asset.amount))
    }
  const painted = new Map<string, number[]>()
  let output = 0
  for (const id of order) {
    const places: number[] = []
    for (let left = units.get(id) ?? 0; left > 0; left--) {
      const isFull =
        places.filter(place => place === output).length >= Number(outputs[output]?.amount)
      if (isFull) output++
      places.push(output)
    }
    painted.set(id, places)
    output++
  }
  return painted
}

it('whatever the coins, a batch lands pairwise or is refused', () => {
  const seen = { built: 0, withTokens: 0, refused: 0 }
  fc.assert(
    fc.property(contents, sample => {
      let count = 0
      const coins = coinsWith(
        ...sample.map(({ sats, nft, inscribed, token }): [bigint, ...Asset[]] => [
          sats,
          ...(nft ? [nftOf(++count)] : []),
          ...(inscribed || !nft ? [inscription(++count, sats - 1n)] : []),
          ...(token ? [tokenOf(token.id, sats - token.short)] : []),
        ]),
      )
      let payment: Payment
      try {
        payment = send(coins)
      } catch (error) {
        expect(error).toBeInstanceOf(MixedTokensError)
        expect(sample.some(({ token }) => token)).toBe(true)
        seen.refused++
        return
      }
      seen.built++
      const places = new Map(coins.map(coin => [formatOutpoint(coin), coin]))
      const order = payment.inputs.flatMap(input => places.get(formatOutpoint(input)) ?? [])
      expect(order).toHaveLength(coins.length)
      expect(satsOf(payment)).toEqual(order.map(({ amount }) => amount))
      const painted = paint(order, payment.outputs)
      let rank = 0
      for (const [input, { assets, amount }] of order.entries()) {
        expect(toHex(payment.outputs[input]?.scriptPubKey ?? new Uint8Array())).toBe(toHex(P2WPKH))
        const holdsNft = assets.some(asset => asset.kind === 'atomical' && asset.type === 'nft')
        if (holdsNft) expect(rank++).toBe(input)
        for (const asset of assets) {
          if (asset.kind === 'inscription')
            expect(walkSat(payment, input, amount - 1n)).toEqual({
              output: input,
              offset: amount - 1n,
            })
          if (asset.kind !== 'atomical' || asset.type !== 'ft') continue
          seen.withTokens++
          const here = painted.get(asset.id)?.filter(place => place === input) ?? []
          expect(here).toHaveLength(Number(asset.amount))
        }
      }
    }),
    { numRuns: 300 },
  )
  expect(Object.entries(seen).filter(([, times]) => times < 10)).toEqual([])
})

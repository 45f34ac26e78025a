import { describe, expect, it } from 'vitest'
import {
  inscription,
  otherInput,
  otherOutput,
  ownInput,
  ownOutput,
  placeholder,
  psbtOf,
} from '../../testing/psbt-building.ts'
import { judgeProofs, listGoods, listOwn, listReveals } from './proof-groups.ts'

const proven = (blocks: number | null, confirmations = 9) =>
  ({ is: 'proven', confirmations, blocks }) as const
const unproven = (fault: 'no-block' | 'merkle-proof' | 'no-answer') =>
  ({ is: 'unproven', fault }) as const
const txid = (digit: string) => digit.repeat(64)
const coin = (digit: string, index = 0) => ({ outpoint: `${txid(digit)}:${index}` })

describe('what is said of transactions together', () => {
  it('is the least work behind any of them, and the least depth', () => {
    expect(judgeProofs([proven(7.9, 9), proven(2.6, 12)])).toEqual({ blocks: 2, depth: 9 })
    expect(judgeProofs([proven(7.9), proven(null, 3)])).toEqual({ blocks: null, depth: 3 })
    expect(judgeProofs([proven(7), proven(0.4, 800)])).toEqual({ blocks: 0, depth: 9 })
  })

  it('is why some are not proven, whatever the others are', () => {
    const proofs = [proven(7), unproven('merkle-proof'), null, unproven('no-answer')]
    expect(judgeProofs(proofs)).toEqual({ faults: ['merkle-proof', 'no-answer'] })
  })

  it('is nothing of those in no block of which the review says so, nor that the others are proven', () => {
    expect(judgeProofs([unproven('no-block'), proven(3)], [true, false])).toBeNull()
    expect(judgeProofs([unproven('no-block')], [true])).toBeNull()
    const proofs = [unproven('no-block'), unproven('merkle-proof'), proven(3)]
    expect(judgeProofs(proofs, [true, true, false])).toEqual({ faults: ['merkle-proof'] })
  })

  it('is of one in no block that it is in none where the review called another unconfirmed', () => {
    const proofs = [unproven('no-block'), unproven('no-block')]
    expect(judgeProofs(proofs, [true, false])).toEqual({ faults: ['no-block'] })
    expect(judgeProofs([unproven('no-block'), proven(3)])).toEqual({ faults: ['no-block'] })
  })

  it('is nothing while one was not asked about, and of nothing', () => {
    expect(judgeProofs([proven(7), null])).toBeNull()
    expect(judgeProofs([])).toBeNull()
  })
})

describe('own coins', () => {
  it('are each transaction once, with those that the review calls unconfirmed', () => {
    const inputs = [
      ownInput(1_000, coin('a')),
      otherInput(2_000, coin('b')),
      ownInput(3_000, coin('a', 1)),
      ownInput(3_000, coin('c')),
    ]
    const view = psbtOf(inputs, [otherOutput(8_000)], {
      warnings: [{ kind: 'spends-unconfirmed', inputs: [3] }],
    })
    expect(listOwn([view])).toEqual([
      { txid: txid('a'), isTold: false },
      { txid: txid('c'), isTold: true },
    ])
  })

  it('are not those that another of the transactions makes', () => {
    const first = psbtOf([ownInput(9_000, coin('a'))], [ownOutput(8_000)], { txid: txid('b') })
    const second = psbtOf([ownInput(8_000, coin('b'))], [otherOutput(7_000)], { txid: txid('c') })
    expect(listOwn([first, second])).toEqual([{ txid: txid('a'), isTold: false }])
  })
})

describe('what comes from others', () => {
  it('is the coin whose sats come to an own output, first in first out', () => {
    const view = psbtOf(
      [
        ownInput(600, coin('a')),
        ownInput(600, coin('b')),
        otherInput(10_000, coin('c')),
        otherInput(5_000, coin('d')),
        ownInput(90_000, coin('e')),
      ],
      [ownOutput(1_200), ownOutput(10_000), otherOutput(50_000), ownOutput(40_000)],
    )
    expect(listGoods([view])).toEqual([txid('c')])
  })

  it('is the coin that an asset comes from, and the reveal of an inscription', () => {
    const assets = [
      inscription('7', { input: 1, output: 1, own: false, to: 'own' }),
      inscription('8', { input: 1, output: 2, own: false, to: 'foreign' }),
      inscription('9', { input: 0, output: 2, own: true, to: 'foreign' }),
    ]
    const id = assets.flatMap(({ asset }) => (asset.kind === 'inscription' ? asset.id : []))[0]
    // Its amount is not known, so that nobody can say where its sats go.
    const inputs = [ownInput(600, coin('a')), otherInput(null, coin('c'))]
    const view = psbtOf(inputs, [otherOutput(500), ownOutput(546)], { assets })
    expect(listGoods([view])).toEqual([txid('c'), id?.slice(0, 64)])
  })

  it('is nothing where others pay others, or will put a coin to a place', () => {
    const apart = psbtOf(
      [ownInput(1_000, coin('a')), otherInput(2_000, coin('b'))],
      [ownOutput(1_000), otherOutput(1_900)],
    )
    const open = psbtOf([ownInput(546, coin('a')), placeholder(0)], [ownOutput(9_000)])
    expect(listGoods([apart, open])).toEqual([])
  })
})

it('inscriptions of one reveal have it in common', () => {
  expect(listReveals([`${txid('a')}i0`, `${txid('a')}i12`, `${txid('b')}i0`])).toEqual([
    txid('a'),
    txid('b'),
  ])
})

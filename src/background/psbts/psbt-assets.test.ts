import { describe, expect, it } from 'vitest'
import type { Certainty } from '../../bitcoin/psbt/binding.ts'
import type { PsbtReview } from '../../bitcoin/psbt/review.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import type { AssetDestination, AssetMove } from '../../ordinals/flow/asset-flow.ts'
import { idOf, inscription } from '../../ordinals/testing/test-assets.ts'
import { hexOfBuilt, reviewAndSign, startAssetSite, toThem } from '../testing/asset-site.ts'
import { approveSigning } from '../testing/psbt-site.ts'
import { type PsbtAssets, viewAssets } from './psbt-assets.ts'

const OUTPUT: AssetDestination = { kind: 'output', output: 0, offset: 0n }
const UNKNOWN: AssetDestination = { kind: 'unknown' }

const move = (n: number, to: AssetDestination = OUTPUT, input = 0): AssetMove => ({
  ...{ asset: inscription(n, 0n), input, to },
})

/** How far it is told that an inscription on one input goes somewhere. */
function told({
  owner = 'own',
  fixes = 'all',
  certainty = 'certain',
  moves = [move(1)],
  proposed = [],
  elsewhere = [],
}: {
  owner?: 'own' | 'foreign'
  fixes?: PsbtReview['inputs'][number]['fixes']
  certainty?: PsbtReview['certainty']
  moves?: AssetMove[]
  proposed?: AssetMove[]
  elsewhere?: string[]
}): [string, string, Certainty][] {
  const input = { owner, fixes, outpoint: 'coin:0' }
  const review = {
    inputs: [input, { ...input, outpoint: 'other:0' }],
    certainty,
  } as unknown as PsbtReview
  const assets = {
    ...{ moves, proposed, contents: [], ancestors: [], numbers: new Map() },
    unconfirmed: new Set<string>(),
    openElsewhere: new Set(elsewhere),
  } as PsbtAssets
  const own = owner === 'own'
  const views = {
    inputs: [0, 1].map(() => ({ outpoint: '', address: null, sats: null, own })),
    outputs: [{ address: null, script: '', sats: '0', own: false }],
  }
  return viewAssets(review, assets, views).map(({ asset, to, certainty }) => [
    'id' in asset ? asset.id : '',
    to,
    certainty,
  ])
}

describe('where an inscription of ours goes', () => {
  it('is certain where our signature fixes everything, or where we sign nothing', () => {
    for (const fixes of ['all', null] as const)
      expect(told({ fixes })).toEqual([[idOf(1), 'foreign', 'certain']])
    // What others sign cannot make it less certain.
    expect(told({ certainty: 'open' })).toEqual([[idOf(1), 'foreign', 'certain']])
  })

  it('is open where our signature leaves anything to others, here or elsewhere', () => {
    for (const fixes of ['outputs', 'less'] as const)
      expect(told({ fixes })).toEqual([[idOf(1), 'foreign', 'open']])
    expect(told({ elsewhere: ['coin:0'] })).toEqual([[idOf(1), 'foreign', 'open']])
    expect(told({ elsewhere: ['other:0'] })).toEqual([[idOf(1), 'foreign', 'certain']])
    expect(told({ fixes: 'less', moves: [move(1, UNKNOWN)] })).toEqual([
      [idOf(1), 'unknown', 'open'],
    ])
  })

  it('is unknown where that is not known', () => {
    expect(told({ moves: [move(1, UNKNOWN)], proposed: [move(1)] })).toEqual([
      [idOf(1), 'unknown', 'unknown'],
    ])
  })
})

describe('where an inscription of others goes', () => {
  it('is as certain as the whole transaction', () => {
    for (const certainty of ['certain', 'open'] as const)
      expect(told({ owner: 'foreign', fixes: null, certainty })).toEqual([
        [idOf(1), 'foreign', certainty],
      ])
  })

  it('is shown as it is proposed where it depends on what they bring, and called a claim', () => {
    const moves = [move(1, UNKNOWN)]
    const shown = (proposed: AssetMove[], certainty: 'certain' | 'open' = 'certain') =>
      told({ owner: 'foreign', fixes: null, moves, proposed, certainty })
    expect(shown([move(1)])).toEqual([[idOf(1), 'foreign', 'claimed']])
    expect(shown([move(1, UNKNOWN)])).toEqual([[idOf(1), 'unknown', 'unknown']])
    expect(shown([move(1, { kind: 'fee' })])).toEqual([[idOf(1), 'fee', 'claimed']])
    // Of another inscription, or of the same from another input, nothing is proposed.
    expect(shown([move(2), move(1, OUTPUT, 1)])).toEqual([])
  })
})

describe('a site that asks for signatures', () => {
  it('may leave a coin of ours unsigned, whose inscription others then have no way to lose', async () => {
    const site = await startAssetSite()
    const [signed, unsigned] = [site.mine(10_000n), site.mine(10_000n)]
    site.world.assets.inscribe(unsigned.at, { offset: 9_500n })
    const psbt = hexOfBuilt(buildPsbt({ inputs: [signed, unsigned], outputs: [toThem(19_000n)] }))
    const named = (index: number) => ({ toSignInputs: [{ index, address: site.account.address }] })
    const { assets } = await reviewAndSign(site, psbt, { ...named(0), autoFinalized: false })
    expect(assets).toMatchObject([{ input: 1, own: true, to: 'fee' }])
    expect(await site.page.call('signPsbt', psbt, named(1))).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET' } },
    })
  })

  it('gets no certainty of a coin for which it has an open signature, of before or of the same batch', async () => {
    const site = await startAssetSite()
    const { mine, toMe, account, world } = site
    const [listed, other] = [mine(10_000n), mine(20_000n)]
    for (const coin of [listed, other]) world.assets.inscribe(coin.at)
    const options = (sighash: number) => ({
      autoFinalized: false,
      toSignInputs: [{ index: 0, address: account.address, sighashTypes: [sighash] }],
    })
    const listing = (coin: typeof listed) =>
      hexOfBuilt(buildPsbt({ inputs: [{ ...coin, sighash: 0x83 }], outputs: [toMe(coin.amount)] }))
    const selling = (coin: typeof listed) =>
      hexOfBuilt(buildPsbt({ inputs: [coin], outputs: [toThem(coin.amount - 1_000n)] }))
    const both = await approveSigning(
      site,
      'signPsbts',
      [listing(listed), selling(listed)],
      [options(0x83), options(0)],
    )
    expect(both.review.items.map(({ assets }) => assets[0]?.certainty)).toEqual(['open', 'open'])
    const later = await reviewAndSign(site, selling(listed), options(0))
    expect(later.assets).toMatchObject([{ to: 'foreign', certainty: 'open' }])
    const apart = await reviewAndSign(site, selling(other), options(0))
    expect(apart.assets).toMatchObject([{ to: 'foreign', certainty: 'certain' }])
  })
})

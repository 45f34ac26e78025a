import { describe, expect, it } from 'vitest'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import { runestoneScript } from '../../ordinals/testing/runestone-script.ts'
import {
  type AssetSite,
  firstOutputOf,
  hexOfBuilt,
  reviewAndSign,
  startAssetSite,
  toThem,
} from '../testing/asset-site.ts'
import { approveSigning, hexOf } from '../testing/psbt-site.ts'

/** The rows of the threat table that concern what sits on the coins of a PSBT. */

const PROTECTED = { code: -32000, data: { reason: 'PROTECTED_ASSET', input: 0 } }
const SIGNATURES_STAY = { autoFinalized: false }

async function allowBurning({ worker }: AssetSite): Promise<void> {
  const { expert } = (await worker.ui('getState', null)).settings
  await worker.ui('changeSettings', { expert: { ...expert, burnAssets: true } })
}

describe('an inscription that a site would have lost', () => {
  it('in the fee is refused before the person is asked, and named', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    const id = site.world.assets.inscribe(coin.at, { offset: 9_500n })
    const psbt = hexOf({ inputs: [coin], outputs: [toThem(9_400n)] })
    const before = site.world.window.shown
    expect(await site.page.call('signPsbt', psbt)).toMatchObject({
      error: { ...PROTECTED, message: expect.stringMatching(`^psbt: .*${id}.*fee`) },
    })
    expect(site.world.window.shown).toBe(before)
  })

  it('in the fee of a coin that somebody else brings is somebody else’s business, and shown', async () => {
    const site = await startAssetSite()
    const [coin, other] = [site.mine(10_000n), site.theirs(1_000n)]
    const id = site.world.assets.inscribe(other.at, { offset: 999n, number: 7 })
    const psbt = hexOf({ inputs: [coin, other], outputs: [toThem(10_400n)] })
    expect((await reviewAndSign(site, psbt)).assets).toEqual([
      {
        ...{ asset: { kind: 'inscription', id, number: 7 }, input: 1, own: false, to: 'fee' },
        certainty: 'certain',
        ...{ output: null, offset: null, address: null },
      },
    ])
  })

  it('in an OP_RETURN is refused', async () => {
    const site = await startAssetSite()
    const coin = site.mine(1_000n)
    site.world.assets.inscribe(coin.at)
    const outputs = [{ type: 'op-return' as const, amount: 600n }]
    expect(await site.page.call('signPsbt', hexOf({ inputs: [coin], outputs }))).toMatchObject({
      error: PROTECTED,
    })
  })

  it('is signed for experts who said so, as lost', async () => {
    const site = await startAssetSite()
    await allowBurning(site)
    const coin = site.mine(1_000n)
    site.world.assets.inscribe(coin.at)
    site.world.assets.inscribe(coin.at, { offset: 700n })
    const outputs = [{ type: 'op-return' as const, amount: 600n }]
    const { assets } = await reviewAndSign(site, hexOf({ inputs: [coin], outputs }))
    expect(assets).toMatchObject([
      { own: true, to: 'burned', output: 0 },
      { own: true, to: 'fee', output: null },
    ])
  })

  it('for certain once others have put coins before it is refused', async () => {
    const site = await startAssetSite()
    const coin = { ...site.mine(10_000n), sighash: 0x81 }
    site.world.assets.inscribe(coin.at, { offset: 9_500n })
    const place = { type: 'p2wpkh', amount: 600n, placeholder: 0, proof: 'none' } as const
    const psbt = hexOf({ inputs: [place, coin], outputs: [toThem(9_000n)] })
    const toSignInputs = [{ index: 1, address: site.account.address, sighashTypes: [0x81] }]
    const options = { ...SIGNATURES_STAY, toSignInputs }
    expect(await site.page.call('signPsbt', psbt, options)).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET', input: 1 } },
    })
  })

  it('where nobody tells the sat is refused if any of its coin’s sats is lost', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    const id = site.world.assets.inscribe(coin.at)
    const elsewhere = { outpoint: `${'ee'.repeat(32)}:0`, offset: 0n }
    site.world.assets.misreport(id, { satpoint: elsewhere })
    const spend = (sats: bigint) => hexOf({ inputs: [coin], outputs: [site.toMe(sats)] })
    expect(await site.page.call('signPsbt', spend(9_500n))).toMatchObject({
      error: { ...PROTECTED, message: expect.stringContaining('no index has told') },
    })
    const payer = site.mine(5_000n)
    const whole = hexOf({ inputs: [coin, payer], outputs: [site.toMe(10_000n)] })
    expect((await reviewAndSign(site, whole)).assets).toMatchObject([
      { to: 'own', output: 0, offset: null },
    ])
  })
})

describe('an inscription that somebody shifts', () => {
  const outputs = (site: AssetSite) => [toThem(10_000n), site.toMe(10_000n)]
  const hidden = { type: 'p2pkh', amount: 10_500n, proof: 'witness' } as const

  it('by an input whose amount is only claimed goes where nobody can say', async () => {
    const site = await startAssetSite('p2wpkh')
    const coin = site.mine(10_000n)
    site.world.assets.inscribe(coin.at)
    const inputs = [{ ...hidden, type: 'p2wpkh' as const }, coin]
    const psbt = hexOf({ inputs, outputs: outputs(site) })
    const { assets, warnings } = await reviewAndSign(site, psbt, SIGNATURES_STAY)
    expect(assets).toMatchObject([{ own: true, to: 'unknown', output: null }])
    expect(warnings).toContainEqual({ kind: 'claimed-amounts', inputs: [0] })
  })

  it('by an unknown input likewise', async () => {
    const site = await startAssetSite('p2wpkh')
    const coin = site.mine(10_000n)
    site.world.assets.inscribe(coin.at)
    const inputs = [{ ...hidden, proof: 'none' as const }, coin]
    const psbt = hexOf({ inputs, outputs: outputs(site) })
    expect((await reviewAndSign(site, psbt, SIGNATURES_STAY)).assets).toMatchObject([
      { to: 'unknown' },
    ])
  })

  it('goes where it is proposed if our signature covers the amounts of all inputs', async () => {
    const site = await startAssetSite('p2tr')
    const coin = site.mine(10_000n)
    site.world.assets.inscribe(coin.at)
    const inputs = [{ ...hidden, amount: 10_000n, type: 'p2wpkh' as const }, coin]
    const psbt = hexOf({ inputs, outputs: [...outputs(site).slice(0, 1), site.toMe(9_000n)] })
    expect((await reviewAndSign(site, psbt, SIGNATURES_STAY)).assets).toMatchObject([
      { own: true, to: 'own', output: 1, offset: '0', address: site.account.address },
    ])
  })
})

describe('a signature that leaves things to others', () => {
  it.each([0x81, 0x83])('%i takes what sits on its coin anywhere', async sighash => {
    const site = await startAssetSite()
    const coin = { ...site.mine(10_000n), sighash }
    const id = site.world.assets.inscribe(coin.at, { number: -3 })
    const psbt = hexOf({ inputs: [coin], outputs: [site.toMe(50_000n)] })
    const toSignInputs = [{ index: 0, address: site.account.address, sighashTypes: [sighash] }]
    const { assets } = await reviewAndSign(site, psbt, { ...SIGNATURES_STAY, toSignInputs })
    expect(assets).toMatchObject([
      {
        asset: { kind: 'inscription', id, number: -3 },
        own: true,
        to: 'own',
        certainty: 'open',
        output: 0,
      },
    ])
  })

  it('does not bring an inscription that is proposed as ours; one over everything does', async () => {
    const site = await startAssetSite()
    const [bought, coin] = [site.theirs(10_000n), site.mine(60_000n)]
    const id = site.world.assets.inscribe(bought.at, { number: 42 })
    const shown = async (sighash: number) => {
      const inputs = [bought, { ...coin, sighash }]
      const psbt = hexOf({ inputs, outputs: [site.toMe(10_000n), toThem(55_000n)] })
      const toSignInputs = [{ index: 1, address: site.account.address, sighashTypes: [sighash] }]
      return (await reviewAndSign(site, psbt, { ...SIGNATURES_STAY, toSignInputs })).assets
    }
    const asset = { kind: 'inscription', id, number: 42 }
    expect(await shown(1)).toMatchObject([
      { asset, own: false, input: 0, to: 'own', certainty: 'certain', output: 0 },
    ])
    expect(await shown(0x81)).toMatchObject([{ asset, own: false, to: 'own', certainty: 'open' }])
  })
})

/** A coin of ours with 10.00 of a rune, and what spends it with a runestone. */
async function runic() {
  const site = await startAssetSite()
  const coin = site.mine(10_000n)
  const asset = site.world.assets.etch(coin.at, { amount: 1_000n, divisibility: 2 })
  const spend = (integers: (block: number, tx: number) => number[]) => {
    const [block = 0, tx = 0] = (asset.rune ?? '').split(':').map(Number)
    const type = { script: runestoneScript(integers(block, tx)) }
    return hexOf({
      inputs: [coin],
      outputs: [site.toMe(5_000n), toThem(4_000n), { type, amount: 0n }],
    })
  }
  return { site, coin, asset, spend }
}

describe('a coin with runes', () => {
  it('is shown with what an edict gives to others and what stays', async () => {
    const { site, spend } = await runic()
    const { assets } = await reviewAndSign(
      site,
      spend((block, tx) => [0, block, tx, 450, 1]),
    )
    expect(assets).toMatchObject([
      { asset: { kind: 'rune', amount: '5.5' }, own: true, to: 'own', output: 0, offset: null },
      { asset: { kind: 'rune', amount: '4.5' }, own: true, to: 'foreign', output: 1 },
    ])
  })

  it.each([
    ['a malformed runestone', () => [126, 0]],
    ['an edict to its own output', (block: number, tx: number) => [0, block, tx, 1, 2]],
  ])('is refused where %s burns any of them', async (_, integers) => {
    const { site, spend } = await runic()
    expect(await site.page.call('signPsbt', spend(integers))).toMatchObject({
      error: { ...PROTECTED, message: expect.stringContaining('MEMORY•RUNE•OF•TESTS') },
    })
  })
})

describe('what the index names without its id', () => {
  it('is asked for, so that an edict is followed', async () => {
    const { site, coin, asset, spend } = await runic()
    site.world.assets.lie(coin.at, { known: true, assets: [{ ...asset, rune: null }] })
    const { assets } = await reviewAndSign(
      site,
      spend((block, tx) => [0, block, tx, 1_000, 1]),
    )
    expect(assets).toMatchObject([{ own: true, to: 'foreign', output: 1 }])
  })
})

describe('a batch', () => {
  const chained = async (last: (site: AssetSite) => { type: 'p2wpkh'; amount: bigint }) => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    const id = site.world.assets.inscribe(coin.at, { offset: 9_000n })
    const first = buildPsbt({
      inputs: [coin, site.mine(3_000n)],
      outputs: [site.toMe(10_000n), site.toMe(2_000n)],
    })
    const moved = { ...site.toMe(10_000n), outpoint: firstOutputOf(first) }
    const second = buildPsbt({ inputs: [moved], outputs: [last(site)] })
    return { site, id, psbts: [first, second].map(hexOfBuilt) }
  }

  it('that moves an inscription to us and then loses it is refused, in either order', async () => {
    const { site, psbts } = await chained(() => toThem(8_900n))
    for (const [order, named] of [
      [psbts, 'psbts[1]'],
      [psbts.toReversed(), 'psbts[0]'],
    ] as const) {
      expect(await site.page.call('signPsbts', order)).toMatchObject({
        error: { ...PROTECTED, message: expect.stringContaining(named) },
      })
    }
  })

  it('that moves it to us and then on to others says both', async () => {
    const { site, id, psbts } = await chained(() => toThem(9_500n))
    const { review } = await approveSigning(site, 'signPsbts', psbts)
    const asset = { kind: 'inscription', id, number: 0 }
    expect(review.items.map(({ assets }) => assets)).toMatchObject([
      [{ asset, own: true, to: 'own', output: 0, offset: '9000' }],
      [{ asset, own: true, to: 'foreign', output: 0, offset: '9000' }],
    ])
    expect(review.items.flatMap(({ warnings }) => warnings)).not.toContainEqual(
      expect.objectContaining({ kind: 'unchecked-coins' }),
    )
  })
})

describe('a coin that the person locked', () => {
  it('is named where a site spends it', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    await site.worker.ui('setCoinChoice', { outpoint: coin.at, choice: 'locked' })
    const psbt = hexOf({ inputs: [site.mine(5_000n), coin], outputs: [toThem(14_000n)] })
    expect((await reviewAndSign(site, psbt)).warnings).toContainEqual({
      kind: 'locked-coins',
      inputs: [1],
    })
  })
})

import { describe, expect, it } from 'vitest'
import type { BuiltInput } from '../bitcoin/testing/psbt-building.ts'
import { startAssetSite, toThem } from './testing/asset-site.ts'
import { approveSigning, hexOf, trySigning } from './testing/psbt-site.ts'

/** Fees that are high whatever others do, and that something in the PSBT hides. */

const SIGNATURES_STAY = { autoFinalized: false }
const ABSURD = { error: { data: { reason: 'ABSURD_FEE' } } }

const UNKNOWN_PARENT: BuiltInput = { type: 'p2wpkh', amount: 1_000n, proof: 'none' }
const PLACEHOLDER: BuiltInput = { ...UNKNOWN_PARENT, placeholder: 0 }

describe('a fee beside an input of which nothing is known', () => {
  it.each([
    ['an unknown parent', UNKNOWN_PARENT],
    ['a placeholder', PLACEHOLDER],
  ])('that is absurd without it is refused for %s', async (_, hidden) => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({ inputs: [site.mine(100_000_000n), hidden], outputs: [toThem(9_000n)] })
    const { review, response } = await trySigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect({ response, review }).toMatchObject({ response: ABSURD, review: null })
  })

  it.each([
    ['an unknown parent', UNKNOWN_PARENT],
    ['a placeholder', PLACEHOLDER],
  ])('that is high without it is warned of for %s, and shown as the least', async (_, hidden) => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({ inputs: [site.mine(1_000_000n), hidden], outputs: [toThem(500_000n)] })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: '500000' })
    expect(review.items[0]?.warnings).toContainEqual(
      expect.objectContaining({ kind: 'high-fee', percent: 100 }),
    )
  })

  it('is not warned of as low, as it can be any sum above the least', async () => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({
      inputs: [site.mine(100_000n), UNKNOWN_PARENT],
      outputs: [toThem(99_990n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: '10', warnings: [] })
  })

  it('has no least where the unknown input may have to pay for the outputs', async () => {
    const site = await startAssetSite('p2wpkh')
    const psbt = hexOf({
      inputs: [site.mine(100_000n), UNKNOWN_PARENT],
      outputs: [toThem(100_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: null, warnings: [] })
  })

  it('has no least that rests on an amount which only the site states', async () => {
    const site = await startAssetSite('p2wpkh')
    const claimed: BuiltInput = { type: 'p2wpkh', amount: 90_000n }
    const psbt = hexOf({
      inputs: [site.mine(100_000n), claimed, UNKNOWN_PARENT],
      outputs: [toThem(150_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, SIGNATURES_STAY)
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: null })
  })

  it('has no least in a listing between placeholders, which others complete', async () => {
    const site = await startAssetSite()
    const own = { ...site.mine(100_000_000n), sighash: 0x83 }
    const psbt = hexOf({
      inputs: [PLACEHOLDER, { ...PLACEHOLDER, placeholder: 1 }, own],
      outputs: [toThem(0n), toThem(600n), site.toMe(20_000n)],
    })
    const toSignInputs = [{ index: 2, address: site.account.address, sighashTypes: [0x83] }]
    const { review } = await approveSigning(site, 'signPsbt', psbt, {
      ...SIGNATURES_STAY,
      toSignInputs,
    })
    expect(review.items[0]).toMatchObject({ fee: null, leastFee: null })
    expect(review.items[0]?.warnings.map(({ kind }) => kind)).not.toContain('high-fee')
  })
})

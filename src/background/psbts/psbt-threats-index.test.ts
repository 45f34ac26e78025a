import { describe, expect, it, vi } from 'vitest'
import { reviewAndSign, startAssetSite, toThem } from '../testing/asset-site.ts'
import { inHurry } from '../testing/fast-timers.ts'
import { hexOf, isSignedElsewhere, resultOf } from '../testing/psbt-site.ts'
import { decideNext, nextApproval } from '../testing/test-wallet.ts'

/** The rows of the threat table that concern servers which deny, hesitate or are away while a site has coins spent. */

const SIGNATURES_STAY = { autoFinalized: false }

describe('S21: an index of assets', () => {
  const spend = async (type: 'p2tr' | 'p2wpkh' = 'p2tr') => {
    const site = await startAssetSite(type)
    const coin = site.mine(546n)
    const psbt = hexOf({ inputs: [site.theirs(700n), coin], outputs: [toThem(1_000n)] })
    return { site, coin, psbt }
  }

  it('that says that nothing is there lets a coin go without a word', async () => {
    const { site, psbt } = await spend()
    const { assets, warnings } = await reviewAndSign(site, psbt, SIGNATURES_STAY)
    expect(assets).toEqual([])
    expect(warnings.map(({ kind }) => kind)).not.toContain('unchecked-coins')
  })

  it.each([
    ['is down', 'unreachable', true, 'unanswered'],
    ['is rate limited', 'rateLimited', true, 'unanswered'],
    ['is behind', 'lagBlocks', 3, 'behind'],
    ['keeps no runes', 'notIndexed', true, 'not-indexed'],
  ] as const)('that %s stops no signature; the coin is named with the reason', async (...row) => {
    const [, fault, value, why] = row
    const { site, psbt } = await spend()
    Object.assign(site.world.assets.faults, { [fault]: value })
    const { warnings, signed } = await reviewAndSign(site, psbt, SIGNATURES_STAY)
    expect(warnings).toContainEqual({ kind: 'unchecked-coins', inputs: [1], why })
    expect(isSignedElsewhere(signed, 1)).toBe(true)
  })

  it('that denies what the coin’s own transaction reveals is contradicted', async () => {
    const { site, coin, psbt } = await spend()
    site.world.assets.inscribe(coin.at, { body: 'here I am' })
    site.world.assets.lie(coin.at, { known: true, assets: [] })
    expect((await reviewAndSign(site, psbt, SIGNATURES_STAY)).warnings).toContainEqual({
      ...{ kind: 'unchecked-coins', inputs: [1], why: 'contradicted' },
    })
  })

  it('that says nothing is there until the person has approved stops the signature', async () => {
    const { site, coin, psbt } = await spend()
    site.world.assets.inscribe(coin.at)
    site.world.assets.lie(coin.at, { known: true, assets: [] })
    const answer = site.page.call('signPsbt', psbt, SIGNATURES_STAY)
    await nextApproval(site.worker, 'sign-psbt')
    site.world.assets.lie(coin.at, 'forget')
    await decideNext(site.worker, 'approve', 'sign-psbt')
    expect(await answer).toMatchObject({ error: { data: { reason: 'PLAN_OUTDATED' } } })
  })

  it('that begins to deny what it named stops the signature of a coin that nobody had told of', async () => {
    const { site, coin, psbt } = await spend()
    const { faults } = site.world.assets
    faults.unreachable = true
    const answer = site.page.call('signPsbt', psbt, SIGNATURES_STAY)
    await nextApproval(site.worker, 'sign-psbt')
    faults.unreachable = false
    site.world.assets.lie(coin.at, { known: false, why: 'contradicted' })
    await decideNext(site.worker, 'approve', 'sign-psbt')
    expect(await answer).toMatchObject({ error: { data: { reason: 'PLAN_OUTDATED' } } })
  })

  it('that goes away in between stops nothing', async () => {
    const { site, psbt } = await spend()
    const answer = site.page.call('signPsbt', psbt, SIGNATURES_STAY)
    await nextApproval(site.worker, 'sign-psbt')
    site.world.assets.faults.unreachable = true
    await decideNext(site.worker, 'approve', 'sign-psbt')
    expect(isSignedElsewhere(resultOf(await answer), 1)).toBe(true)
  })

  it('is not waited for longer than ten seconds: what it has not told by then is unknown', async () => {
    const { site, psbt } = await spend()
    site.world.assets.source.fetchAssets = () => new Promise(() => {})
    const { warnings } = await inHurry(() => reviewAndSign(site, psbt, SIGNATURES_STAY))
    expect(warnings).toContainEqual({ kind: 'unchecked-coins', inputs: [1], why: 'unanswered' })
  })
})

describe('a chain server that is down', () => {
  it('does not make the wallet forget what it knows to be on a coin', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    site.world.assets.inscribe(coin.at)
    await site.worker.ui('getCoins', null)
    site.world.chain.faults.unreachable = true
    const { assets, warnings } = await reviewAndSign(
      site,
      hexOf({ inputs: [coin], outputs: [site.toMe(10_000n)] }),
    )
    expect(assets).toMatchObject([{ own: true, to: 'own', output: 0 }])
    expect(warnings.map(({ kind }) => kind)).not.toContain('unchecked-coins')
    const unseen = hexOf({ inputs: [site.mine(700n)], outputs: [toThem(500n)] })
    expect((await reviewAndSign(site, unseen)).warnings).toContainEqual({
      ...{ kind: 'unchecked-coins', inputs: [0], why: 'unanswered' },
    })
  })
})

describe('a chain server that hesitates', () => {
  it('does not bring a site past what the wallet knows to be on a coin', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    site.world.assets.inscribe(coin.at)
    await site.worker.ui('getCoins', null)
    site.world.chain.chain.fetchTransactionHeight = () => new Promise(() => {})
    const psbt = hexOf({ inputs: [site.mine(700n), coin], outputs: [toThem(600n)] })
    const answer = await inHurry(() => site.page.call('signPsbt', psbt))
    expect(answer).toMatchObject({ error: { data: { reason: 'PROTECTED_ASSET', input: 1 } } })
  })

  it('is asked once for the coins of an account where there are many', async () => {
    const site = await startAssetSite()
    const coins = Array.from({ length: 60 }, () => site.mine(1_000n))
    site.world.assets.inscribe(coins[59]?.at ?? '')
    const asked = vi.spyOn(site.world.chain.chain, 'fetchTransactionHeight')
    const psbt = hexOf({ inputs: coins, outputs: [toThem(59_500n), site.toMe(400n)] })
    const { assets, warnings } = await reviewAndSign(site, psbt)
    expect(assets).toMatchObject([{ input: 59, to: 'foreign' }])
    expect(warnings.map(({ kind }) => kind)).not.toContain('unchecked-coins')
    expect(asked).not.toHaveBeenCalled()
  })
})

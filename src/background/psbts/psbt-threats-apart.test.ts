import { describe, expect, it } from 'vitest'
import { concatBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import { type BuiltInput, buildPsbt, FOREIGN_KEY } from '../../bitcoin/testing/psbt-building.ts'
import { type AssetSite, reviewAndSign, startAssetSite, toThem } from '../testing/asset-site.ts'
import { colouringLeaf, FOREIGN_X_ONLY } from '../testing/atomical-leaf.ts'
import { approveSigning, hexOf } from '../testing/psbt-site.ts'
import { signElsewhere } from '../testing/signed-transactions.ts'
import { nextApproval } from '../testing/test-wallet.ts'

/** What sites write beside our coins, or leave out, so that a refusal or a warning does not come. */

const SIGNATURES_STAY = { autoFinalized: false }
const PROTECTED = { code: -32000, data: { reason: 'PROTECTED_ASSET' } }

const hidden: BuiltInput = { type: 'p2wpkh', amount: 1_000n, proof: 'none' }

/** A signature that nobody made, in the name of our key, for a leaf that is not there. */
function forgedFor({ account }: AssetSite, sighash: number): Record<string, Uint8Array> {
  const key = `14${account.publicKey.slice(2)}${'11'.repeat(32)}`
  return { [key]: concatBytes(new Uint8Array(64).fill(7), Uint8Array.of(sighash)) }
}

function named(site: AssetSite, ...inputs: [index: number, sighash: number][]) {
  const { address } = site.account
  const toSignInputs = inputs.map(([index, sighash]) => ({
    ...{ index, address, sighashTypes: [sighash] },
  }))
  return { ...SIGNATURES_STAY, toSignInputs }
}

describe('what would be lost', () => {
  it('is refused although an input before it hides its amount: it lies past all outputs in any case', async () => {
    const site = await startAssetSite('p2wpkh')
    const coin = site.mine(10_000n)
    site.world.assets.inscribe(coin.at, { offset: 9_500n })
    const psbt = hexOf({ inputs: [hidden, coin], outputs: [site.toMe(9_000n)] })
    expect(await site.page.call('signPsbt', psbt, SIGNATURES_STAY)).toMatchObject({
      error: PROTECTED,
    })
  })

  it('is refused although a leaf beside a coin that has none draws it elsewhere', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    const { id } = site.world.atomicals.mint(coin.at)
    const control = concatBytes(fromHex('c0'), FOREIGN_X_ONLY)
    const forged = { [`15${toHex(control)}`]: concatBytes(colouringLeaf(id), fromHex('c0')) }
    const psbt = hexOf({
      inputs: [{ ...site.theirs(1_000n), raw: forged }, coin],
      outputs: [{ type: 'op-return', amount: 0n }, site.toMe(10_000n)],
    })
    expect(await site.page.call('signPsbt', psbt, SIGNATURES_STAY)).toMatchObject({
      error: PROTECTED,
    })
  })

  it.each(['p2wpkh', 'p2tr'] as const)(
    'is refused where it is pushed beside an input of others (%s)',
    async type => {
      const site = await startAssetSite('p2wpkh')
      const coin = site.mine(10_000n)
      site.world.atomicals.mint(coin.at)
      const fields = type === 'p2tr' ? { tapInternalKey: FOREIGN_X_ONLY } : {}
      const whole = buildPsbt({
        inputs: [coin, { type, amount: 1_000n, fields }],
        outputs: [{ type: 'op-return', amount: 0n }],
      })
      for (const raw of whole.previous.values()) site.world.chain.add(raw)
      const { raw } = signElsewhere(whole, site.key, FOREIGN_KEY)
      expect(await site.page.call('pushTx', raw)).toMatchObject({ error: PROTECTED })
    },
  )
})

describe('a signature that is forged in our name', () => {
  it('covers no amounts, and silences no warning of them', async () => {
    const site = await startAssetSite()
    const theirs: BuiltInput = { type: 'p2tr', amount: 5_000n, raw: forgedFor(site, 1) }
    const psbt = hexOf({
      inputs: [
        { ...site.mine(10_000n), sighash: 0x81 },
        theirs,
        { type: 'p2wpkh', amount: 9_000n },
      ],
      outputs: [site.toMe(9_000n), toThem(14_000n)],
    })
    const { review } = await approveSigning(site, 'signPsbt', psbt, named(site, [0, 0x81]))
    const [item] = review.items
    expect(item?.inputs.slice(1).map(({ proof, sighash }) => [proof, sighash])).toEqual([
      ['claimed', null],
      ['claimed', null],
    ])
    expect(item?.warnings).toContainEqual({ kind: 'claimed-amounts', inputs: [1, 2] })
  })

  it('does not push those that were given out of what the worst case remembers', async () => {
    const site = await startAssetSite()
    const worstOf = async (psbt: string, sighash: number) => {
      const { review } = await approveSigning(site, 'signPsbt', psbt, named(site, [0, sighash]))
      return review.total.worst
    }
    const listing = { ...site.mine(10_000n), sighash: 0x83 }
    await worstOf(hexOf({ inputs: [listing], outputs: [site.toMe(50_000n)] }), 0x83)
    const flood = Array.from(
      { length: 500 },
      (): BuiltInput => ({
        ...{ type: 'p2tr', amount: 1_000n, raw: forgedFor(site, 0x83) },
      }),
    )
    await worstOf(
      hexOf({ inputs: [site.mine(20_000n), ...flood], outputs: [site.toMe(499_000n)] }),
      1,
    )
    const offer = { ...site.mine(40_000n), sighash: 0x81 }
    expect(await worstOf(hexOf({ inputs: [offer], outputs: [site.toMe(50_000n)] }), 0x81)).toBe(
      '-40000',
    )
  })

  it('asks for nothing where it is all that there is of ours', async () => {
    const site = await startAssetSite()
    const coin = { ...site.mine(10_000n), sighash: 1, raw: { '13': new Uint8Array(64).fill(7) } }
    const psbt = hexOf({ inputs: [coin], outputs: [toThem(9_000n)] })
    expect(await site.page.call('signPsbt', psbt, SIGNATURES_STAY)).toMatchObject({
      error: { data: { reason: 'NOTHING_TO_SIGN' } },
    })
  })
})

describe('a batch whose items can be used apart', () => {
  const kindsOf = async (site: AssetSite, psbts: string[], options: object = SIGNATURES_STAY) => {
    const { review } = await approveSigning(site, 'signPsbts', psbts, options)
    return review.warnings.map(({ kind }) => kind)
  }

  it('is one-sided where an inscription goes for one sat, and its price comes in another item', async () => {
    const site = await startAssetSite()
    const coin = site.mine(10_000n)
    site.world.assets.inscribe(coin.at, { number: 7 })
    const give = hexOf({
      inputs: [coin, site.theirs(12_000n)],
      outputs: [toThem(10_000n), site.toMe(10_001n)],
    })
    const price = hexOf({
      inputs: [site.mine(600n), site.theirs(1_001_000n)],
      outputs: [site.toMe(1_000_600n)],
    })
    expect(await kindsOf(site, [give, price])).toContain('one-sided-items')
  })

  it('is one-sided where what the paying item brings is only promised', async () => {
    const site = await startAssetSite('p2wpkh')
    const [bought, junk] = [site.theirs(10_000n), site.theirs(600n)]
    for (const coin of [bought, junk]) site.world.assets.inscribe(coin.at)
    const gives = hexOf({
      inputs: [{ type: 'p2wpkh', amount: 1_000n }, junk, site.mine(1_000_000n)],
      outputs: [toThem(1_000n), site.toMe(600n), toThem(900_000n), site.toMe(99_000n)],
    })
    const brings = hexOf({
      inputs: [bought, site.mine(2_000n)],
      outputs: [site.toMe(10_000n), toThem(1_000n)],
    })
    expect(await kindsOf(site, [gives, brings])).toContain('one-sided-items')
  })

  it('is one-sided where what is proposed as a fee can be taken by others', async () => {
    const site = await startAssetSite()
    const bought = site.theirs(10_000n)
    site.world.assets.inscribe(bought.at)
    const gives = hexOf({
      inputs: [{ ...site.mine(12_000n), sighash: 0x83 }],
      outputs: [site.toMe(4_000n)],
    })
    const brings = hexOf({
      inputs: [bought, site.mine(2_000n)],
      outputs: [site.toMe(10_000n), toThem(1_000n)],
    })
    const options = [named(site, [0, 0x83]), SIGNATURES_STAY]
    expect(await kindsOf(site, [gives, brings], options)).toContain('one-sided-items')
  })

  it('has a conflict where two items sell the same two coins', async () => {
    const site = await startAssetSite()
    const coins = [site.mine(10_000n), site.mine(10_000n)]
    const listing = (price: bigint) =>
      hexOf({
        inputs: coins.map(coin => ({ ...coin, sighash: 0x83 })),
        outputs: coins.map(() => site.toMe(price)),
      })
    const options = named(site, [0, 0x83], [1, 0x83])
    const psbts = [listing(50_000n), listing(60_000n)]
    const { review } = await approveSigning(site, 'signPsbts', psbts, options)
    expect(review.conflicts).toEqual([[0, 1]])
  })
})

describe('a signature that leaves inputs to others', () => {
  it('tells no locktime that others can take away with their input', async () => {
    const site = await startAssetSite()
    const ask = async (sequence: number) => {
      const psbt = hexOf({
        inputs: [
          { ...site.mine(10_000n), sighash: 0x81, sequence },
          { type: 'p2wpkh', amount: 1_000n, sequence: 0xfffffffd },
        ],
        outputs: [toThem(9_000n)],
        locktime: 4_000_000,
      })
      const { review } = await approveSigning(site, 'signPsbt', psbt, named(site, [0, 0x81]))
      return review.items[0]?.locktime
    }
    expect(await ask(0xffffffff)).toBeNull()
    expect(await ask(0xfffffffe)).toBe(4_000_000)
  })

  it('is told to leave what it moves to others where it is pushed, too', async () => {
    const site = await startAssetSite('p2wpkh')
    const coin = { ...site.mine(10_000n), sighash: 0x83 }
    site.world.assets.inscribe(coin.at)
    const psbt = hexOf({ inputs: [coin], outputs: [site.toMe(9_000n)] })
    const options = { ...named(site, [0, 0x83]), autoFinalized: true }
    const { signed } = await reviewAndSign(site, psbt, options)
    void site.page.call('pushPsbt', signed)
    const { review } = await nextApproval(site.worker, 'push-tx')
    expect(review).toMatchObject({ assets: [{ own: true, to: 'own', certainty: 'open' }] })
  })
})
